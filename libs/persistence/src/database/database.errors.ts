import { CodedError } from '@app/contracts/coded.error';

/** The database cannot be reached, is overloaded, or gave up waiting: the call changed nothing or may be repeated. */
export class DatabaseUnavailableError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 1;

  constructor(cause: unknown) {
    super('The service cannot reach its database right now. Repeat the request in a moment.', { cause });
  }
}

/** Another transaction held the row for longer than we wait; the database itself is well. */
export class RowBusyError extends DatabaseUnavailableError {}

interface PostgresError {
  code?: string;
  message?: string;
}

/** Deadlock, serialisation failure, a cached plan made stale by a migration: the same statement works the next time. */
const TRANSIENT = new Set(['40P01', '40001', '0A000']);

const LOCK_NOT_AVAILABLE = '55P03';

/** Lock and statement time limits, cancelled by the administrator, too many connections, starting up, shutting down. */
const UNAVAILABLE = new Set([
  LOCK_NOT_AVAILABLE,
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '53400',
  '25P03',
  '53100',
]);

/** Messages of `pg` and `pg-pool` 8.23 for a lost or never made connection; they carry no code. */
const LOST_CONNECTION =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout|Cannot use a pool after calling end/i;

export function isTransient(error: unknown): boolean {
  return TRANSIENT.has((error as PostgresError).code ?? '');
}

/** Whether an error says that the database could not serve, rather than that the statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  const { code = '', message = '' } = error as PostgresError;
  return (
    UNAVAILABLE.has(code) || code.startsWith('08') || /^E[A-Z]+$/.test(code) || LOST_CONNECTION.test(message)
  );
}

/** The refusal for an error that {@link isUnavailable} recognised. */
export function unavailable(error: unknown): DatabaseUnavailableError {
  return (error as PostgresError).code === LOCK_NOT_AVAILABLE
    ? new RowBusyError(error)
    : new DatabaseUnavailableError(error);
}
