import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './markdown.document';

const { LONGEST } = jest.requireActual<{ LONGEST: string[] }>('../support/longest-first.sequencer.js');
const FOLDER = join(ROOT, 'test');
const NAMED = /`(promises\/[^`]+\.spec\.ts)`/g;

const tour = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const named = [...tour.matchAll(NAMED)].map(([, file]) => String(file));

describe('the way from a promise to its tests', () => {
  it('begins at each of the promises', () => {
    const promises = [...tour.matchAll(/^### (P\d+)\. /gm)].map(([, promise]) => promise);
    expect(promises).toEqual([...Array.from({ length: 10 }, (_, index) => `P${index + 1}`), 'P12']);
  });

  it('leads to every test of a promise', () => {
    const specs = readdirSync(join(FOLDER, 'promises'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.spec.ts'))
      .map((file) => join('promises', file));
    expect(specs.length).toBeGreaterThan(50);
    expect(specs.filter((spec) => !named.includes(spec))).toEqual([]);
  });

  it('leads to every test of the page', () => {
    const patterns = [...tour.matchAll(/`monitor\/([\w.*-]+)\.spec\.ts`/g)].map(
      ([, pattern = '']) => new RegExp(`^${pattern.replace('*', '[\\w.-]+')}\\.spec\\.ts$`),
    );
    const specs = readdirSync(join(FOLDER, 'monitor')).filter((file) => file.endsWith('.spec.ts'));
    expect(specs.length).toBeGreaterThan(5);
    expect(specs.filter((spec) => !patterns.some((pattern) => pattern.test(spec)))).toEqual([]);
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
