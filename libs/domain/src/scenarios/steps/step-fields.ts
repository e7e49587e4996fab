import type { FieldViolation } from '@app/contracts/coded.errors';
import { isObject } from '@app/contracts/json-object';
import { SCENARIO_LIMITS, type StepDefinition, type SealedStepHeaders } from '@app/contracts/scenario.words';
import { isBlank } from '@app/contracts/values/free-text';
import type { SecretCipher } from '../../accounts/secret-cipher.port';
import { violationsOfText } from './step-variables';

/** A step as an admin gives it: any object. */
export type GivenStep = Readonly<Record<string, unknown>>;

/** Where a step is, for what is checked about it. */
export interface StepPlace {
  step: GivenStep;
  /** The labels of the steps further down. */
  labelsBelow: ReadonlySet<string>;
  /** The stages of the funnel. */
  stageIds: ReadonlySet<string>;
  /** Other stages of the account that the steps name: what each of them is, in words. */
  otherStages: ReadonlyMap<string, string>;
  /** The people of the account whom the steps name. */
  userIds: ReadonlySet<string>;
  /** Why no call may be made to an address; null: it may. */
  violationOfUrl: (url: string) => string | null;
}

/** Violations of a field of a step, whose path is such as `steps[3].seconds`. */
export type FieldCheck = (value: unknown, path: string, at: StepPlace) => FieldViolation[];

/** A check for each field of a kind of step, besides those of every step. Other fields are not kept. */
export type StepFields<Definition extends StepDefinition> = {
  readonly [Field in Exclude<keyof Definition, 'kind' | 'label' | 'on_failure'>]-?: FieldCheck;
};

/** Longest words to the person who is asked for. */
export const NOTE_LONGEST = 1_000;

export const violation = (path: string, message: string): FieldViolation[] => [{ path, message }];

/** A check that a value is as it must be. An absent value is a violation: see {@link optional}. */
export const must =
  (holds: (value: unknown) => boolean, message: string): FieldCheck =>
  (value, path) => {
    if (value === undefined) return violation(path, `is required, and ${message}`);
    return holds(value) ? [] : violation(path, message);
  };

export const optional =
  (check: FieldCheck): FieldCheck =>
  (value, path, at) =>
    value === undefined ? [] : check(value, path, at);

export const wholeNumber = (least: number, most: number): FieldCheck =>
  must(
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    `must be a whole number from ${least} to ${most}`,
  );

export const oneOf = (words: readonly string[]): FieldCheck =>
  must((value) => words.some((word) => word === value), `must be one of ${words.join(', ')}`);

/** A text that is not blank and not too long, without variables. */
export const word = (longest: number): FieldCheck =>
  must(
    (value) => typeof value === 'string' && !isBlank(value) && value.length <= longest,
    `must be a non-empty string of at most ${longest} characters, not of blanks alone`,
  );

/** Likewise, with variables. */
export const text = (longest: number): FieldCheck => {
  const check = word(longest);
  return (value, path, at) => {
    const violations = check(value, path, at);
    return violations.length > 0 ? violations : violationsOfText(String(value), path);
  };
};

/** How long a step waits. */
export const waitSeconds = wholeNumber(1, SCENARIO_LIMITS.waitSecondsMax);

/** How late a message may be sent; absent: 6 hours. */
export const maxLateSeconds = optional(waitSeconds);

/** One of some words, or `{ go }` with the label of a step further down. */
export const wordOrGoTo =
  (words: readonly string[]): FieldCheck =>
  (value, path, { labelsBelow }) => {
    const expected = `must be ${words.join(', ')} or { "go": "label" }`;
    if (value === undefined) return violation(path, `is required, and ${expected}`);
    if (words.some((known) => known === value)) return [];
    if (!isObject(value)) return violation(path, expected);
    const { go } = value;
    if (typeof go === 'string' && labelsBelow.has(go)) return [];
    const labels = labelsBelow.size > 0 ? `: ${[...labelsBelow].join(' or ')}` : ', of which none has one';
    return violation(`${path}.go`, `must be the label of a step further down${labels}`);
  };

/** The owner of sealed headers. They cannot be opened for another scenario. */
const boundTo = (accountId: string, scenarioId: string): string => `${accountId}/scenario/${scenarioId}`;

/** Seals the names and values of a step's headers as one text; undefined: it has none. */
export function sealStepHeaders(
  cipher: SecretCipher,
  owner: { accountId: string; scenarioId: string },
  headers: Readonly<Record<string, string>>,
): SealedStepHeaders | undefined {
  const names = Object.keys(headers);
  if (names.length === 0) return undefined;
  const { keyId, sealed } = cipher.seal(JSON.stringify(headers), boundTo(owner.accountId, owner.scenarioId));
  return { names, key_id: keyId, sealed: sealed.toString('base64') };
}

/**
 * @throws Error when they were sealed with another key, or for another scenario.
 */
export function openStepHeaders(
  cipher: SecretCipher,
  owner: { accountId: string; scenarioId: string },
  { key_id: keyId, sealed }: SealedStepHeaders,
): Record<string, string> {
  const text = cipher.open(keyId, Buffer.from(sealed, 'base64'), boundTo(owner.accountId, owner.scenarioId));
  return JSON.parse(text) as Record<string, string>;
}
