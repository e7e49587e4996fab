import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.error';
import { isRoot } from './run-user.resolver';

/**
 * The folder for what the run user cannot reach where it lies: `/var/lib/leadline` for root, because temporary folders
 * are swept by the system and a swept cluster is a broken one; else one below the system's temporary folder.
 */
export function defaultShelter(): string {
  if (isRoot() && existsSync('/var/lib')) {
    try {
      accessSync('/var/lib', constants.W_OK);
      return '/var/lib/leadline';
    } catch {
      // A read-only system.
    }
  }
  return join(tmpdir(), `leadline-${process.getuid?.() ?? 0}`);
}

/**
 * Makes the shelter so that others can pass through and only we can write.
 * @throws EmbeddedPostgresError when somebody else has made a folder of that name
 */
export function openShelter(shelter: string): void {
  mkdirSync(shelter, { recursive: true, mode: 0o755 });
  const found = lstatSync(shelter);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError(`${shelter} belongs to another user: remove it and start again.`);
  }
  chmodSync(shelter, 0o755);
}
