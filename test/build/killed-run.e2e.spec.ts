import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningSince } from '../../apps/demo/src/embedded-postgres/process.identity';
import { eventually } from '../support/eventually';
import { postmastersIn } from '../support/programs/postmasters';

const JEST = join(process.cwd(), 'node_modules/jest/bin/jest.js');
const UNDER_WAY_DEADLINE_MS = 90_000;
const GONE_DEADLINE_MS = 20_000;

interface Run {
  folder: string;
  child: ChildProcess;
  said: string;
}

const runs: Run[] = [];

afterAll(() => {
  for (const { folder, child } of runs) {
    if (runningSince(child.pid!) !== undefined) process.kill(-child.pid!, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
});

/** A run as `npm test` makes it, but of one file that never ends and in a worker, as the files of the suite are. */
function startRun(): Run {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-killed-'));
  chmodSync(folder, 0o755);
  const config = {
    ...jest.requireActual<object>('../../jest.config'),
    testMatch: ['<rootDir>/test/support/programs/endless.run.ts'],
    // A single file would be run by jest's own process.
    workerIdleMemoryLimit: '1GB',
  };
  const child = spawn(
    process.execPath,
    ['--experimental-vm-modules', JEST, '--config', JSON.stringify(config)],
    {
      env: { ...process.env, TMPDIR: folder },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const run: Run = { folder, child, said: '' };
  child.stderr.on('data', (chunk: Buffer) => (run.said += chunk.toString()));
  runs.push(run);
  return run;
}

const runFolders = ({ folder }: Run): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('leadline-test-'));

/** Everything it started, as soon as it has. */
async function processesOf(run: Run): Promise<number[]> {
  const { folder, child } = run;
  const told = await eventually(
    async () =>
      runFolders(run)
        .map((name) => join(folder, name, 'under-way.json'))
        .find(existsSync),
    UNDER_WAY_DEADLINE_MS,
    'the run did not come under way',
  ).catch((error: Error) => {
    throw new Error(`${error.message}:\n${run.said}`);
  });
  return [
    child.pid!,
    ...(JSON.parse(readFileSync(told, 'utf8')) as number[]),
    ...(await postmastersIn(folder)),
  ];
}

it.concurrent.each<[string, NodeJS.Signals, (pid: number) => number]>([
  ['Ctrl-C', 'SIGINT', (pid) => -pid],
  ['SIGTERM', 'SIGTERM', (pid) => pid],
  ['kill -9', 'SIGKILL', (pid) => pid],
])(
  'a run of tests ended by %s leaves no process and no folder',
  async (_, signal, whom) => {
    const run = startRun();
    const pids = await processesOf(run);
    process.kill(whom(run.child.pid!), signal);
    await eventually(
      async () => pids.every((pid) => runningSince(pid) === undefined) && runFolders(run).length === 0,
      GONE_DEADLINE_MS,
      'something of the run was left',
    );
  },
  120_000,
);
