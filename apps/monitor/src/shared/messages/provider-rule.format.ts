import { isOfMessenger, SCENARIO_UNDELIVERED, type Attention } from '@app/contracts/lead.words';
import { isolated } from '../format/direction.format';
import { providerRuleWords } from './provider-rule.words';

/** By the numbers of Meta and of Gupshup, as docs/integrators/sending.md tells them apart. */
const RULES = [
  ['window', [131047, 470, 1005]],
  ['number', [131026, 1002]],
  ['itself', [131021]],
  ['phoneOnly', [131062]],
  ['marketing', [131049, 130472]],
  ['stopped', [131050, 1012]],
  ['consent', [1006, 1007, 1008]],
  ['blocked', [130403]],
  ['country', [130497]],
  ['tester', [131030, 1001]],
  ['identity', [137000]],
  ['kind', [131051]],
  ['elsewhere', [131060]],
  ['file', [131052, 131053, 1010, 1011]],
  ['templateMissing', [132001, 4003]],
  ['templateValues', [132000, 132008, 132012, 132018]],
  ['templateLong', [132005]],
  ['templatePolicy', [132007]],
  ['templatePaused', [132015, 4005]],
  ['templateDisabled', [132016]],
  ['templatesOff', [131063, 1004]],
  ['templateKind', [134100]],
  ['templateSoon', [134101, 134102]],
  ['form', [132068, 132069]],
  ['values', [100, 131008, 131009, 135000, 1009]],
  ['fast', [4, 17, 613, 80007, 130429, 429, 4001]],
  ['pair', [131056]],
  ['restricted', [131048, 131064, 471]],
  ['locked', [131031, 368]],
  ['token', [0, 3, 10, 33, 104, 190, 131005, 131037, 131045, 133010, 133016, 4004]],
  ['billing', [402, 131042, 131044, 1003]],
  ['terms', [134011]],
  ['later', [1, 2, 500, 131000, 131016, 131057, 133004, 4002]],
] as const satisfies readonly [string, readonly number[]][];

interface Refusal {
  code?: string;
  provider_code: number | null;
}

/** Of what the access token may do. */
const isPermission = (number: number): boolean => number >= 200 && number <= 299;

function ruleOf({ code, provider_code: number }: Refusal): (typeof RULES)[number][0] | null {
  if (number !== null) {
    const known = RULES.find(([, numbers]) => (numbers as readonly number[]).includes(number));
    if (known) return known[0];
    if (isPermission(number)) return 'token';
  }
  return code === 'BILLING_ERROR' ? 'billing' : null;
}

/** The rule by which a provider refused a message, in the reader's language; null where only its own words say it. */
export function providerRule(refusal: Refusal): string | null {
  const rule = ruleOf(refusal);
  return rule === null ? null : providerRuleWords.say(`rule_${rule}`);
}

/** Between a scenario's step and why it failed, as the service writes the note. */
const BETWEEN = ': ';

/**
 * What is told of why a person is asked for, besides the reason: the note, or, where a provider refused a message, the name
 * of the scenario's step and the rule. Behind it: the provider's own words.
 */
export function noteOf({
  reason,
  note,
  provider_code,
}: { reason: unknown } & Pick<Attention, 'note' | 'provider_code'>): {
  said: string | null;
  behind: string | null;
} {
  const rule = providerRule({ provider_code });
  if (isOfMessenger(reason)) return { said: rule, behind: note };
  if (rule === null) return { said: note, behind: null };
  const [step = '', ...words] = (note ?? '').split(BETWEEN);
  if (words.length === 0) return { said: rule, behind: note };
  const said = step === SCENARIO_UNDELIVERED ? rule : `${isolated(step)}${BETWEEN}${rule}`;
  return { said, behind: words.join(BETWEEN) };
}
