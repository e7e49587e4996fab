import { foldAskedName, foldStatusName } from '@app/contracts/stage.words';
import { isUuid } from '@app/contracts/uuid.format';
import type { KnownPerson, NamedInRows } from '@app/persistence/transfer/import-work.repository';
import { foldEmail } from '../accounts/people/person.rules';
import type { FoundFault } from './fault-texts';

/** What a cell names: an id, or what is wrong with it. */
export type Named = { id: string } | { fault: FoundFault };

/** Blanks around a name are not seen in a spreadsheet. */
const foldPersonName = (name: string): string => foldStatusName(name.trim());

/** The stages of an agent and the people of its account, by what files call them. */
export class LeadNames {
  private readonly stageIds: ReadonlySet<string>;
  private readonly personIds: ReadonlySet<string>;
  private readonly stagesByName: ReadonlyMap<string, string[]>;
  /** Those who see the agent's dialogs, some of whom may be disabled. */
  private readonly seeing: readonly KnownPerson[];
  private readonly peopleByName: ReadonlyMap<string, KnownPerson[]>;

  constructor({ funnel, people }: NamedInRows) {
    this.stageIds = new Set(funnel.map(({ id }) => id));
    this.personIds = new Set(people.map(({ id }) => id));
    this.stagesByName = grouped(
      funnel,
      ({ name_folded }) => name_folded.trim(),
      ({ id }) => id,
    );
    this.seeing = people.filter(({ sees }) => sees);
    this.peopleByName = grouped(
      this.seeing,
      ({ name }) => foldPersonName(name),
      (person) => person,
    );
  }

  /** By its id, or its name, letter case aside. */
  stage(text: string): Named {
    const id = text.toLowerCase();
    if (isUuid(text) && this.stageIds.has(id)) return { id };
    const folded = foldAskedName(text);
    const [first, second] = (folded !== null && this.stagesByName.get(folded)) || [];
    if (first === undefined) return { fault: 'no_stage' };
    return second === undefined ? { id: first } : { fault: 'several_stages' };
  }

  /**
   * By e-mail address or name, letter case aside, of those who may be assigned. By id anybody: dialogs stay with people who
   * may not be assigned any more, and so they do when they come from a file that was exported.
   */
  person(text: string): Named {
    const id = text.toLowerCase();
    if (this.personIds.has(id)) return { id };
    const address = foldEmail(text);
    const found = text.includes('@')
      ? this.seeing.find(({ email }) => foldEmail(email) === address)
      : undefined;
    const [first, second] = found ? [found] : (this.peopleByName.get(foldPersonName(text)) ?? []);
    if (first === undefined) return { fault: 'nobody' };
    if (second !== undefined) return { fault: 'several_people' };
    return first.disabled ? { fault: 'disabled_person' } : { id: first.id };
  }

  /** How a file names a stage so that it is found again. */
  labelOfStage(stage: LeadReference): string {
    return labelOf(stage, this.stage(stage.name.trim()));
  }

  /** How a file names a person so that they are found again. */
  labelOfPerson(person: LeadReference): string {
    return labelOf(person, this.person(person.name.trim()));
  }
}

interface LeadReference {
  id: string;
  name: string;
}

/** The name where it leads back to the id, else the id. */
const labelOf = ({ id, name }: LeadReference, found: Named): string =>
  'id' in found && found.id === id ? name : id;

function grouped<Item, Value>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  valueOf: (item: Item) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(valueOf(item));
    else groups.set(key, [valueOf(item)]);
  }
  return groups;
}
