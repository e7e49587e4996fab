import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPages, ROOT } from './markdown.document';

const PAGE = join(ROOT, 'apps/monitor/src');
const LITERAL = /'((?:[^'\\]|\\.)*)'/g;
/** Which quotes a language has, and where its words begin in a file of words. */
const LANGUAGES = [
  { folder: 'docs/operators/', quoted: /"([^"]+)"/g, begin: '  en: {', end: '  ru: {' },
  { folder: 'docs/operators/ru/', quoted: /«((?:[^«»]|«[^»]*»)+)»/g, begin: '  ru: {', end: '\n});' },
];
/** Quoted, and no words of the page: titles of pages of this documentation. */
const NO_WORDS = new Set(['Этапы, переключатель, подключение человека', 'Доска', 'Диалог']);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What the page says in a language; a value in its place is anything. */
function wordsOf(begin: string, end: string): string[] {
  const files = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.words.ts'),
  );
  return files.flatMap((name) => {
    const text = readFileSync(join(PAGE, name), 'utf8');
    const part = text.slice(text.indexOf(begin) + begin.length).split(end, 1)[0] ?? '';
    return [...part.matchAll(LITERAL)].map(([, word = '']) =>
      word.replaceAll("\\'", "'").replaceAll('\\u00a0', ' '),
    );
  });
}

/** Of a word that is little but values, anything would be an instance. */
const hasOwnWords = (word: string): boolean => word.replaceAll(/\{\{[^}]*\}\}/g, '').trim().length > 3;

describe('the pages for operators', () => {
  it.each(LANGUAGES)('call things as the page does, in $folder', ({ folder, quoted, begin, end }) => {
    const words = wordsOf(begin, end).filter((word) => word !== '');
    expect(words.length).toBeGreaterThan(500);
    const patterns = words
      .filter(hasOwnWords)
      .map((word) => new RegExp(`^${escaped(word).replaceAll(/\\\{\\\{[^}]*\\\}\\\}/g, '.+')}\\.?$`));
    const isSaid = (text: string): boolean => {
      const whole = text.replace(/ …$/, '');
      return words.some((word) => word.includes(whole)) || patterns.some((pattern) => pattern.test(text));
    };
    const pages = readPages().filter(
      ({ path }) => path.startsWith(folder) && !path.slice(folder.length).includes('/'),
    );
    expect(pages.length).toBeGreaterThan(5);
    const unknown = pages.flatMap(({ path, text }) =>
      [...text.matchAll(quoted)]
        .map(([, said = '']) => said)
        .filter((said) => !NO_WORDS.has(said) && !isSaid(said))
        .map((said) => `${path}: ${said}`),
    );
    expect(unknown).toEqual([]);
  });
});
