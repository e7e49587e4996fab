import { migrate, migrationStatus } from '@app/persistence/database/migration.runner';

/**
 * Brings the database's schema up to date. Processes that start at once wait for one another.
 * @returns the names of the migrations that this call ran.
 */
export const bringSchemaUpToDate = (databaseUrl: string): Promise<string[]> => migrate(databaseUrl);

/** Each migration of this release, and whether the database has it. */
export const schemaStatus = (databaseUrl: string): Promise<{ name: string; applied: boolean }[]> =>
  migrationStatus(databaseUrl);
