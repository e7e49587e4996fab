import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import { isRoot } from './run-user-resolver';

/**
 * The folder for files that the run user cannot reach in their usual place: `/var/lib/leadline` for root, because the
 * system cleans temporary folders and a cleaned cluster is broken; for others a folder below the system's temporary
 * folder.
 */
export function defaultPrivateCopy(): string {
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
 * Makes the folder of private copies. Others can pass through it; only we can write.
 * @throws EmbeddedPostgresError when another user has made a folder of that name
 */
export function openPrivateCopy(privateCopy: string): void {
  mkdirSync(privateCopy, { recursive: true, mode: 0o755 });
  const found = lstatSync(privateCopy);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError(`${privateCopy} belongs to another user: remove it and start again.`);
  }
  chmodSync(privateCopy, 0o755);
}
