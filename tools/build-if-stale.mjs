// Builds into dist what is older than its sources, the server and the page at once: npm start and npm test need no
// build step of their own, and a process that joins a running one does not write under its feet.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the compiler of the server is. */
const nest = () =>
  join(dirname(createRequire(import.meta.url).resolve('@nestjs/cli/package.json')), 'bin/nest.js');

const TARGETS = [
  {
    stamp: 'dist/.built',
    sources: [
      'apps/server',
      'apps/demo',
      'apps/sandbox',
      'apps/cli',
      'libs',
      'ormconfig.ts',
      '.swcrc',
      'nest-cli.json',
      'tsconfig.json',
      'package-lock.json',
    ],
    command: () => [nest(), 'build'],
    /** Each file of them is written anew by every build; beside them lies what others make. */
    outputs: ['dist/apps', 'dist/libs'],
  },
  {
    stamp: 'dist/.built-page',
    sources: [
      'apps/monitor',
      'libs/client',
      'libs/contracts',
      'tools/build-page.mjs',
      'tsconfig.json',
      'package-lock.json',
    ],
    command: () => ['tools/build-page.mjs'],
    /** It publishes by itself, and keeps what open pages may still ask for. */
    outputs: [],
  },
];

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs);
}

function isStale({ stamp, sources }) {
  const builtAt = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? -1;
  return Math.max(...sources.map(newest)) > builtAt;
}

/** A file built from a source that is gone could still be imported. */
function sweep(folder, begun) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sweep(path, begun);
    else if (statSync(path).mtimeMs < begun) rmSync(path, { force: true });
  }
}

/** Resolves with the exit code and all that it wrote. */
function run(command) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => (output += text));
    }
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function build({ stamp, command, outputs }) {
  // The stamp is of the build's begin, by the clock of the files: what is edited while the compiler reads counts as newer.
  const next = `${stamp}-${process.pid}`;
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(next, '');
  const { code, output } = await run(command());
  if (code !== 0) {
    rmSync(next);
    process.stderr.write(output);
    process.exitCode = code;
    return;
  }
  const begun = statSync(next).mtimeMs;
  for (const folder of outputs) if (statSync(folder, { throwIfNoEntry: false })) sweep(folder, begun);
  renameSync(next, stamp);
}

await Promise.all(TARGETS.filter(isStale).map(build));
