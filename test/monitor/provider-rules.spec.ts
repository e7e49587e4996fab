import { explainGupshupError } from '@app/integrations/gupshup/gupshup-refusal-reader';
import { explainCloudError } from '@app/integrations/whatsapp-cloud/cloud-error-table';
import { providerRule } from '../../apps/monitor/src/shared/messages/provider-rule.format';

/** Beyond the greatest number of either provider. */
const END = 140_000;
const UNKNOWN = 'Nothing is known of it.';

/** The numbers that have a text of ours: of others the provider's own words are told. */
const explained = (explain: typeof explainCloudError): number[] =>
  Array.from({ length: END }, (_, number) => number).filter(
    (number) => explain(number, UNKNOWN).message !== UNKNOWN,
  );

it.each([
  ['the Cloud API', explainCloudError, 150],
  ['Gupshup', explainGupshupError, 60],
])('each number of %s that has a text has a rule on the page', (_provider, explain, least) => {
  const numbers = explained(explain);
  expect(numbers.length).toBeGreaterThan(least);
  const without = numbers.filter((number) => providerRule(explain(number, UNKNOWN)) === null);
  expect(without).toEqual([]);
});
