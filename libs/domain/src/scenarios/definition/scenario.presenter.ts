import { type FieldViolation, ValidationError } from '@app/contracts/coded.errors';
import type { StoredStep } from '@app/contracts/scenario.words';
import type { Changed } from '@app/persistence/audit/audit.repository';
import type { ScenarioRow } from '@app/persistence/scenarios/definition/scenario.repository';
import type { SecretCipher } from '../../accounts/secret-cipher.port';
import type { AuditedAct } from '../../audit/audit.service';
import { differencesOf, type AuditedThing } from '../../audit/audited-thing';
import { type GivenStep, openStepHeaders, sealStepHeaders } from '../steps/step-fields';
import { keptStep } from './steps-check';

type StoredHttpStep = Extract<StoredStep, { kind: 'http' }>;

/** Whose headers they are. */
interface Owner {
  accountId: string;
  scenarioId: string;
}

/**
 * Steps without violations, as they are stored: with what means something in them, and headers sealed. A header that is
 * null keeps the value that it has in a present `http` step with the same address: the one with the same label or, of
 * those without labels, the one at the same place among the steps with this address.
 * @throws ValidationError where no such step has the header, or its value cannot be opened
 */
export function storedSteps(
  cipher: SecretCipher,
  owner: Owner,
  given: readonly GivenStep[],
  present: readonly StoredStep[],
): StoredStep[] {
  const calls = present.filter((step) => step.kind === 'http');
  const counts = new Map<unknown, number>();
  const violations: FieldViolation[] = [];
  const steps = given.map((each, index) => {
    const { headers, ...step } = keptStep(each);
    if (step.kind !== 'http') return step as unknown as StoredStep;
    const place = counts.get(step.url) ?? 0;
    counts.set(step.url, place + 1);
    const same = calls.filter(({ url }) => url === step.url);
    const before = same.find(({ label }) => label !== undefined && label === step.label) ?? same[place];
    const asked = (headers ?? {}) as Readonly<Record<string, string | null>>;
    const filled = withKept(cipher, owner, asked, before);
    for (const name of filled.missing) {
      const message = 'is null, and no present step with this address has a value to keep: give the value';
      violations.push({ path: `steps[${index}].headers.${name}`, message });
    }
    const sealed = sealStepHeaders(cipher, owner, filled.headers);
    return { ...step, ...(sealed && { sealed_headers: sealed }) } as unknown as StoredStep;
  });
  ValidationError.throwIfAny(violations);
  return steps;
}

function withKept(
  cipher: SecretCipher,
  owner: Owner,
  asked: Readonly<Record<string, string | null>>,
  before: StoredHttpStep | undefined,
): { headers: Record<string, string>; missing: string[] } {
  const isKept = Object.values(asked).includes(null);
  const had = isKept && before?.sealed_headers ? opened(cipher, owner, before.sealed_headers) : {};
  const values = Object.entries(asked).map(([name, value]) => [name, value ?? had[name]] as const);
  return {
    headers: Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    missing: values.filter(([, value]) => value === undefined).map(([name]) => name),
  };
}

/** Nothing, where they were sealed with a key that is gone. */
function opened(cipher: SecretCipher, owner: Owner, sealed: NonNullable<StoredHttpStep['sealed_headers']>) {
  try {
    return openStepHeaders(cipher, owner, sealed);
  } catch {
    return {};
  }
}

/** A step as it is shown: the names of its headers, whose values are null. */
function shownStep(step: StoredStep): GivenStep {
  if (step.kind !== 'http') return { ...step };
  const { sealed_headers: sealed, ...shown } = step;
  if (!sealed) return shown;
  return { ...shown, headers: Object.fromEntries(sealed.names.map((name) => [name, null])) };
}

/** A scenario as admins see it. */
export type Scenario = Omit<ScenarioRow, 'steps' | 'created_at' | 'updated_at'> & {
  steps: GivenStep[];
  created_at: string;
  updated_at: string;
};

export function presentScenario(row: ScenarioRow): Scenario {
  const { steps, created_at: createdAt, updated_at: updatedAt, ...settings } = row;
  return {
    ...settings,
    steps: steps.map(shownStep),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

type ScenarioSubject = Pick<ScenarioRow, 'account_id' | 'id' | 'name'>;

export const ofScenario = ({ account_id: accountId, id, name }: ScenarioSubject): AuditedAct['subject'] => ({
  type: 'scenario',
  ...{ accountId, id, name },
});

/** As admins see it: without the values of headers. Steps that change have another revision. */
const SHOWN_SCENARIO: AuditedThing<Scenario> = {
  type: 'scenario',
  subjectOf: ofScenario,
  shown: [
    ...(['status_id', 'name', 'state', 'order', 'on_leave', 'on_reply', 'on_takeover'] as const),
    ...(['reentry', 'cooldown_seconds', 'send_hours', 'revision', 'steps'] as const),
  ],
};

/** What differs of a scenario; null: nothing. */
export function scenarioAct(
  { before, after }: Changed<ScenarioRow>,
  { cancelsRuns = false } = {},
): AuditedAct | null {
  const row = after ?? before;
  if (!row) return null;
  const change = {
    before: before && presentScenario(before),
    after: after && presentScenario(after),
  };
  const differences = differencesOf(SHOWN_SCENARIO, change);
  if (!differences && !cancelsRuns) return null;
  const cancelled = cancelsRuns ? { running: 'cancel' } : {};
  return {
    subject: ofScenario(row),
    before: differences?.before ?? null,
    after: cancelsRuns ? { ...differences?.after, ...cancelled } : (differences?.after ?? null),
  };
}
