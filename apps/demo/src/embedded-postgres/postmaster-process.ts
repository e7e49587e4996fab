import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import { isStillAlive, runningSince, processesIn, worksInFolder } from './process-identity';
import { spawnSettings, type RunUser } from './run-user-resolver';

/** A running or former postmaster. */
export interface Postmaster {
  pid: number;
  /** See {@link runningSince}: excludes a later process with the same pid. */
  since: string;
  port: number;
}

/** How a postmaster is started. */
export interface PostmasterSettings {
  program: string;
  data: string;
  user: RunUser | undefined;
  port: number;
  durable: boolean;
  /** The file for PostgreSQL's output. A pipe would break when this process is killed. */
  logFile: string;
}

const FAST_SHUTDOWN_MS = 60_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;
const LEFTOVERS_MS = 5_000;
const LOOK_AGAIN_MS = 15;
const WATCH_MS = 250;

/**
 * Starts a postmaster without waiting for it to be ready. It leads a new session, so a terminal's Ctrl-C does not
 * reach it, and it outlives this process.
 * @throws EmbeddedPostgresError when the program cannot be executed
 */
export async function spawnPostmaster(settings: PostmasterSettings): Promise<Postmaster> {
  const { program, data, port, logFile } = settings;
  const logTo = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(program, ['-D', data, ...configuration(settings)], {
      ...spawnSettings(settings.user),
      detached: true,
      stdio: ['ignore', logTo, logTo],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        reject(new EmbeddedPostgresError(`PostgreSQL (${program}) did not start: ${error.message}`));
      });
    });
    child.unref();
    const pid = child.pid ?? 0;
    return { pid, since: runningSince(pid) ?? '', port };
  } finally {
    closeSync(logTo);
  }
}

function configuration({ port, durable }: PostmasterSettings): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    // A cluster for tests serves the processes of several tests at once.
    max_connections: durable ? 200 : 400,
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_checkpoints: 'off',
    jit: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The content of `postmaster.pid`. Numbers that are not written yet are 0. */
interface PidFile {
  pid: number;
  dataDirectory: string;
  port: number;
}

/** Reads the pid file of a data directory; undefined when there is none. */
export function readPidFile(data: string): PidFile | undefined {
  try {
    const [pid, dataDirectory, , port] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(pid) || 0, dataDirectory: dataDirectory ?? '', port: Number(port) || 0 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The running postmaster of exactly this data directory; undefined when its pid file names no process or another
 * program.
 */
export function findPostmaster(data: string): Postmaster | undefined {
  const file = readPidFile(data);
  const since = file && runningSince(file.pid);
  if (!file || since === undefined) return undefined;
  return samePath(file.dataDirectory, data) && worksInFolder(file.pid, data)
    ? { pid: file.pid, since, port: file.port }
    : undefined;
}

function samePath(written: string, data: string): boolean {
  try {
    return realpathSync(written) === data;
  } catch {
    return false;
  }
}

/** Whether it is still running. */
export function isAlive(postmaster: Postmaster): boolean {
  return isStillAlive(postmaster.pid, postmaster.since);
}

/** Resolves when it has ended, for whatever reason. Does not keep this process alive. */
export async function untilGone(postmaster: Postmaster): Promise<void> {
  while (isAlive(postmaster)) await sleep(WATCH_MS, undefined, { ref: false });
}

/**
 * Ends it by a fast shutdown and waits until it has ended; after a minute, by an immediate one.
 * @throws EmbeddedPostgresError when it outlives both
 */
export async function endPostmaster(postmaster: Postmaster): Promise<void> {
  const steps = [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const;
  for (const [signal, waitMs] of steps) {
    if (!isAlive(postmaster)) return;
    sendSignal(postmaster.pid, signal);
    if (await holdsWithin(waitMs, () => !isAlive(postmaster))) return;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL (pid ${postmaster.pid}) did not stop: end it by kill -9 ${postmaster.pid}.`,
  );
}

/** Ends every PostgreSQL that works in a folder that is about to be deleted. */
export async function endAtOnce(data: string): Promise<void> {
  const postmaster = findPostmaster(data);
  if (postmaster) sendSignal(postmaster.pid, 'SIGQUIT');
  await sweepLeftovers(data);
}

/**
 * Waits until the children of a dead postmaster have ended, and kills those that remain. They notice the death by
 * themselves, but not in the middle of a long statement. Removing the pid file while they run would endanger the
 * data.
 */
export async function sweepLeftovers(data: string): Promise<void> {
  if (await holdsWithin(LEFTOVERS_MS, () => processesIn(data).length === 0)) return;
  for (const pid of processesIn(data)) sendSignal(pid, 'SIGKILL');
  await holdsWithin(LEFTOVERS_MS, () => processesIn(data).length === 0);
}

/** Removes a pid file that names no postmaster of this data directory. */
export function removePidFile(data: string): void {
  rmSync(join(data, 'postmaster.pid'), { force: true });
}

async function holdsWithin(milliseconds: number, condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await sleep(LOOK_AGAIN_MS);
  }
  return true;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
