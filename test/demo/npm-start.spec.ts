import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = process.cwd();

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-start-'));
  for (const name of readdirSync(ROOT)) {
    if (!['.env', '.data', '.git'].includes(name)) symlinkSync(join(ROOT, name), join(folder, name));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, settings: Record<string, string> = {}): SpawnSyncReturns<string> {
  return spawnSync('npm', ['run', '--silent', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, PORT: '0', ...settings },
    timeout: 20_000,
  });
}

it.each([
  ['start', /^ROLE worker .*\n$/],
  ['start:prod', /^(DATABASE_URL|[A-Z_]+) is missing/],
  ['db:migrate', /^DATABASE_URL is missing.*\n$/],
  ['db:migrate:status', /^DATABASE_URL is missing.*\n$/],
  ['admin:create-key', /^Usage: .*\n$/],
])('npm run %s does not speak of a .env that is not there', (script, said) => {
  expect(run(script, { ROLE: 'worker' }).stderr).toMatch(said);
});

it('npm start with a .env that names no DATABASE_URL says that it is the demo', () => {
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=\nROLE=worker\n');
  expect(run('start').stdout).toMatch(/^\.env names no DATABASE_URL: this is the demo, .*\n$/);
});

it.each(['start', 'start:prod'])('npm run %s with a DATABASE_URL in .env is production', (script) => {
  writeFileSync(join(folder, '.env'), 'DATABASE_URL=postgres://leadline:x@127.0.0.1:1/leadline\n');
  const { status, stderr } = run(script);
  expect(stderr).toBe(
    ['SESSION_SECRET', 'ENCRYPTION_KEY', 'METRICS_TOKEN']
      .map((name) => `${name} is missing: set it as .env.example shows\n`)
      .join(''),
  );
  expect(status).toBe(1);
  expect(existsSync(join(folder, '.data'))).toBe(false);
});
