import type { SealedStepHeaders } from '@app/contracts/scenario.words';
import type { SecretCipher } from '../../accounts/secret-cipher.port';

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
