import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withFaults } from '../faults/injected.faults';
import { ownEnvironment } from './own.environment';
import { DATABASE_TIMES, withLimits } from './test.limits';

/** The server as it is built. */
export const MAIN = join(process.cwd(), 'dist/apps/server/src/main.js');
/** The same with faults injected. */
const FAULTY = join(process.cwd(), 'dist/test/support/faults/faulty.server.js');
/** Both in one file, in a run of all tests. */
const BUNDLE = process.env.LEADLINE_TEST_SERVER;
/**
 * The real path of each module is a tenth of a start of the separate files, and npm installs none by a link. What a start
 * leaves behind in a small new space is collected a dozen times, another tenth.
 */
const FLAGS = ['--preserve-symlinks', '--min-semi-space-size=16'];
/** All that a start makes fits in: nothing is collected, an eighth of a start of the bundle. Benchmarks have no bundle. */
const BUNDLE_FLAGS = ['--preserve-symlinks', '--min-semi-space-size=64', '--max-semi-space-size=64'];
/** Not what a start may take, but when a test gives up: other tests may start theirs at the same time. */
const START_DEADLINE_MS = 100_000;
const STOP_DEADLINE_MS = 60_000;

export const GUPSHUP_TOKEN = '3c6ef372fe94f82ba54ff53a5f1d36f1';
export const METRICS_TOKEN = '4f1c9be27d60a8352e9b7c14';

/** Random-looking but not secret: production demands them of every process. */
export const SECRETS = {
  SESSION_SECRET: '9c1b7e02d84f6a35c0e2971fb64d83a5',
  ENCRYPTION_KEY: '7d40c1e98b2f6a53907e1c4db8f2a6357d40c1e98b2f6a53907e1c4db8f2a635',
  METRICS_TOKEN,
  CLOUD_API_APP_SECRET: '1f83d9abfb41bd6b5be0cd19137e2179',
  CLOUD_API_VERIFY_TOKEN: '510e527fade682d19b05688c2b3e6c1f',
  GUPSHUP_WEBHOOK_TOKEN: GUPSHUP_TOKEN,
};

/** A reserved port of this machine on which nothing is ever served. */
const NOBODY_LISTENS = 'http://127.0.0.1:1';

/** A real server process, started as in production. */
export interface ServerProcess {
  url: string;
  pid: number;
  /** Everything it wrote so far. */
  output(): string;
  /** Sends a signal and, unless it is SIGSTOP or SIGCONT, waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** SIGTERM, and the exit code; idempotent. */
  stop(): Promise<number | null>;
}

/** Ends what a failed bench left behind. Under jest this event does not reach us; there the run's watcher does it. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Ends servers of which nothing more is expected. A test of how a process stops calls `stop`, which takes half a second
 * at the least.
 */
export const endAll = async (servers: readonly ServerProcess[]): Promise<void> => {
  await Promise.all(servers.map((server) => server.kill('SIGKILL')));
};

/** Starts the built server, or another program that announces itself alike, on a free port and waits until it listens. */
export async function startServer(
  databaseUrl: string,
  environment: Record<string, string> = {},
  program?: string,
): Promise<ServerProcess> {
  const { variables, isFaulty, needsFiles } = withFaults(withLimits({ ...DATABASE_TIMES, ...environment }));
  const files = isFaulty ? FAULTY : MAIN;
  const main = program ?? (needsFiles ? files : (BUNDLE ?? files));
  const flags = main === BUNDLE ? BUNDLE_FLAGS : FLAGS;
  const child = spawn(process.execPath, [...flags, main], {
    env: {
      ...ownEnvironment(),
      ...SECRETS,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      // No test reaches them by accident.
      ...{ ACCOUNT_KEYS_MAX: '100000', ACCOUNT_PEOPLE_MAX: '100000', ACCOUNT_AGENTS_MAX: '100000' },
      ...{ ACCOUNT_BOTS_MAX: '100000', NUMBER_TEMPLATES_MAX: '100000' },
      // Tests call it without TLS.
      ALLOW_HTTP: '1',
      LOG_LEVEL: 'warn',
      // Where a test gives no provider nothing listens: no call leaves the machine.
      CLOUD_API_URL: NOBODY_LISTENS,
      GUPSHUP_API_URL: NOBODY_LISTENS,
      // A test that stores files gives a folder of its own.
      MEDIA_DIR: join(tmpdir(), 'leadline-media'),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  // A server that a failed test left behind must not keep the run from ending, after which it is ended.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
  const exited = once(child, 'exit').then(() => running.delete(child));
  let output = '';
  let listens = false;
  const port = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the server did not start in time:\n${output}`)),
      START_DEADLINE_MS,
    );
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      // Some servers of tests write megabytes.
      if (listens) return;
      const [, found] = /listens on http:\/\/\S+:(\d+)/.exec(output) ?? [];
      if (found) {
        listens = true;
        clearTimeout(timer);
        resolve(found);
      }
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${String(code)} before it listened:\n${output}`));
    });
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
    await exited;
    clearTimeout(timer);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    output: () => output,
    kill: async (signal) => {
      if (signal === 'SIGSTOP' || signal === 'SIGCONT') child.kill(signal);
      else await end(signal);
    },
    stop: async () => {
      await end('SIGTERM');
      return child.exitCode;
    },
  };
}
