import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const ROOT = process.cwd();
const DAY_MS = 24 * 3_600_000;

let folder: string;
/** What a former build's page loaded, 31 days ago. */
let expired: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A page whose script says these words, often enough to be worth compressing. */
const say = (words: string): void =>
  write('apps/monitor/src/main.js', `document.title = ${JSON.stringify(words.repeat(50))};`);

// Each test goes on with what the one before it has built.
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-page-'));
  for (const path of ['tools/build-page.mjs', 'apps/monitor/vite.config.mjs'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  write(
    'apps/monitor/index.html',
    '<!doctype html><title>x</title><script type="module" src="./src/main.js"></script>',
  );
  say('first ');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMAND = ['tools/build-page.mjs'];

function build(): void {
  const { status, stderr } = spawnSync(process.execPath, COMMAND, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

const pathOf = (name: string): string => join(folder, 'dist/monitor', name);
const assets = (): string[] => readdirSync(pathOf('assets')).filter((name) => name.endsWith('.js'));

/** The script that the page loads. */
function loaded(): string {
  const [, name] = /src="\/(assets\/[^"]+\.js)"/.exec(readFileSync(pathOf('index.html'), 'utf8')) ?? [];
  if (name === undefined) throw new Error('the page loads no script');
  return name;
}

it('each text lies beside its compressed forms, which are smaller and hold the same', () => {
  build();
  const script = readFileSync(pathOf(loaded()));
  expect(script.toString()).toContain('first first');
  for (const [suffix, unpack] of [['.br', brotliDecompressSync] as const, ['.gz', gunzipSync] as const]) {
    const packed = readFileSync(pathOf(loaded() + suffix));
    expect(unpack(packed).equals(script)).toBe(true);
    expect(packed.length).toBeLessThan(script.length);
  }
});

it('what pages of former builds load stays for 30 days after the last build that had it', () => {
  const former = loaded();
  const long = new Date(Date.now() - 100 * DAY_MS);
  for (const form of ['', '.br', '.gz']) utimesSync(pathOf(former + form), long, long);
  say('second ');
  build();
  expect(loaded()).not.toBe(former);
  expect(['', '.br', '.gz'].map((form) => existsSync(pathOf(former + form)))).toEqual([true, true, true]);
  // The next build finds it too old.
  const late = new Date(Date.now() - 31 * DAY_MS);
  for (const form of ['', '.br', '.gz']) utimesSync(pathOf(former + form), late, late);
  expired = former;
});

it('two that build at once leave a whole page and nothing else but what is not too old, and take nothing away from readers', async () => {
  const former = loaded();
  say('third ');
  const builders = [1, 2].map(() => spawn(process.execPath, COMMAND, { cwd: folder, stdio: 'ignore' }));
  let running = true;
  const ends = Promise.all(builders.map((builder) => once(builder, 'exit'))).finally(() => (running = false));
  const missing: string[] = [];
  let looks = 0;
  while (running) {
    for (const name of [former, loaded()]) if (!existsSync(pathOf(name))) missing.push(name);
    looks += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await ends).toEqual([
    [0, null],
    [0, null],
  ]);
  expect([missing, looks > 10]).toEqual([[], true]);
  expect(readFileSync(pathOf(loaded()), 'utf8')).toContain('third third');
  expect(['', '.br', '.gz'].map((form) => existsSync(pathOf(expired + form)))).toEqual([false, false, false]);
  expect(assets()).toHaveLength(2);
  expect(readdirSync(join(folder, 'dist'))).toEqual(['monitor']);
});

it('a build that fails leaves the page as it was', () => {
  const before = [loaded(), statSync(pathOf('index.html')).mtimeMs];
  write('apps/monitor/src/main.js', 'this is no script');
  const { status, stderr } = spawnSync(process.execPath, COMMAND, { cwd: folder, encoding: 'utf8' });
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining('main.js')]);
  expect([loaded(), statSync(pathOf('index.html')).mtimeMs]).toEqual(before);
  expect(readdirSync(join(folder, 'dist'))).toEqual(['monitor']);
});
