import { setTimeout as sleep } from 'node:timers/promises';
import {
  DatabaseUnavailableError,
  refusalOf,
  refusesChanges,
} from '@app/persistence/database/database.errors';
import {
  migrate,
  migrationStatus,
  requireWritable,
  createMissing,
} from '@app/persistence/database/migration-runner';

/**
 * Brings the database's schema up to date. Processes that start at once wait for one another.
 * @returns the names of the migrations that this call ran.
 */
export const bringSchemaUpToDate = (databaseUrl: string): Promise<string[]> => migrate(databaseUrl);

const LOOK_AGAIN_MS = 500;

/**
 * {@link bringSchemaUpToDate}, as soon as the database can be written: until then it may be a standby, read-only, in
 * recovery or out of disk.
 * @param onWait called once, where it has to wait
 */
export async function bringSchemaUpToDateOnceWritable(
  databaseUrl: string,
  onWait: (reason: Error) => Promise<void>,
): Promise<void> {
  for (let waits = false; ; await sleep(LOOK_AGAIN_MS)) {
    try {
      await requireWritable(databaseUrl);
      await migrate(databaseUrl);
      return;
    } catch (error) {
      // Once it waits, an outage may pass, too: so it goes when the address comes to lead to another server.
      const mayPass = waits && refusalOf(error) instanceof DatabaseUnavailableError;
      if (!refusesChanges(error) && !mayPass) throw error;
      if (!waits) await onWait(error as Error);
      waits = true;
    }
  }
}

/** Each migration of this release, and whether the database has it. */
export const schemaStatus = (databaseUrl: string): Promise<{ name: string; applied: boolean }[]> =>
  migrationStatus(databaseUrl);

/** Makes the database that an address names where there is none. Its user must be allowed to. */
export const createMissingDatabase = (databaseUrl: string): Promise<void> => createMissing(databaseUrl);
