import { REQUIRED_SECRETS } from '@app/config/environment-schema';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownEnvironment } from '../support/programs/own.environment';
import { asPlainUser, plainUser, PLAIN_USER_NEEDED } from '../support/programs/other.user';

const ROOT = process.cwd();

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-start-'));
  chmodSync(folder, 0o755);
  for (const name of readdirSync(ROOT)) {
    if (!['.env', '.data', '.git'].includes(name)) symlinkSync(join(ROOT, name), join(folder, name));
  }
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

function spawned(
  program: string,
  words: string[],
  settings: Record<string, string> = {},
  by = {},
): SpawnSyncReturns<string> {
  const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`;
  return spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...ownEnvironment(), HOME: folder, PORT: '0', PATH, ...settings },
    timeout: 60_000,
    ...by,
  });
}

/** What npm does for a script, without npm and the look for a newer source, which take four times as long. */
const run = (script: string, settings?: Record<string, string>, by?: object): SpawnSyncReturns<string> =>
  spawned('sh', ['-c', scripts[script] ?? ''], settings, by);

it.each([
  ['start', /^ROLE worker .*\n$/],
  ['start:prod', /^(DATABASE_URL|[A-Z_]+) is missing/],
  ['admin:create-key', /^Usage: .*\n$/],
])('npm run %s does not speak of a .env that is not there', (script, said) => {
  expect(run(script, { ROLE: 'worker' }).stderr).toMatch(said);
});

it('npm start with a .env that names no DATABASE_URL says that it is the demo', () => {
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=\nROLE=worker\n');
  expect(spawned('npm', ['start', '--silent']).stdout).toMatch(
    /^\.env names no DATABASE_URL: this is the demo, .*\n$/,
  );
});

it.each(['start', 'start:prod'])('npm run %s with a DATABASE_URL in .env is production', (script) => {
  writeFileSync(
    join(folder, '.env'),
    'DATABASE_URL=postgres://leadline:x@127.0.0.1:1/leadline\nALLOW_HTTP=1\n',
  );
  const { status, stderr } = run(script);
  expect(stderr).toBe(
    REQUIRED_SECRETS.map((name) => `${name} is missing: set it as .env.example shows\n`).join(''),
  );
  expect(status).toBe(1);
  expect(existsSync(join(folder, '.data'))).toBe(false);
});

it('every script that starts a program of the service reads .env by the same file', () => {
  const programs = Object.values(scripts).filter((script) => /dist\/apps\/(server|demo)\//.test(script));
  expect(programs.length).toBeGreaterThan(6);
  for (const program of programs)
    expect(program).toMatch(/^(exec )?node --require \.\/tools\/read-env-file\.js dist\//);
});

asPlainUser(`npm start says in one line that its user may not read .env (${PLAIN_USER_NEEDED})`, () => {
  writeFileSync(join(folder, '.env'), 'ROLE=worker\n', { mode: 0o000 });
  const { status, stdout, stderr } = run('start', {}, plainUser);
  expect([status, stdout, stderr]).toEqual([1, '', '.env may not be read by this user\n']);
});

it('npm run start:prod says of a .env that is no file what it is', () => {
  mkdirSync(join(folder, '.env'));
  const { status, stderr } = run('start:prod');
  expect([status, stderr]).toEqual([1, '.env cannot be read (EISDIR)\n']);
});

it('a setting of the environment wins over the one in .env, also an empty one', () => {
  writeFileSync(
    join(folder, '.env'),
    'DATABASE_URL=postgres://leadline:x@127.0.0.1:1/leadline\nROLE=worker\n',
  );
  const { stderr } = run('start:prod', { DATABASE_URL: '', ROLE: 'none' });
  expect(stderr).toMatch(/^ROLE must be one of all, api, worker\nDATABASE_URL is missing/);
});
