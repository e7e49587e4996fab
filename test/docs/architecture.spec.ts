import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CONDUCT, CONDUCTORS, type Conductor } from '@app/persistence/threads/conductor.rules';
import { ROOT } from './markdown.document';

const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const LINES_MAX = 6;
const LINE_LENGTH = 120;

/** Paragraphs of prose: neither headings, tables, lists nor blocks. */
const paragraphs = page
  .replaceAll(/```[\s\S]*?```/g, '')
  .split(/\n{2,}/)
  .filter((text) => /^[\p{L}`*]/u.test(text));

/** Files that the page names, by path or by name alone. */
const named = [...page.matchAll(/`([\w./-]+\.(?:ts|md))`/g)].map(([, name]) => String(name));

const files = ['apps', 'libs', 'test', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);

describe('ARCHITECTURE.md', () => {
  it('names only files that exist', () => {
    expect(named.length).toBeGreaterThan(40);
    const names = new Set(files.map((file) => basename(file)));
    const isThere = (name: string): boolean =>
      existsSync(join(ROOT, name)) ||
      (name.includes('/') ? files.some((file) => file.endsWith(`/${name}`)) : names.has(name));
    expect([...new Set(named)].filter((name) => !isThere(name))).toEqual([]);
  });

  it('has paragraphs of at most six lines', () => {
    expect(paragraphs.length).toBeGreaterThan(30);
    const isLong = (text: string): boolean => {
      const lines = text.split('\n');
      return lines.length > LINES_MAX || lines.some((line) => line.length > LINE_LENGTH);
    };
    expect(paragraphs.filter(isLong)).toEqual([]);
  });

  it('prints the table of who conducts a thread', () => {
    const [, header, body] = /\n(\| Event .*)\n\|[-|]+\n((?:\|.*\n)+)/.exec(page) ?? [];
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

  it('has a diagram for each way through the system', () => {
    const ways = /## How things flow([\s\S]*?)\n## /.exec(page)?.[1]?.split('\n### ').slice(1) ?? [];
    expect(ways.length).toBeGreaterThan(6);
    expect(ways.filter((way) => !way.includes('```mermaid')).map((way) => way.split('\n')[0])).toEqual([]);
  });
});
