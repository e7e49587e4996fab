import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CONDUCT, CONDUCTORS, type Conductor } from '@app/persistence/threads/conductor.rules';
import { readPages, ROOT } from './markdown.document';

const LINES_MAX = 6;
const LINE_LENGTH = 120;
/** Most words of the pages for people who change the product; of any other README beside the code, those of a feature. */
const WORDS_MAX: Readonly<Record<string, number>> = {
  'ARCHITECTURE.md': 2_500,
  'CONTRIBUTING.md': 1_500,
  'test/README.md': 1_500,
};
const WORDS_OF_FEATURE_MAX = 400;
/** For people who use the package, not for those who change it. */
const OF_PACKAGE = 'libs/client/README.md';

const pages = readPages().filter(
  ({ path }) => path in WORDS_MAX || (/^(?:apps|libs|test)\//.test(path) && path !== OF_PACKAGE),
);
const textOf = (path: string): string => pages.find((page) => page.path === path)?.text ?? '';

/** As `wc -w` counts them. */
const wordsIn = (text: string): number => text.trim().split(/\s+/).length;

/** Paragraphs of prose: neither headings, tables, lists nor blocks. */
const paragraphsOf = (text: string): string[] =>
  text
    .replaceAll(/```[\s\S]*?```/g, '')
    .split(/\n{2,}/)
    .filter((part) => /^[\p{L}`*]/u.test(part));

/** Files that a page names, by path or by name alone. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/`([\w./-]+\.(?:tsx?|md))`/g)].map(([, name]) => String(name));

const files = ['apps', 'libs', 'test', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const names = new Set(files.map((file) => basename(file)));
const isThere = (name: string): boolean =>
  existsSync(join(ROOT, name)) ||
  (name.includes('/') ? files.some((file) => file.endsWith(`/${name}`)) : names.has(name));

describe('the pages for people who change the product', () => {
  it('are the map and a README of each large feature', () => {
    expect(pages.length).toBeGreaterThan(40);
    expect(namedIn(textOf('ARCHITECTURE.md')).length).toBeGreaterThan(40);
  });

  it.each(pages)('names only files that exist in $path', ({ text }) => {
    expect([...new Set(namedIn(text))].filter((name) => !isThere(name))).toEqual([]);
  });

  it.each(pages)('has no more words than it may in $path', ({ path, text }) => {
    expect(wordsIn(text)).toBeLessThanOrEqual(WORDS_MAX[path] ?? WORDS_OF_FEATURE_MAX);
  });

  it('has paragraphs of at most six lines', () => {
    const isLong = (text: string): boolean => {
      const lines = text.split('\n');
      return lines.length > LINES_MAX || lines.some((line) => line.length > LINE_LENGTH);
    };
    const wrapped = pages.filter(
      ({ path }) => path === 'ARCHITECTURE.md' || !(path in WORDS_MAX || path.startsWith('test/')),
    );
    const long = wrapped.flatMap(({ path, text }) =>
      paragraphsOf(text)
        .filter(isLong)
        .map((paragraph) => `${path}: ${paragraph}`),
    );
    expect(long).toEqual([]);
  });

  it('prints the table of who conducts a thread', () => {
    const [, header, body] =
      /\n(\| Event .*)\n\|[-|]+\n((?:\|.*\n)+)/.exec(textOf('libs/domain/src/ai-switch/README.md')) ?? [];
    const wordsOf = (line: string): string[] =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => /`(\w+)`|–/.exec(cell)?.[1] ?? '–');
    expect(wordsOf(header ?? '').slice(1)).toEqual(CONDUCTORS);
    const printed = (body ?? '').trim().split('\n').map(wordsOf);
    const nextOf = (now: Conductor, next: Conductor): string => (next === now ? '–' : next);
    expect(printed).toEqual(
      Object.entries(CONDUCT).map(([event, next]) => [
        event,
        ...CONDUCTORS.map((now) => nextOf(now, next[now])),
      ]),
    );
  });

  it('shows five ways through the system, each step by step', () => {
    const part = /## Five ways through the house([\s\S]*?)\n## /.exec(textOf('ARCHITECTURE.md'))?.[1] ?? '';
    const ways = part.split('\n### ').slice(1);
    expect(ways.length).toBe(5);
    expect(ways.filter((way) => namedIn(way).length < 3).map((way) => way.split('\n')[0])).toEqual([]);
  });
});
