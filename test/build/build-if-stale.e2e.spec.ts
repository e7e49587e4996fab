import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const TOOL = join(process.cwd(), 'tools/build-if-stale.mjs');

/** Replaces the compiler: records each build, writes its output, and changes a source during the first one. */
const COMPILER = `const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs');
if (!existsSync('builds')) setTimeout(() => writeFileSync('apps/server/a.ts', 'edited'), 50);
appendFileSync('builds', 'server ');
mkdirSync('dist/apps', { recursive: true });
writeFileSync('dist/apps/a.js', 'built');`;

/** Replaces the build of the page. */
const PAGE_BUILDER = `import { appendFileSync, existsSync } from 'node:fs';
if (existsSync('broken')) { console.error('the page is broken'); process.exit(3); }
appendFileSync('page-builds', 'page ');`;

const SERVER_SOURCE = 'apps/server/a.ts';
const PAGE_SOURCE = 'apps/monitor/src/a.tsx';
const SHARED_SOURCE = 'libs/contracts/a.ts';

let folder: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-build-'));
  write('node_modules/@nestjs/cli/package.json', '{}');
  write('node_modules/@nestjs/cli/bin/nest.js', COMPILER);
  write('tools/build-page.mjs', PAGE_BUILDER);
  for (const path of [SERVER_SOURCE, PAGE_SOURCE, SHARED_SOURCE]) write(path, 'first');
  cpSync(TOOL, join(folder, 'tools/build-if-stale.mjs'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ask = () =>
  spawnSync(process.execPath, ['tools/build-if-stale.mjs'], { cwd: folder, encoding: 'utf8' });

/** Asks for a build, and tells what was built since the last time. */
function builtByAsking(): string[] {
  expect(ask().status).toBe(0);
  const built = ['builds', 'page-builds'].flatMap((name) => {
    const log = join(folder, name);
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split(' ').filter(Boolean) : [];
    if (existsSync(log)) writeFileSync(log, '');
    return lines;
  });
  return built.sort();
}

it('a source that is edited during a build is built by the next one, and then none is needed', () => {
  expect([builtByAsking(), builtByAsking(), builtByAsking()]).toEqual([['page', 'server'], ['server'], []]);
});

it.each([
  [SERVER_SOURCE, ['server']],
  [PAGE_SOURCE, ['page']],
  [SHARED_SOURCE, ['page', 'server']],
])('a change of %s builds %j and nothing else', (path, built) => {
  while (builtByAsking().length > 0);
  write(path, 'changed');
  expect([builtByAsking(), builtByAsking()]).toEqual([built, []]);
});

it('a page that cannot be built ends the start with its reason, and is built again at the next one', () => {
  write('broken', '');
  const { status, stderr } = ask();
  expect([status, stderr]).toEqual([3, 'the page is broken\n']);
  rmSync(join(folder, 'broken'));
  expect(builtByAsking()).toContain('page');
});

it('what was built from sources that are gone goes with the next build, and nothing else does', () => {
  const others = ['dist/test/bench/bench.main.js', 'dist/monitor/assets/index-a.js'];
  const old = ['dist/apps/gone.js', 'dist/libs/deep/gone.js', ...others];
  for (const path of old) {
    write(path, '');
    utimesSync(join(folder, path), 1, 1);
  }
  builtByAsking();
  const left = [...old, 'dist/apps/a.js'].filter((path) => existsSync(join(folder, path)));
  expect(left).toEqual([...others, 'dist/apps/a.js']);
  expect(readdirSync(join(folder, 'dist')).sort()).toEqual([
    '.built',
    '.built-page',
    'apps',
    'libs',
    'monitor',
    'test',
  ]);
});
