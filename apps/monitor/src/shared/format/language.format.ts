import { presentLanguage } from '../words/language.store';

/** The language of a template, as its registry names it (`ru`, `en_US`), in the language of the page. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(presentLanguage(), { type: 'language' }).of(code.replace('_', '-')) ?? code;
  } catch {
    return code;
  }
}
