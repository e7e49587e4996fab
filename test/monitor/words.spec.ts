import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Declared {
  en: Record<string, string>;
  ru: Record<string, string>;
}

/** As they are declared: nothing is put into i18next here. */
jest.mock('../../apps/monitor/src/shared/words/feature.words', () => ({
  featureWords: (_feature: string, words: object) => ({ ...words, say: String, use: () => String }),
}));

const SOURCE = join(__dirname, '../../apps/monitor/src');
const RUSSIAN_FORMS = ['few', 'many', 'one', 'other'];
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(SOURCE, file), 'utf8') }));

/** Words of the contracts, which the page asks for as they come: `account.create` as `account_create`. */
const contractWords = new Set(
  ['libs/contracts/src', 'libs/client/src'].flatMap((folder) =>
    readdirSync(join(__dirname, '../..', folder), { encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap((file) =>
        Array.from(
          readFileSync(join(__dirname, '../..', folder, file), 'utf8').matchAll(/'([a-z][\w.-]*)'/g),
          ([, word = '']) => word.replaceAll('.', '_'),
        ),
      ),
  ),
);

const features = sources.flatMap(({ file, text }) => {
  const [, name] = /export const (\w+) = featureWords\(/.exec(text) ?? [];
  return name === undefined ? [] : [{ file, name }];
});

const wordsOf = ({ file, name }: { file: string; name: string }): Declared =>
  jest.requireActual<Record<string, Declared>>(join(SOURCE, file))[name] ?? { en: {}, ru: {} };

const placesIn = (text: string): string =>
  [...new Set(Array.from(text.matchAll(/\{\{\s*(\w+)[^{}]*\}\}/g), ([, name]) => name))].sort().join(' ');

const baseOf = (key: string): string => key.replace(/_(one|few|many|other)$/, '');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The keys that a code may ask for: those written out, and those that begin or end with what a template has. */
function askedIn(text: string): RegExp {
  const whole = Array.from(text.matchAll(/['`](\w+)['`]/g), ([, key = '']) => escaped(key));
  const made = Array.from(text.matchAll(/`(\w*)\$\{[^`}]*\}(\w*)`/g), ([, start = '', end = '']) =>
    start + end === '' ? 'nothing at all' : `${start}[\\w-]+${end}`,
  );
  return new RegExp(`^(?:${[...new Set([...whole, ...made])].join('|')})$`);
}

it('the page has words', () => {
  expect(features.length).toBeGreaterThan(20);
});

describe.each(features)('the words of $file', ({ file, name }) => {
  const { en, ru } = wordsOf({ file, name });

  it('have the same places for values in both languages', () => {
    const places = ({ words, key }: { words: Record<string, string>; key: string }) =>
      placesIn(words[key] ?? '');
    const differing = Object.keys(en).filter(
      (key) => places({ words: en, key }) !== places({ words: ru, key }),
    );
    // Only one of something may be said without its number.
    expect(differing.filter((key) => !key.endsWith('_one'))).toEqual([]);
  });

  it('have the four forms of a counted word in Russian', () => {
    const counted = Object.keys(en).flatMap((key) => (key.endsWith('_other') ? [baseOf(key)] : []));
    const formsOf = (base: string) => RUSSIAN_FORMS.filter((form) => `${base}_${form}` in ru);
    expect(counted.filter((base) => formsOf(base).length < RUSSIAN_FORMS.length)).toEqual([]);
  });

  it('are all said somewhere', () => {
    const users = sources.filter(
      (source) =>
        source.file !== file && (source.text.includes(name) || dirname(source.file) === dirname(file)),
    );
    const own = sources.find((source) => source.file === file)?.text.split('\n});')[1] ?? '';
    const texts = [...users.map(({ text }) => text), own];
    // Of keys that come from elsewhere it is asked first whether they are there.
    if (texts.some((text) => text.includes(`${name}.has(`))) return;
    const asked = askedIn(texts.join('\n'));
    expect(
      [...new Set(Object.keys(en).map(baseOf))].filter((key) => !asked.test(key) && !contractWords.has(key)),
    ).toEqual([]);
  });
});
