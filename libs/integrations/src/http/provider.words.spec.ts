import { explainGupshupError } from '../gupshup/gupshup-refusal-reader';
import { explainCloudError } from '../whatsapp-cloud/cloud-error-table';
import { errorCodeOf } from './provider.words';

describe('the error tables', () => {
  it('name a paying problem and an opt-out by their codes, at Meta and through Gupshup', () => {
    expect(explainCloudError(131042, 'x')).toMatchObject({ code: 'BILLING_ERROR', provider_code: 131042 });
    expect(explainGupshupError('131042', 'x')).toMatchObject({
      code: 'BILLING_ERROR',
      provider_code: 131042,
    });
    expect(explainGupshupError(1003, 'Check your wallet balance')).toMatchObject({ code: 'BILLING_ERROR' });
    expect(explainCloudError(131050, 'x')).toMatchObject({ code: 'PROVIDER_ERROR', optedOut: true });
    expect(explainGupshupError(131050, 'x')).toMatchObject({ optedOut: true });
    expect(explainGupshupError(1012, 'x')).toMatchObject({ optedOut: true });
    expect(explainCloudError(131026, 'x')).toMatchObject({ code: 'PROVIDER_ERROR', optedOut: false });
  });

  it('quote the provider where the code alone is not enough, and only its own words for an unknown code', () => {
    expect(explainCloudError(132000, 'body: 1 instead of 2').message).toMatch(
      /variable: body: 1 instead of 2$/,
    );
    expect(explainCloudError(132000, '').message).toMatch(/variable\.$/);
    expect(explainCloudError(131047, 'Re-engagement message').message).toMatch(/send a template instead\.$/);
    expect(explainCloudError(999999, 'Something new').message).toBe('Something new');
    expect(explainCloudError(250, 'x').message).toBe(explainCloudError(10, 'x').message);
    expect(explainGupshupError('ABC', 'Odd')).toMatchObject({ provider_code: null, message: 'Odd' });
    expect(explainGupshupError(7, '')).toMatchObject({ message: 'The provider gave no reason.' });
  });

  it('give only what can be stored', () => {
    const { message } = explainCloudError(999999, `a\u0000b\ud800${'x'.repeat(10_000)}`);
    expect(message).toMatch(/^ab\ufffdx/);
    expect(message.length).toBeLessThanOrEqual(500);
    const codes = [1, '470', 0, -1, 1.5, 3e9, '99999999999', Number.NaN, null, {}, '', '1e3'];
    expect(codes.map(errorCodeOf)).toEqual([1, 470, 0, ...Array<null>(9).fill(null)]);
  });
});
