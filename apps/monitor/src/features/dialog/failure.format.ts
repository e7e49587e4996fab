import type { ListedMessage } from '@app/client/message.store';

/** What helps against a failure. */
type FailureHelp =
  | 'window'
  | 'number'
  | 'marketing'
  | 'stopped'
  | 'template'
  | 'values'
  | 'fast'
  | 'token'
  | 'billing'
  | 'later';

/** By the numbers of Meta and of Gupshup, as docs/integrators/sending.md tells them apart. */
const HELP: [FailureHelp, readonly number[]][] = [
  ['window', [131047, 470]],
  ['number', [131026, 1002]],
  ['marketing', [131049, 130472]],
  ['stopped', [131050, 1012]],
  ['template', [132001, 132007, 132015, 132016]],
  ['values', [100, 131008, 131009, 132000, 132005, 132012, 132018]],
  ['fast', [130429, 131056, 80007, 429]],
  ['token', [0, 3, 10, 190, 131005, 131031, 368]],
  ['billing', [402, 131042, 1003]],
  ['later', [131000, 131016, 131057]],
];

/** Null where only the provider's own words help. */
export function failureHelp(error: NonNullable<ListedMessage['error']>): FailureHelp | null {
  const { code, provider_code: number } = error;
  const known = HELP.find(([, numbers]) => number !== null && numbers.includes(number));
  if (known) return known[0];
  return code === 'BILLING_ERROR' ? 'billing' : null;
}
