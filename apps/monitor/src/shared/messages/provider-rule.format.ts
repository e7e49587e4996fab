import { providerRuleWords } from './provider-rule.words';

/** By the numbers of Meta and of Gupshup, as docs/integrators/sending.md tells them apart. */
const RULES = [
  ['window', [131047, 470, 1005]],
  ['number', [131026, 1002]],
  ['marketing', [131049, 130472]],
  ['stopped', [131050, 1012]],
  ['consent', [1006, 1007, 1008]],
  ['blocked', [130403]],
  ['country', [130497]],
  ['tester', [131030]],
  ['kind', [131051]],
  ['file', [131052, 131053, 1010, 1011]],
  ['templateMissing', [132001, 4003]],
  ['templateValues', [132000, 132008, 132012, 132018]],
  ['templateLong', [132005]],
  ['templatePolicy', [132007]],
  ['templatePaused', [132015, 4005]],
  ['templateDisabled', [132016, 1004]],
  ['values', [100, 131008, 131009, 135000, 1009]],
  ['fast', [4, 17, 613, 80007, 130429, 429, 4001]],
  ['pair', [131056]],
  ['restricted', [131048, 131064, 471]],
  ['locked', [131031, 368]],
  ['token', [0, 3, 10, 33, 104, 190, 131005, 131037, 131045, 133010]],
  ['billing', [402, 131042, 131044, 1003]],
  ['later', [2, 500, 131000, 131016, 131057, 133004, 4002]],
] as const satisfies readonly [string, readonly number[]][];

interface Refusal {
  code: string;
  provider_code: number | null;
}

/** The rule by which a provider refused a message, in the reader's language; null where only its own words say it. */
export function providerRule({ code, provider_code: number }: Refusal): string | null {
  const known = RULES.find(
    ([, numbers]) => number !== null && (numbers as readonly number[]).includes(number),
  );
  const rule = known?.[0] ?? (code === 'BILLING_ERROR' ? 'billing' : null);
  return rule === null ? null : providerRuleWords.say(`rule_${rule}`);
}
