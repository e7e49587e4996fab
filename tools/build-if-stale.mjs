// Builds into dist when a source is newer than the last build: npm start and npm test need no build step of their own,
// and a process that joins a running one does not write under its feet.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const STAMP = 'dist/.built';
/** Each file of them is written anew by every build; beside them lies what `npm run bench` compiles. */
const OUTPUTS = ['dist/apps', 'dist/libs'];
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

/** A file built from a source that is gone could still be imported. */
function sweep(folder, begun) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sweep(path, begun);
    else if (statSync(path).mtimeMs < begun) rmSync(path, { force: true });
  }
}

const builtAt = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs ?? -1;
if (Math.max(...SOURCES.map(newest)) > builtAt) {
  const cli = join(
    dirname(createRequire(import.meta.url).resolve('@nestjs/cli/package.json')),
    'bin/nest.js',
  );
  // The stamp is of the build's begin, by the clock of the files: what is edited while the compiler reads counts as newer.
  const next = `${STAMP}-${process.pid}`;
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(next, '');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'build'], { encoding: 'utf8' });
  if (status !== 0) {
    rmSync(next);
    process.stderr.write(stdout + stderr);
    process.exit(status ?? 1);
  }
  const begun = statSync(next).mtimeMs;
  for (const folder of OUTPUTS) if (statSync(folder, { throwIfNoEntry: false })) sweep(folder, begun);
  renameSync(next, STAMP);
}
