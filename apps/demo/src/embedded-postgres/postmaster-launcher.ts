import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryConnection } from './database-connection';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import { freePort } from './loopback-port';
import {
  endPostmaster,
  findPostmaster,
  isAlive,
  readPidFile,
  removePidFile,
  spawnPostmaster,
  sweepLeftovers,
  type Postmaster,
  type PostmasterSettings,
} from './postmaster-process';
import { writeWhole } from './whole-file-writer';

/** What is known about a cluster before its port is chosen. */
export interface LaunchSettings extends Omit<PostmasterSettings, 'port' | 'logFile'> {
  /** Our folder for the log and the remembered port. */
  control: string;
  password: string;
  /** Undefined: the port of the last run, or any free one. */
  port: number | undefined;
  log: (line: string) => void;
}

// Recovery after a crash can take long. PostgreSQL refuses connections meanwhile.
const READY_MS = 120_000;
const ORPHAN_MS = 120_000;
const ATTEMPTS = 10;
const LOOK_AGAIN_MS = 15;
const WRONG_PASSWORD = new Set(['28P01', '28000']);

/**
 * The postmaster that a killed owner left running, as soon as it answers. Undefined when there is none; its remains
 * are then removed.
 * @throws EmbeddedPostgresError when a postmaster lives that refuses our password, or is neither up nor gone in time
 */
export async function adoptOrphan({ data, password, log }: LaunchSettings): Promise<Postmaster | undefined> {
  const deadline = performance.now() + ORPHAN_MS;
  for (;;) {
    const orphan = findPostmaster(data);
    if (!orphan) {
      const pid = readPidFile(data)?.pid;
      await sweepLeftovers(data);
      if (findPostmaster(data)) continue;
      if (pid !== undefined) log(`Removed a stale postmaster.pid (pid ${pid})`);
      removePidFile(data);
      return undefined;
    }
    const failure = orphan.port === 0 ? 'no port yet' : await tryConnection(orphan.port, password);
    if (failure === undefined) {
      log(`Adopted the running PostgreSQL with pid ${orphan.pid}`);
      return orphan;
    }
    if (WRONG_PASSWORD.has(failure) || performance.now() > deadline) {
      throw new EmbeddedPostgresError(
        `A PostgreSQL (pid ${orphan.pid}) runs on ${data} and does not let us in (${failure}): stop it ` +
          `by kill -INT ${orphan.pid} and start again.`,
      );
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/**
 * Starts a postmaster and waits until it accepts connections. When its port was taken meanwhile, it tries another.
 * @throws EmbeddedPostgresError with the last lines of its log
 */
export async function launchPostmaster(settings: LaunchSettings): Promise<Postmaster> {
  const { control, log } = settings;
  const logFile = join(control, 'postgres.log');
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.1`);
  let failure = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const port = await choosePort(settings, attempt);
    const from = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const postmaster = await spawnPostmaster({ ...settings, port, logFile });
    if (await becomesReady(postmaster, settings)) {
      writeWhole(join(control, 'port'), `${port}\n`);
      return postmaster;
    }
    failure = readFileSync(logFile).subarray(from).toString();
    if (/could not bind|Address already in use/.test(failure)) {
      if (settings.port !== undefined) throw new EmbeddedPostgresError(taken(port));
      log(`Port ${port} was taken meanwhile: trying another`);
    } else if (/postmaster\.pid" already exists|pre-existing shared memory block/.test(failure)) {
      // The children of a killed postmaster, or a postmaster that was still starting when we checked.
      const orphan = await adoptOrphan(settings);
      if (orphan) return orphan;
      await sleep(attempt * 100);
    } else {
      break;
    }
  }
  throw new EmbeddedPostgresError(`PostgreSQL did not start (log: ${logFile}): ${lastLines(failure)}`);
}

/** @returns false when it died */
async function becomesReady(postmaster: Postmaster, { data, password }: LaunchSettings): Promise<boolean> {
  const deadline = performance.now() + READY_MS;
  while (isAlive(postmaster)) {
    // Another server may answer on the port. Ours answers only after the pid file is its own.
    const own = readPidFile(data)?.pid === postmaster.pid;
    const failure = own ? await tryConnection(postmaster.port, password) : 'starting';
    if (failure === undefined && isAlive(postmaster)) return true;
    if (WRONG_PASSWORD.has(failure ?? '') || performance.now() > deadline) {
      await endPostmaster(postmaster);
      throw new EmbeddedPostgresError(`PostgreSQL on ${data} started but does not let us in (${failure}).`);
    }
    await sleep(LOOK_AGAIN_MS);
  }
  return false;
}

async function choosePort({ control, port }: LaunchSettings, attempt: number): Promise<number> {
  if (port !== undefined) {
    if ((await freePort(port)) === undefined) throw new EmbeddedPostgresError(taken(port));
    return port;
  }
  const remembered = attempt === 1 ? await freePort(rememberedPort(control)) : undefined;
  const chosen = remembered ?? (await freePort(0));
  if (chosen === undefined) throw new EmbeddedPostgresError('There is no free port on 127.0.0.1.');
  return chosen;
}

function rememberedPort(control: string): number {
  try {
    const port = Number(readFileSync(join(control, 'port'), 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
  } catch {
    return 0;
  }
}

function taken(port: number): string {
  return (
    `Port ${port} on 127.0.0.1 is in use by another program: stop it or choose another port for the ` +
    'database.'
  );
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join(' | ').slice(-600) || 'it wrote nothing';
}
