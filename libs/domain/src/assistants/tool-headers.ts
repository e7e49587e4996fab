import type { SealedHeaders } from '@app/persistence/assistants/assistant-tool.repository';
import type { SecretCipher } from '../accounts/secret-cipher.port';

/** The owner of a tool's sealed headers. They cannot be opened for another tool. */
const boundTo = (accountId: string, toolId: string): string => `${accountId}/tool/${toolId}`;

/** Seals names and values as one text. */
export function sealHeaders(
  cipher: SecretCipher,
  accountId: string,
  toolId: string,
  headers: Readonly<Record<string, string>>,
): SealedHeaders {
  const names = Object.keys(headers);
  if (names.length === 0) return { names, sealed: null };
  return { names, sealed: cipher.seal(JSON.stringify(headers), boundTo(accountId, toolId)) };
}

/**
 * @throws Error when they were sealed with another key, or for another tool.
 */
export function openHeaders(
  cipher: SecretCipher,
  accountId: string,
  {
    id,
    headers_key_id: keyId,
    headers,
  }: { id: string; headers_key_id: string | null; headers: Buffer | null },
): Record<string, string> {
  if (keyId === null || headers === null) return {};
  return JSON.parse(cipher.open(keyId, headers, boundTo(accountId, id))) as Record<string, string>;
}
