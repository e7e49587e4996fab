import { CodedError } from '@app/contracts/coded.errors';

/** The database cannot be reached, is overloaded, or gave up waiting. The call changed nothing or may be repeated. */
export class DatabaseUnavailableError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 1;

  constructor(
    cause: unknown,
    message = 'The service cannot reach its database right now. Repeat the request in a moment.',
  ) {
    super(message, { cause });
  }
}

/** Another transaction held the row for longer than we wait, or was given precedence. The database itself is well. */
export class RowBusyError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(
      cause,
      'Another request holds the same dialog or setting right now. Repeat the request in a moment.',
    );
  }
}

interface PostgresError {
  code?: string;
  /** PostgreSQL's own errors have one; those of the driver and of Node have none. */
  severity?: string;
  message?: string;
  constraint?: string;
}

/** Deadlock and serialisation failure: the same statement succeeds at the next try, or the one after. */
const BROKEN_OFF = ['40P01', '40001'];

/** Of a prepared statement: a migration changed the types of its columns. */
const STALE_PLAN = '0A000';

const WORTH_ANOTHER_TRY = new Set([...BROKEN_OFF, STALE_PLAN]);

/** These, and a lock that was not obtained in time. */
const ROW_BUSY = new Set([...BROKEN_OFF, '55P03']);

/**
 * Statement time limit, cancelled by the administrator, too many connections, starting up, shutting down, out of disk
 * or memory, a primary that accepts no changes since it was demoted.
 */
const UNAVAILABLE = new Set([
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '53400',
  '25P03',
  '53100',
  '53200',
  '25006',
]);

/**
 * Of the network and its names, such as ECONNREFUSED and EAI_AGAIN, and of Node's TLS and streams. Node's other ERR_ codes
 * are errors of ours.
 */
const CONNECTION_ERROR = /^E(?!RR_)[A-Z_]+$|^ERR_(SSL|TLS|STREAM|SOCKET)_/;

/**
 * Messages of `pg` and `pg-pool` 8.23 for a lost connection, or one that could not be made; they have no code.
 * TypeORM says "already released" for a connection that was lost between two statements.
 */
const LOST_CONNECTION =
  /Connection terminated|was already released|runner already released|timeout exceeded when trying to connect|error establishing an SSL connection|Received unexpected \w+ message from backend|Client has encountered a connection error|not queryable|Query read timeout|Cannot use a pool after calling end/i;

/** Whether the statement changed nothing and may succeed when it is repeated. */
export function deservesAnotherTry(error: unknown): boolean {
  return WORTH_ANOTHER_TRY.has((error as PostgresError).code ?? '');
}

/** An UNAVAILABLE error where the database could not serve; any other error unchanged. */
export function refusalOf(error: unknown): unknown {
  const { code = '', message = '' } = error as PostgresError;
  if (ROW_BUSY.has(code)) return new RowBusyError(error);
  const couldNotServe =
    UNAVAILABLE.has(code) ||
    code.startsWith('08') ||
    CONNECTION_ERROR.test(code) ||
    LOST_CONNECTION.test(message);
  return couldNotServe ? new DatabaseUnavailableError(error) : error;
}

/** May be read only, as a standby; out of disk, or of what the user may have of it; in recovery, and lets nobody in. */
const REFUSES_CHANGES = new Set(['25006', '53100', '53400', '57P03']);

/** Whether the database is there and takes no changes, which may pass. */
export function refusesChanges(error: unknown): boolean {
  const answer = error instanceof DatabaseUnavailableError ? error.cause : error;
  return REFUSES_CHANGES.has((answer as PostgresError).code ?? '');
}

/**
 * Whether the statement certainly did nothing: PostgreSQL itself refused it. After any other error, such as one of
 * the connection or of our reading of the answer, the statement may be committed.
 * @param error as `refusalOf` returned it
 */
export function leftNothing(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return error instanceof RowBusyError;
  return (error as PostgresError).severity !== undefined;
}

/**
 * Whether PostgreSQL itself answered so, as where a statement or its wait for a lock took too long: then others may succeed.
 * @param error as `refusalOf` returned it
 */
export function isOfStatement(error: unknown): boolean {
  const answer = error instanceof DatabaseUnavailableError ? error.cause : error;
  return (answer as PostgresError).severity !== undefined;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** The unique index that refused a row; null for any other error. */
export const violatedIndex = (error: unknown): string | null => constraintOf(error, UNIQUE_VIOLATION);

/** Whether another statement took a unique value at the same moment. A new statement will see that row. */
export const isUniqueClash = (error: unknown): boolean => violatedIndex(error) !== null;

/** The foreign key that refused a row, because the referenced row does not exist; null for any other error. */
export const violatedReference = (error: unknown): string | null =>
  constraintOf(error, FOREIGN_KEY_VIOLATION);

function constraintOf(error: unknown, refused: string): string | null {
  const { code, constraint } = error as PostgresError;
  return code === refused ? (constraint ?? null) : null;
}
