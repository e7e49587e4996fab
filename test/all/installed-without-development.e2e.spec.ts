import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = process.cwd();
const SOURCES = ['apps', 'libs', 'tools', 'ormconfig.ts', '.swcrc', 'nest-cli.json', 'tsconfig.json'];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-production-'));
  for (const name of [...SOURCES, 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  // What `npm ci --omit=dev` would install at the top; each package brings those that lie inside of it.
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const isTop = path.lastIndexOf('node_modules/') === 0;
    if (!isTop || dev || devOptional || !existsSync(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('an installation without the packages for development builds what it starts', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--preserve-symlinks', '--preserve-symlinks-main', 'tools/build-if-stale.mjs'],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, NODE_PRESERVE_SYMLINKS: '1' } },
  );
  expect([status, stderr]).toEqual([0, '']);
  const built = ['dist/apps/demo/src/main.js', 'dist/monitor/index.html'];
  expect(built.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});
