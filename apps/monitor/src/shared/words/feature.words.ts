import i18next from 'i18next';
import { useTranslation } from 'react-i18next';

/** The plural forms that Russian has and English does not. */
type RussianForms<Key> = Key extends `${infer Base}_other`
  ? `${Base}_one` | `${Base}_few` | `${Base}_many` | `${Base}_other`
  : Key;

/** Words of a feature in English, by key. A counted one has `_one` and `_other`. */
export type English = Record<string, string>;

/** The same words in Russian. A counted one has `_one`, `_few`, `_many` and `_other`: i18next shows the bare key otherwise. */
export type Russian<Words extends English> = Record<RussianForms<keyof Words & string>, string>;

/** What can be asked for: counted words by their common name. */
type WordKey<Words extends English> = keyof Words extends infer Key
  ? Key extends `${infer Base}_${'one' | 'few' | 'many' | 'other'}`
    ? Base
    : Key
  : never;

type WordValues = Record<string, string | number>;

/** Says a word in the language of the page. */
export type Say<Words extends English> = (key: WordKey<Words> & string, values?: WordValues) => string;

/** The words of one feature, which come with its chunk. */
interface FeatureWords<Words extends English> {
  /** Says them, and draws anew when the language changes. */
  use(): Say<Words>;
  /** Outside components: in the present language. */
  say: Say<Words>;
  /** For keys that come from elsewhere, such as codes of errors. */
  has(key: string): key is WordKey<Words> & string;
}

/**
 * Declares the words of a feature in both languages.
 * @param feature unique among the page's features
 */
export function featureWords<const Words extends English>(
  feature: string,
  words: { en: Words; ru: Russian<Words> },
): FeatureWords<Words> {
  const add = (): void => {
    i18next.addResourceBundle('en', feature, words.en);
    i18next.addResourceBundle('ru', feature, words.ru);
  };
  if (i18next.isInitialized) add();
  else i18next.on('initialized', add);
  // Its own types of keys would be checked against nothing: ours are.
  const translate = i18next.t as unknown as (key: string, options: object) => string;
  const say: Say<Words> = (key, values) => translate(key, { ns: feature, ...values });
  return {
    use: () => {
      useTranslation(feature);
      return say;
    },
    say,
    has: (key): key is WordKey<Words> & string => key in words.en || `${key}_other` in words.en,
  };
}
