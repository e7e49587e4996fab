import { linkSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import { runningSince } from './process-identity';

/** The right of one running process to start and stop the PostgreSQL of a folder. */
export interface OwnerLock {
  /** Releases the lock. Safe to call twice. */
  release(): void;
}

interface Owner {
  pid: number;
  since: string;
  /** The folder's inode: a lock that was copied together with its folder does not count. */
  folder: number;
}

const NAME = /^owner\.(\d+)$/;

/**
 * Takes the lock of a folder. The lock names its holder by pid and start time, so a killed holder does not block. It
 * is a row of numbered files: the highest number counts and is never removed. A single file that is replaced could be
 * taken over by two processes that both saw the same dead holder.
 * @throws EmbeddedPostgresError when a running process, this one included, holds it
 */
export function acquireOwnerLock(folder: string): OwnerLock {
  const since = runningSince(process.pid) ?? '';
  const draft = join(folder, `.owner-${randomUUID()}`);
  const me: Owner = { pid: process.pid, since, folder: statSync(folder).ino };
  writeFileSync(draft, JSON.stringify(me), { mode: 0o644 });
  try {
    for (;;) {
      const highest = generations(folder).at(-1) ?? 0;
      const owner = readOwner(folder, highest);
      if (owner) throw new EmbeddedPostgresError(refusal(folder, owner.pid));
      const mine = highest + 1;
      if (!linked(draft, join(folder, `owner.${mine}`))) continue;
      // A slow process can create a number that a newer holder has already removed. The higher number wins.
      if (generations(folder).at(-1) !== mine) {
        rmSync(join(folder, `owner.${mine}`), { force: true });
        continue;
      }
      for (const older of generations(folder)) {
        if (older < mine) rmSync(join(folder, `owner.${older}`), { force: true });
      }
      return releasable(folder, mine);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function releasable(folder: string, mine: number): OwnerLock {
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      try {
        const draft = join(folder, `.owner-${randomUUID()}`);
        writeFileSync(draft, '{}');
        renameSync(draft, join(folder, `owner.${mine}`));
      } catch (error) {
        // The whole folder was removed, so nothing is locked.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    },
  };
}

function generations(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => Number(NAME.exec(name)?.[1] ?? 0))
    .filter((generation) => generation > 0)
    .sort((a, b) => a - b);
}

function readOwner(folder: string, generation: number): Owner | undefined {
  try {
    const owner = JSON.parse(readFileSync(join(folder, `owner.${generation}`), 'utf8')) as Partial<Owner>;
    if (owner.pid === undefined || owner.folder !== statSync(folder).ino) return undefined;
    return runningSince(owner.pid) === owner.since ? (owner as Owner) : undefined;
  } catch {
    // Removed by a newer holder, or torn by a power cut. The file of a running holder is always complete.
    return undefined;
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function refusal(folder: string, pid: number): string {
  return (
    `The database in ${folder} is in use by another running Leadline (pid ${pid}): stop that process ` +
    `(kill ${pid}) or give this one another DATA_DIR.`
  );
}
