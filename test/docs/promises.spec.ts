import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.document';

const { LONGEST } = jest.requireActual<{ LONGEST: string[] }>('../support/longest-first.sequencer.js');
const FOLDER = join(ROOT, 'test');
/** Folders of tests, each of which has a README that says what its tests show. */
const FOLDERS = [
  ...readdirSync(join(FOLDER, 'promises')).map((name) => `promises/${name}`),
  'monitor',
  'all',
];

/** Tests that a text names by their path from this folder's parent. */
const testsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:promises|all|client|docs)\/[^`]+\.spec\.ts)`/g)].map(([, file]) => String(file));

const tour = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const named = testsIn(tour);

describe('the way from a promise to its tests', () => {
  const promises = tour.split(/^### /m).filter((part) => /^P\d+\. /.test(part));

  it('begins at each of the promises', () => {
    const numbers = promises.map((part) => part.slice(0, part.indexOf('.')));
    expect(numbers).toEqual([...Array.from({ length: 10 }, (_, index) => `P${index + 1}`), 'P12']);
  });

  it('leads from each promise to a test of it', () => {
    expect(promises.filter((part) => testsIn(part).length === 0)).toEqual([]);
  });

  it.each(FOLDERS)('goes by the README of %s, which names every test there and no other', (folder) => {
    expect(tour).toContain(`(${folder}/README.md)`);
    const specs = readdirSync(join(FOLDER, folder)).filter((file) => file.endsWith('.spec.ts'));
    expect(specs.length).toBeGreaterThan(0);
    const inFolder = readFileSync(join(FOLDER, folder, 'README.md'), 'utf8');
    const told = [...inFolder.matchAll(/`([\w.-]+\.spec\.ts)`/g)].map(([, file]) => String(file));
    expect([...new Set(told)].sort()).toEqual(specs.sort());
  });

  it('leads to no test that is gone', () => {
    expect(named.filter((file) => !existsSync(join(FOLDER, file)))).toEqual([]);
  });

  it('has a list of the longest of them that names no test that is gone', () => {
    expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('tells of the folders of what tests share, as they are', () => {
    const told = [...tour.matchAll(/^\| `([a-z-]+)` \| .+ \| `/gm)].map(([, folder]) => folder);
    const folders = readdirSync(join(FOLDER, 'support'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(told.sort()).toEqual(folders.sort());
  });
});
