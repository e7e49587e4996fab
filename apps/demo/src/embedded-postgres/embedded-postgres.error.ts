/**
 * Why the embedded PostgreSQL could not start or stop, in one message fit to be shown to the person who
 * started us.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
