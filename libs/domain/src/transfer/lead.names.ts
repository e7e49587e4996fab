import { isUuid } from '@app/contracts/uuid.format';
import type { KnownPerson, NamedInRows } from '@app/persistence/transfer/import-work.repository';
import { foldEmail } from '../accounts/email.rules';
import { foldAskedName, foldStatusName } from '../leads/status-name.folding';
import type { FoundFault } from './fault.texts';

/** What a cell names: an id, or what is wrong with it. */
export type Named = { id: string } | { fault: FoundFault };

/** Blanks around a name are not seen in a spreadsheet. */
const foldPersonName = (name: string): string => foldStatusName(name.trim());

/** The stages of an agent and the people who see its dialogs, by what files call them. */
export class LeadNames {
  private readonly stageIds: ReadonlySet<string>;
  private readonly stagesByName: ReadonlyMap<string, string[]>;
  private readonly peopleByName: ReadonlyMap<string, KnownPerson[]>;

  constructor(private readonly named: NamedInRows) {
    const { funnel, people } = named;
    this.stageIds = new Set(funnel.map(({ id }) => id));
    this.stagesByName = grouped(
      funnel,
      ({ name_folded }) => name_folded.trim(),
      ({ id }) => id,
    );
    this.peopleByName = grouped(
      people,
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

  /** By id, e-mail address or name, letter case aside. */
  person(text: string): Named {
    const byId = this.named.people.find(({ id }) => id === text.toLowerCase());
    const address = foldEmail(text);
    const byAddress = text.includes('@')
      ? this.named.people.find(({ email }) => foldEmail(email) === address)
      : undefined;
    const found = byId ?? byAddress;
    const [first, second] = found ? [found] : (this.peopleByName.get(foldPersonName(text)) ?? []);
    if (first === undefined) return { fault: 'nobody' };
    if (second !== undefined) return { fault: 'several_people' };
    return first.disabled ? { fault: 'disabled_person' } : { id: first.id };
  }

  /** How a file names a stage so that it is found again. */
  labelOfStage({ id, name }: { id: string; name: string }): string {
    const found = this.stage(name.trim());
    return 'id' in found && found.id === id ? name : id;
  }

  /** How a file names a person so that they are found again. */
  labelOfPerson({ id, name }: { id: string; name: string }): string {
    const found = this.person(name.trim());
    return 'fault' in found && found.fault === 'several_people' ? id : name;
  }
}

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
