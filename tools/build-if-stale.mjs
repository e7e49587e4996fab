// Builds into dist when a source is newer than the last build: npm start and npm test need no build step of their own,
// and a process that joins a running one does not write under its feet.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const STAMP = 'dist/.built';
const SOURCES = [
  'apps',
  'libs',
  'ormconfig.ts',
  '.swcrc',
  'nest-cli.json',
  'tsconfig.json',
  'package-lock.json',
];

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs);
}

// What is edited while the compiler reads must count as newer.
const begun = new Date();
const builtAt = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? -1;
if (Math.max(...SOURCES.map(newest)) > builtAt) {
  const cli = join(
    dirname(createRequire(import.meta.url).resolve('@nestjs/cli/package.json')),
    'bin/nest.js',
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'build'], { encoding: 'utf8' });
  if (status !== 0) {
    process.stderr.write(stdout + stderr);
    process.exit(status ?? 1);
  }
  writeFileSync(STAMP, '');
  utimesSync(STAMP, begun, begun);
}
