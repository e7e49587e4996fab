import { CodedError, StartError } from '@app/contracts/coded.errors';

/** Errors of a name lookup when the name has no address, or no name server answers. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const UNREACHABLE = new Set([
  ...NO_SUCH_NAME,
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/** Errors with which PostgreSQL refuses a connection, by SQLSTATE, and the remedies. */
const REMEDIES: Record<string, string> = {
  '28P01': 'check the user and password in DATABASE_URL',
  '28000': 'check the user and password in DATABASE_URL, and that pg_hba.conf lets them in from here',
  '3D000': 'create it, or correct its name in DATABASE_URL',
  '42501': 'make the user in DATABASE_URL the owner of the database',
  '53100': 'make room on its disk',
  '53400': 'raise temp_file_limit of its user',
  '53300': 'close other connections, or raise max_connections',
  '57P03': 'wait until PostgreSQL is up',
};

/** Of a database that takes no changes for the time being; a process waits for it, a command does not. */
const READ_ONLY = '25006';

/** The driver's message, without a code, for a server that refuses TLS. */
const NO_TLS = 'The server does not support SSL connections';

/** The driver's message, and its pool's, without a code, for a server that takes a connection and does not answer. */
const TIME_LIMIT =
  /^(timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/;

/** Node's codes for a database certificate that TLS does not accept. */
const CERTIFICATE = /CERT|^UNABLE_TO_VERIFY/;

type StartFailure = NodeJS.ErrnoException & { hostname?: string };

/** Errors of the address to listen on. */
function explainListening(
  { code = '', syscall, hostname }: StartFailure,
  { port, host }: { port: number; host: string },
): string | undefined {
  if (code === 'EADDRINUSE') {
    return `PORT ${port} is already in use: stop the other program or choose another PORT.`;
  }
  if (code === 'EACCES' && syscall === 'listen') {
    return `PORT ${port} may not be opened by this user: choose one above 1023.`;
  }
  if (code === 'EADDRNOTAVAIL' || (NO_SUCH_NAME.has(code) && hostname === host) || syscall === 'listen') {
    return `HOST ${host} is no address of this machine.`;
  }
  return undefined;
}

/** A cause that a person can remove, as one line. `settings` are those of a process that listens. */
export function explainStart(error: unknown, settings?: { port: number; host: string }): string {
  const failure = (error instanceof CodedError ? (error.cause ?? error) : error) as StartFailure;
  const { code = '', message } = failure;
  const listening = settings && explainListening(failure, settings);
  if (listening) return listening;
  if (error instanceof StartError) return message;
  if (code === READ_ONLY)
    return 'The database that DATABASE_URL names cannot be written: it is a standby, or read-only.';
  const isSilent = TIME_LIMIT.test(message);
  if (UNREACHABLE.has(code) || isSilent) {
    const inPassword = NO_SUCH_NAME.has(code)
      ? '; special characters of its password must be percent-encoded'
      : '';
    return `The database that DATABASE_URL names cannot be reached (${isSilent ? 'no answer in time' : code}): check its host and port, and that PostgreSQL runs there${inPassword}.`;
  }
  if (CERTIFICATE.test(code))
    return `The database that DATABASE_URL names shows a certificate that is refused (${code}): it must be valid, made for the host in DATABASE_URL, and signed by a known authority or by the one in the file that sslrootcert= names there.`;
  const remedy =
    message === NO_TLS ? 'switch ssl on in PostgreSQL, or take sslmode out of DATABASE_URL' : REMEDIES[code];
  if (remedy) return `The database that DATABASE_URL names refuses: ${message}. To mend it, ${remedy}.`;
  return `${settings ? 'The service could not start' : 'The command failed'}: ${message || code}`;
}
