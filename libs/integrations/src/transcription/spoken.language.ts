/** By the names that Whisper has and the tables of languages have not, and by codes that are none. */
const OTHERS: Readonly<Record<string, string>> = {
  ...{
    castilian: 'es',
    cantonese: 'zh',
    mandarin: 'zh',
    flemish: 'nl',
    myanmar: 'my',
    'haitian creole': 'ht',
  },
  ...{ letzeburgesch: 'lb', moldavian: 'ro', moldovan: 'ro', nynorsk: 'nn', panjabi: 'pa', pushto: 'ps' },
  ...{ sinhalese: 'si', tagalog: 'tl', valencian: 'ca', haitian: 'ht', maori: 'mi', jw: 'jv', yue: 'zh' },
  ...{ farsi: 'fa', bengali: 'bn', filipino: 'tl', fil: 'tl' },
};

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** All codes of two letters by their English names, made when one is needed first. */
let named: ReadonlyMap<string, string> | undefined;

function byName(): ReadonlyMap<string, string> {
  named ??= namesOfAll();
  return named;
}

function namesOfAll(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  // Of several codes with one name only one is of ISO 639-1 today.
  const present = codes.filter((code) => canonical(code) === code);
  return new Map(
    present.flatMap((code) => {
      const name = names.of(code)?.toLowerCase();
      return name === undefined ? [] : [[name, code]];
    }),
  );
}

function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0]?.split('-')[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * The language as ISO 639-1: servers call it `english`, `en`, `eng` or `en-US`.
 * @returns null where it is not known
 */
export function languageCode(told: unknown): string | null {
  if (typeof told !== 'string') return null;
  const word = told.trim().toLowerCase();
  const known = OTHERS[word] ?? byName().get(word);
  if (known !== undefined) return known;
  const code = /^[a-z]{2,3}(?:[-_][a-z0-9]+)*$/.test(word) ? canonical(word.replaceAll('_', '-')) : null;
  if (code === null) return null;
  return OTHERS[code] ?? (code.length === 2 && [...byName().values()].includes(code) ? code : null);
}
