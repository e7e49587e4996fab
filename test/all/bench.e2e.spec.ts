import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, chmodSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runningSince } from '../../apps/demo/src/embedded-postgres/process-identity';
import { eventually } from '../support/eventually';
import { postmastersIn } from '../support/programs/postmasters';
import { expectAnswer } from '../bench/answer.expectation';

const RUN_DEADLINE_MS = 300_000;
const GONE_DEADLINE_MS = 20_000;

let folder: string;
let run: ChildProcess;
let said: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-benched-'));
  chmodSync(folder, 0o755);
});

afterEach(() => {
  if (run?.pid && run.exitCode === null && run.signalCode === null) run.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

function start(program: string, ...words: string[]): void {
  run = spawn(program, words, { env: { ...process.env, TMPDIR: folder }, stdio: ['ignore', 'pipe', 'pipe'] });
  said = '';
  for (const stream of [run.stdout!, run.stderr!])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
}

const benchFolders = (): string[] => readdirSync(folder).filter((name) => name.startsWith('leadline-bench-'));

describe('npm run bench', () => {
  it(
    'runs each part to its end with --smoke, and leaves nothing behind',
    async () => {
      start('npm', 'run', 'bench', '--', '--smoke');
      const [code] = (await once(run, 'close')) as [number | null];
      if (code !== 0) throw new Error(`it ended with ${code}:\n${said}`);
      const parts = [...said.matchAll(/^=== (\S+)$/gm)].map(([, name]) => name);
      expect(parts).toEqual([
        ...['set-status', 'set-status-one-board', 'set-status-fifty-boards', 'get-lead'],
        ...[
          'one-board',
          'last-board',
          'set-status-by-session',
          'bare-server',
          'bulk',
          'webhooks',
          'aborts',
          'work',
          'scenarios',
          'import',
          'events',
          'lists',
          'figures',
          'monitor',
        ],
      ]);
      expect(benchFolders()).toEqual([]);
    },
    RUN_DEADLINE_MS,
  );

  it(
    'leaves no PostgreSQL and no folder when it is killed by kill -9',
    async () => {
      const program = join(process.cwd(), 'dist/test/bench/bench.main.js');
      if (!existsSync(program)) throw new Error('the smoke run compiles it');
      start(process.execPath, program, '--only=get-lead', '--smoke');
      const begun = async (): Promise<boolean> => said.includes('=== get-lead');
      await eventually(begun, RUN_DEADLINE_MS, 'it did not come under way');
      const pids = await postmastersIn(folder);
      expect(pids).toHaveLength(1);
      run.kill('SIGKILL');
      const gone = async (): Promise<boolean> =>
        pids.every((pid) => runningSince(pid) === undefined) && benchFolders().length === 0;
      await eventually(gone, GONE_DEADLINE_MS, 'something of the run was left');
    },
    RUN_DEADLINE_MS,
  );

  it.each([
    ['another status', 500, '{"ok":true,"data":{"changed":true}}'],
    ['a refusal', 200, '{"ok":false,"error":{"code":"RATE_LIMITED"}}'],
    ['nothing changed', 200, '{"ok":true,"data":{"changed":false}}'],
  ])('ends at the first answer with %s, and shows it', (_, status, body) => {
    expect(() => expectAnswer('set-status', { status, body }, ['"changed":true'])).toThrow(body);
  });
});
