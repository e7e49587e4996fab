import { type FieldViolation, ValidationError } from '@app/contracts/coded.errors';
import type { StoredStep } from '@app/contracts/scenario.words';
import type { SecretCipher } from '../../accounts/secret-cipher.port';
import { openStepHeaders, sealStepHeaders } from '../steps/step-headers';
import type { GivenStep } from '../steps/step-fields';
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
export function shownStep(step: StoredStep): GivenStep {
  if (step.kind !== 'http') return { ...step };
  const { sealed_headers: sealed, ...shown } = step;
  if (!sealed) return shown;
  return { ...shown, headers: Object.fromEntries(sealed.names.map((name) => [name, null])) };
}
