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
if (!existsSync('builds')) setTimeout(() => writeFileSync('apps/a.ts', 'edited'), 50);
appendFileSync('builds', 'x');
mkdirSync('dist/apps', { recursive: true });
writeFileSync('dist/apps/a.js', 'built');`;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-build-'));
  const cli = join(folder, 'node_modules/@nestjs/cli');
  for (const path of [join(cli, 'bin'), join(folder, 'apps'), join(folder, 'tools')])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(cli, 'package.json'), '{}');
  writeFileSync(join(cli, 'bin/nest.js'), COMPILER);
  writeFileSync(join(folder, 'apps/a.ts'), 'first');
  cpSync(TOOL, join(folder, 'tools/build-if-stale.mjs'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Asks for a build, and tells how many there have been. */
function buildsAfterAsking(): number {
  const { status } = spawnSync(process.execPath, ['tools/build-if-stale.mjs'], { cwd: folder });
  expect(status).toBe(0);
  const log = join(folder, 'builds');
  return existsSync(log) ? readFileSync(log, 'utf8').length : 0;
}

it('a source that is edited during a build is built by the next one, and then none is needed', () => {
  expect([buildsAfterAsking(), buildsAfterAsking(), buildsAfterAsking()]).toEqual([1, 2, 2]);
});

it('what was built from sources that are gone goes with the next build, and nothing else does', () => {
  const old = ['dist/apps/gone.js', 'dist/libs/deep/gone.js', 'dist/test/bench/bench.main.js'];
  for (const path of old) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
    utimesSync(join(folder, path), 1, 1);
  }
  buildsAfterAsking();
  const left = [...old, 'dist/apps/a.js'].filter((path) => existsSync(join(folder, path)));
  expect(left).toEqual(['dist/test/bench/bench.main.js', 'dist/apps/a.js']);
  expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['.built', 'apps', 'libs', 'test']);
});
