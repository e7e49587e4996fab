import type { SecretCipher } from '../../accounts/secret-cipher.port';
import { openSecrets } from './endpoint-secrets';

/** Opens what was sealed with the key `new`, for its endpoint. */
const cipher = {
  open: (keyId: string, sealed: Buffer, bound: string): string => {
    if (keyId !== 'new' || bound !== 'account/webhook_endpoint/endpoint/secret') throw new Error('sealed');
    return sealed.toString();
  },
} as SecretCipher;

const sealed = (keyId: string, formerKeyId: string | null) => ({
  ...{ account_id: 'account', id: 'endpoint', key_id: keyId, secret: Buffer.from('present') },
  ...{ former_key_id: formerKeyId, former_secret: formerKeyId === null ? null : Buffer.from('former') },
});

describe('The secrets that sign', () => {
  it('are the present one and, as long as it counts, the former', () => {
    expect(openSecrets(cipher, sealed('new', null), false)).toEqual(['present']);
    expect(openSecrets(cipher, sealed('new', 'new'), true)).toEqual(['present', 'former']);
    expect(openSecrets(cipher, sealed('new', 'new'), false)).toEqual(['present']);
  });

  it('are the present one alone where the former was sealed with another key: so rotating helps', () => {
    expect(openSecrets(cipher, sealed('new', 'old'), true)).toEqual(['present']);
  });

  it('are none where the present one was sealed with another key', () => {
    expect(() => openSecrets(cipher, sealed('old', null), false)).toThrow('sealed');
  });
});
