import { migrate, migrationStatus } from '@app/persistence/database/migration-runner';
import { createMissing } from '@app/persistence/database/missing-database';

/**
 * Brings the database's schema up to date. Processes that start at once wait for one another.
 * @returns the names of the migrations that this call ran.
 */
export const bringSchemaUpToDate = (databaseUrl: string): Promise<string[]> => migrate(databaseUrl);

/** Each migration of this release, and whether the database has it. */
export const schemaStatus = (databaseUrl: string): Promise<{ name: string; applied: boolean }[]> =>
  migrationStatus(databaseUrl);

/** Makes the database that an address names where there is none. Its user must be allowed to. */
export const createMissingDatabase = (databaseUrl: string): Promise<void> => createMissing(databaseUrl);
