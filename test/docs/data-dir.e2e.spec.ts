import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ShellSession } from '../support/programs/shell.session';
import { readPages } from './markdown.document';

/** The function by which pages read the demo's file, as each of them defines it. */
const definitions = readPages().flatMap(({ blocks }) =>
  blocks.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith('demo() {'))),
);

/** The expressions with which programs of the pages read it. */
const readings = readPages().flatMap(({ blocks }) =>
  blocks
    .filter(({ language }) => language === 'js')
    .flatMap(({ text }) => [...text.matchAll(/JSON\.parse\(readFileSync\(.*demo\.json.*\)\)/g)])
    .map(([expression]) => expression),
);

let folder: string;
let shell: ShellSession | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-elsewhere-'));
  for (const name of ['.data', 'other']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'demo.json'), JSON.stringify({ base_url: `of ${name}` }));
  }
});

afterEach(() => {
  shell?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('all pages read the file of the demo in one and the same way', () => {
  expect(definitions.length).toBeGreaterThan(15);
  expect(new Set(definitions).size).toBe(1);
  expect(readings.length).toBeGreaterThan(1);
  expect(new Set(readings).size).toBe(1);
});

it.each([
  ['without DATA_DIR', undefined, 'of .data'],
  ['with another DATA_DIR', 'other', 'of other'],
  ['with an absolute DATA_DIR', 'absolute', 'of other'],
])('a page reads the demo %s', async (_, given, expected) => {
  const { DATA_DIR: _ours, ...environment } = process.env;
  const dataDir = given === 'absolute' ? join(folder, 'other') : given;
  shell = new ShellSession(folder, { ...environment, ...(dataDir && { DATA_DIR: dataDir }) });
  expect(await shell.run(`${definitions[0]}\ndemo demo.base_url`)).toBe(`${expected}\n`);
  writeFileSync(
    join(folder, 'program.mjs'),
    `import { readFileSync } from 'node:fs';\nconsole.log(${readings[0]}.base_url);\n`,
  );
  expect(await shell.run('node program.mjs')).toBe(`${expected}\n`);
});
