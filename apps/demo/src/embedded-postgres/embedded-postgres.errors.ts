/** Why the embedded PostgreSQL could not start or stop, in one message for the person who started it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
