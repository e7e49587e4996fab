import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
  mkdirSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import { LEADLINE, prepareCluster } from './cluster-initializer';
import { locateCluster } from './cluster-location';
import { databaseUrl, ensureDatabase } from './database-connection';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import { locateBinaries } from './postgres-binaries-locator';
import { adoptOrphan, launchPostmaster, type LaunchSettings } from './postmaster-launcher';
import { endPostmaster, untilGone, type Postmaster } from './postmaster-process';
import { defaultPrivateCopy } from './private-copy-folder';
import { runningSince } from './process-identity';
import { isRoot } from './run-user-resolver';

export { EmbeddedPostgresError } from './embedded-postgres.errors';

/** How to run the embedded PostgreSQL. */
export interface EmbeddedPostgresOptions {
  /** The folder `postgres` below it holds the cluster, its log and its lock. It is created if missing. */
  dataDir: string;
  /** A TCP port on 127.0.0.1. Default: the port of the last run if it is free, else any free one. */
  port?: number;
  /** False: nothing is flushed to disk, for tests. Commits stay synchronous. Default true. */
  durable?: boolean;
  /** A folder with `bin/initdb` and `bin/postgres`. Default: the programs of the installed package. */
  binaries?: string;
  /**
   * Where the cluster and a copy of the programs go when PostgreSQL's user cannot enter the usual folders, as when
   * root runs the demo below a closed home. Default: `/var/lib/leadline` for root, else below the temporary folder.
   */
  privateCopy?: string;
  /** Gets a line for each unusual step of the launcher. PostgreSQL's lines go to `postgres.log`. */
  log?: (line: string) => void;
}

/** A running PostgreSQL that this process owns. */
export interface EmbeddedPostgres {
  /** The address of the database `leadline`, with its password. */
  url: string;
  /** The superuser's address of any database of the cluster, to create and drop databases. */
  adminUrl(database: string): string;
  /** Whether an owner that was killed had left it running. */
  adopted: boolean;
  /**
   * Ends it by a fast shutdown, which closes open connections, and releases the data directory. It may be called
   * repeatedly.
   * @throws EmbeddedPostgresError when it does not end within 70 s
   */
  stop(): Promise<void>;
  /** Resolves when PostgreSQL ends without our stop; never after a stop. */
  exited: Promise<void>;
}

/**
 * Starts PostgreSQL on a data directory, or adopts one that a killed owner left running there. PostgreSQL outlives a
 * killed owner on purpose: the next start adopts it. The caller handles signals.
 * @throws EmbeddedPostgresError when another running process owns the data directory, or PostgreSQL cannot run here
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const control = openControlFolder(options.dataDir);
  const lock = acquireOwnerLock(control);
  try {
    const log = options.log ?? (() => undefined);
    const privateCopy = options.privateCopy ?? defaultPrivateCopy();
    const location = await locateCluster(control, privateCopy, log);
    const durable = options.durable ?? true;
    const binaries = locateBinaries(options.binaries, location.user, privateCopy);
    const password = await prepareCluster(location, binaries, durable);
    const settings: LaunchSettings = {
      program: binaries.postgres,
      ...{ data: realpathSync(location.data), user: location.user },
      ...{ control, password, durable, port: options.port, log },
    };
    const orphan = await adoptable(settings);
    const postmaster = orphan ?? (await launchPostmaster(settings));
    return await own(postmaster, password, lock, orphan !== undefined);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openControlFolder(dataDir: string): string {
  const folder = join(dataDir, 'postgres');
  mkdirSync(folder, { recursive: true });
  // Root's folder must let PostgreSQL's user reach the cluster, whatever our umask is.
  if (isRoot()) chmodSync(folder, 0o711);
  return realpathSync(folder);
}

async function adoptable(settings: LaunchSettings): Promise<Postmaster | undefined> {
  const orphan = await adoptOrphan(settings);
  if (!orphan || settings.port === undefined || settings.port === orphan.port) return orphan;
  await endPostmaster(orphan);
  return undefined;
}

async function own(
  postmaster: Postmaster,
  password: string,
  lock: OwnerLock,
  adopted: boolean,
): Promise<EmbeddedPostgres> {
  try {
    await ensureDatabase(postmaster.port, password, LEADLINE);
  } catch (error) {
    await endPostmaster(postmaster);
    throw error;
  }
  let stopping: Promise<void> | undefined;
  const exited = new Promise<void>((resolve) => {
    void untilGone(postmaster).then(() => {
      if (!stopping) resolve();
    });
  });
  return {
    url: databaseUrl(postmaster.port, password, LEADLINE),
    adminUrl: (database) => databaseUrl(postmaster.port, password, database),
    adopted,
    exited,
    stop: () => (stopping ??= endPostmaster(postmaster).then(() => lock.release())),
  };
}

/** The right of one running process to start and stop the PostgreSQL of a folder. */
interface OwnerLock {
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
function acquireOwnerLock(folder: string): OwnerLock {
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
