/** Names and codes that Whisper uses and ICU's tables lack. */
const ALIASES: Readonly<Record<string, string>> = {
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

/** ISO 639-1 codes by their English names; built on first use. */
let named: ReadonlyMap<string, string> | undefined;

function byName(): ReadonlyMap<string, string> {
  named ??= buildNames();
  return named;
}

function buildNames(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  // Retired codes share a name with the current one.
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
 * Servers name the language `english`, `en`, `eng` or `en-US`.
 * @returns its ISO 639-1 code; null where it is not known
 */
export function languageCode(told: unknown): string | null {
  if (typeof told !== 'string') return null;
  const word = told.trim().toLowerCase();
  const known = ALIASES[word] ?? byName().get(word);
  if (known !== undefined) return known;
  const code = /^[a-z]{2,3}(?:[-_][a-z0-9]+)*$/.test(word) ? canonical(word.replaceAll('_', '-')) : null;
  if (code === null) return null;
  return ALIASES[code] ?? (code.length === 2 && [...byName().values()].includes(code) ? code : null);
}
