/** The plural forms that Russian has and English does not. */
type RussianForms<Key> = Key extends `${infer Base}_other`
  ? `${Base}_one` | `${Base}_few` | `${Base}_many` | `${Base}_other`
  : Key;

/** Words of a feature in English, by key. A counted one has `_one` and `_other`. */
export type English = Record<string, string>;

/** The same words in Russian. A counted one has `_one`, `_few`, `_many` and `_other`: i18next shows the bare key otherwise. */
export type Russian<Words extends English> = Record<RussianForms<keyof Words & string>, string>;

/** What can be asked for: counted words by their common name. */
export type WordKey<Words extends English> = keyof Words extends infer Key
  ? Key extends `${infer Base}_${'one' | 'few' | 'many' | 'other'}`
    ? Base
    : Key
  : never;

type WordValues = Record<string, string | number>;

/** Says a word in the language of the page. */
export type Say<Words extends English> = (key: WordKey<Words> & string, values?: WordValues) => string;
