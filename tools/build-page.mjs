// Builds the page of operators into dist/monitor, and compresses its files beforehand. Running servers and open pages go
// on reading there meanwhile: the build is made in a folder of its own and published file by file, index.html last, and
// files of former builds stay for a while. Two that build at once do each other no harm: a name holds one content.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const PAGE = 'dist/monitor';
const ASSETS = 'assets';
/** The names of the newest build's assets. */
const LIST = 'assets.json';
/** So long may a page stay open after the next version is there, and still load a part that it has not needed before. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** A folder as old as this was left behind by a build that was killed. */
const LEFT_BEHIND_MS = 3_600_000;

const TEXTS = new Set(['.css', '.js', '.json', '.map', '.svg', '.txt', '.webmanifest']);
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Beside each text, where that is smaller. */
async function compress(folder, name) {
  if (!TEXTS.has(extname(name))) return;
  const path = join(folder, name);
  const bytes = readFileSync(path);
  const forms = await Promise.all([
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    gzipped(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  for (const [index, form] of forms.entries())
    if (form.length < bytes.length) writeFileSync(`${path}${index === 0 ? '.br' : '.gz'}`, form);
}

const namesIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/** The time of an asset says until when it was in use at the least. */
function useNow(folder, names) {
  const now = new Date();
  for (const name of names) if (existsSync(join(folder, name))) utimesSync(join(folder, name), now, now);
}

function namesOfFormer() {
  try {
    return JSON.parse(readFileSync(join(PAGE, LIST), 'utf8'));
  } catch {
    return [];
  }
}

/** Moves each file to its place at once, so that no reader meets half of one. */
function publish(built) {
  const assets = join(PAGE, ASSETS);
  mkdirSync(assets, { recursive: true });
  useNow(assets, namesOfFormer());
  const names = namesIn(join(built, ASSETS));
  // The compressed forms first: who finds a file finds its forms.
  for (const name of [...names].sort((one, other) => other.length - one.length))
    renameSync(join(built, ASSETS, name), join(assets, name));
  useNow(assets, names);
  writeFileSync(join(built, LIST), JSON.stringify(names));
  const others = readdirSync(built, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(built.length + 1))
    .filter((name) => name !== 'index.html');
  for (const name of [...others, 'index.html']) {
    mkdirSync(join(PAGE, name, '..'), { recursive: true });
    renameSync(join(built, name), join(PAGE, name));
  }
}

function forget() {
  const oldest = Date.now() - KEPT_MS;
  for (const name of namesIn(join(PAGE, ASSETS))) {
    const path = join(PAGE, ASSETS, name);
    const { mtimeMs = oldest } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < oldest) rmSync(path, { force: true });
  }
  for (const name of readdirSync('dist').filter((each) => each.startsWith('.page-'))) {
    const { mtimeMs = Infinity } = statSync(join('dist', name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - LEFT_BEHIND_MS) rmSync(join('dist', name), { recursive: true, force: true });
  }
}

// Whoever asks for the build, the page is the one of production.
process.env.NODE_ENV = 'production';
const built = join('dist', `.page-${process.pid}`);
try {
  await build({
    configFile: resolve('apps/monitor/vite.config.mjs'),
    mode: 'production',
    logLevel: 'warn',
    build: { outDir: resolve(built), emptyOutDir: true },
  });
  const made = join(built, ASSETS);
  await Promise.all(namesIn(made).map((name) => compress(made, name)));
  publish(built);
  forget();
} finally {
  rmSync(built, { recursive: true, force: true });
}
