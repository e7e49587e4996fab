import { transformFileSync } from '@swc/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runningSince } from '../../apps/demo/src/embedded-postgres/process-identity';
import { eventually } from '../support/eventually';
import { IS_LONG } from '../support/long.mode';
import { postmastersIn } from '../support/programs/postmasters';

const ROOT = process.cwd();
const PROGRAMS = join(ROOT, 'test/support/programs');
const GONE_DEADLINE_MS = 20_000;

/** Begins as a run of tests does, starts what tests start, names its processes, and never ends. */
const RUN = `
  const { spawn } = require('node:child_process');
  const { chmodSync, mkdirSync } = require('node:fs');
  const { RunFolder } = require('./run.folder.js');
  const { startEmbeddedPostgres } = require(${JSON.stringify(join(ROOT, 'dist/apps/demo/src/embedded-postgres/embedded-postgres-launcher'))});
  const { path } = RunFolder.open('leadline-test-', process.argv[2]);
  const dataDir = path + '/18';
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  // A server has a session of its own, which no signal to the run reaches.
  const server = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { detached: true, stdio: 'ignore' });
  startEmbeddedPostgres({ dataDir, durable: false, privateCopy: dataDir + '/private-copy' }).then(
    () => console.log(JSON.stringify([process.pid, server.pid])),
  );
  setInterval(() => undefined, 1_000);
`;

let folder: string;
let run: ChildProcess;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-killed-'));
  chmodSync(folder, 0o755);
  const { code } = transformFileSync(join(PROGRAMS, 'run.folder.ts'), {
    cwd: ROOT,
    configFile: join(ROOT, '.swcrc'),
  });
  writeFileSync(join(folder, 'run.folder.js'), code);
  copyFileSync(join(PROGRAMS, 'run.watcher.js'), join(folder, 'run.watcher.js'));
  writeFileSync(join(folder, 'run.js'), RUN);
});

afterEach(() => {
  if (runningSince(run.pid!) !== undefined) process.kill(-run.pid!, 'SIGKILL');
});

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const runFolders = (): string[] => readdirSync(folder).filter((name) => name.startsWith('leadline-test-'));

it.each<[string, NodeJS.Signals, (pid: number) => number]>([
  // It reaches every process of the run.
  ['Ctrl-C', 'SIGINT', (pid) => -pid],
  // Of these the run alone is told, and of the second not even the run: the same watcher ends what is left.
  ...(IS_LONG
    ? [['SIGTERM', 'SIGTERM', (pid: number) => pid] as [string, NodeJS.Signals, (pid: number) => number]]
    : []),
  ['kill -9', 'SIGKILL', (pid) => pid],
])('a run of tests ended by %s leaves no process and no folder', async (_, signal, whom) => {
  run = spawn(process.execPath, [join(folder, 'run.js'), folder], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: run.stdout! }), 'line')) as [string];
  const pids = [...(JSON.parse(line) as number[]), ...(await postmastersIn(folder))];
  expect(pids).toHaveLength(3);
  process.kill(whom(run.pid!), signal);
  await eventually(
    async () => pids.every((pid) => runningSince(pid) === undefined) && runFolders().length === 0,
    GONE_DEADLINE_MS,
    'something of the run was left',
  );
});
