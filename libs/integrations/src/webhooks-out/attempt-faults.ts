import type { AttemptFault } from '@app/contracts/webhook.words';
import { AddressRefusedError, NameUnknownError } from '../http-tools/guarded-lookup';

/** By the codes of Node and undici. */
const BY_CODE: Readonly<Record<string, AttemptFault>> = {
  ...{ ECONNREFUSED: 'refused', ECONNRESET: 'reset', EPIPE: 'reset', UND_ERR_SOCKET: 'reset' },
  ...{ EHOSTUNREACH: 'unreachable', ENETUNREACH: 'unreachable', ETIMEDOUT: 'unreachable' },
  ...{ UND_ERR_CONNECT_TIMEOUT: 'unreachable', EPROTO: 'tls' },
};
/** OpenSSL has some thirty codes for certificates. */
const OF_CERTIFICATES = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$/;
const OF_TLS = /^ERR_(?:SSL|TLS)_/;

/** What a connection failed by. */
export function faultOfConnection(error: unknown): AttemptFault {
  if (error instanceof AddressRefusedError) return 'name_address';
  if (error instanceof NameUnknownError) return 'name_unknown';
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'connection';
  if (OF_CERTIFICATES.test(code)) return 'certificate';
  if (OF_TLS.test(code)) return 'tls';
  return BY_CODE[code] ?? 'connection';
}
