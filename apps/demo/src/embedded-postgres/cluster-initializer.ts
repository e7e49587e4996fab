import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ClusterLocation } from './cluster-location';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import type { PostgresBinaries } from './postgres-binaries-locator';
import { spawnSettings } from './run-user-resolver';

/** The superuser of every cluster we make, and the name of its database. */
export const LEADLINE = 'leadline';

const HALF_MADE = 'initializing-';
const PASSWORD = 'password';
const FIRST_WITH_BUILTIN_LOCALE = 17;

/**
 * Makes the cluster if it is missing and returns its password. It is made in another folder and renamed when
 * complete, so an interrupted initdb leaves only a folder that the next start removes.
 * @param durable false: nothing is flushed to disk, for throwaway clusters
 * @throws EmbeddedPostgresError when initdb fails, or the cluster is of another major version than the programs
 */
export async function prepareCluster(
  location: ClusterLocation,
  binaries: PostgresBinaries,
  durable: boolean,
): Promise<string> {
  sweepHalfMade(location.home);
  if (!existsSync(location.cluster)) await makeCluster(location, binaries, durable);
  const major = Number(readFileSync(join(location.data, 'PG_VERSION'), 'utf8'));
  if (major !== binaries.major) {
    throw new EmbeddedPostgresError(
      `The database in ${location.data} is of PostgreSQL ${major}, the installed programs are ` +
        `${binaries.major}: use PostgreSQL ${major}, or another DATA_DIR.`,
    );
  }
  return readFileSync(join(location.cluster, PASSWORD), 'utf8').trim();
}

async function makeCluster(
  { home, cluster, user }: ClusterLocation,
  binaries: PostgresBinaries,
  durable: boolean,
): Promise<void> {
  const draft = join(home, `${HALF_MADE}${randomUUID()}`);
  const password = join(draft, PASSWORD);
  mkdirSync(draft, { mode: 0o700 });
  // A cluster's parent must be closed to others, whatever our umask is.
  chmodSync(draft, 0o700);
  writeFileSync(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: durable });
  if (user) for (const path of [password, draft]) chownSync(path, user.uid, user.gid);
  try {
    await runInitdb(binaries.initdb, user, [
      ...[`--pgdata=${join(draft, 'data')}`, `--username=${LEADLINE}`, `--pwfile=${password}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions'],
      ...(binaries.major >= FIRST_WITH_BUILTIN_LOCALE
        ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
        : []),
      ...(durable ? [] : ['--no-sync']),
    ]);
    renameSync(draft, cluster);
    if (durable) flushFolder(home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

function runInitdb(program: string, user: ClusterLocation['user'], args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...spawnSettings(user),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const listen = (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000));
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('error', (error) =>
      reject(new EmbeddedPostgresError(`initdb (${program}) did not start: ${error.message}`)),
    );
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const last = said.trim().split('\n').slice(-4).join(' | ');
      reject(new EmbeddedPostgresError(`initdb failed (${signal ?? `exit code ${code}`}): ${last}`));
    });
  });
}

function sweepHalfMade(home: string): void {
  for (const name of readdirSync(home).filter((entry) => entry.startsWith(HALF_MADE))) {
    try {
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    } catch (error) {
      // An initdb that outlived its killed starter is still writing there. The folder does no harm.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
