import type { RecipientResult } from '@app/client/api-types';
import i18next from 'i18next';
import { resultCsv } from './outcome.view';
import { reasonOf, ruleOf } from './results.view';

const failed = (given: Partial<RecipientResult>): RecipientResult => ({
  ...{ id: 'm1', index: 0, message_id: 'wamid.1', ok: false, phone: '+77010000001', status: 'failed' },
  ...{ thread_id: 'thread_1', error: 'PROVIDER_ERROR', message: 'Check the phone.' },
  ...given,
});
const RULE = 'Мессенджер не может доставить на этот номер: проверьте его или свяжитесь с клиентом иначе.';

describe('why a message did not arrive', () => {
  beforeAll(() => void i18next.init({ lng: 'ru', fallbackLng: false, resources: {}, initAsync: false }));

  it('is the provider’s rule, also where a webhook told of it after the provider had taken the message', () => {
    const late = failed({ provider_code: 131026, provider_response: null });
    expect(ruleOf(late)).toBe(RULE);
    expect(reasonOf(late)).toBe(`${RULE} Check the phone.`);
  });

  it('is the provider’s rule in the file of results, its words behind it', () => {
    expect(resultCsv([failed({ provider_code: 131026 })])).toContain(`${RULE} Check the phone.`);
  });

  it('is no rule where the provider named no number, nor where nobody knows', () => {
    expect(ruleOf(failed({ provider_code: null }))).toBeNull();
    expect(ruleOf(failed({ status: 'unknown', provider_code: 131026 }))).toBeNull();
    expect(ruleOf(failed({ error: 'DUPLICATE' }))).toBeNull();
  });
});
