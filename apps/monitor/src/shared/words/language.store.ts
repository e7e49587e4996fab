import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

const LANGUAGES = ['en', 'ru'] as const;

export type Language = (typeof LANGUAGES)[number];

const KEY = 'leadline.language';

const isLanguage = (text: string | null | undefined): text is Language =>
  LANGUAGES.some((language) => language === text);

/** What this browser's user chose here; null: nothing yet. */
function chosen(): Language | null {
  const kept = localStorage.getItem(KEY);
  return isLanguage(kept) ? kept : null;
}

/** The first of the browser's languages that the page has. */
function ofBrowser(): Language | null {
  const first = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage);
  return first ?? null;
}

/** Sets up the words of the page. The browser chooses the language at first, then its user. */
export function startLanguage(): void {
  void i18next.use(initReactI18next).init({
    lng: chosen() ?? ofBrowser() ?? 'en',
    fallbackLng: false,
    resources: {},
    ns: [],
    initAsync: false,
    // React escapes what it shows. Names of customers may look like words of ours to be filled in.
    interpolation: { escapeValue: false, skipOnVariables: true },
    react: { useSuspense: false, bindI18nStore: 'added' },
  });
  tellDocument();
  i18next.on('languageChanged', tellDocument);
  // Chosen in another tab.
  addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && isLanguage(newValue)) void i18next.changeLanguage(newValue);
  });
}

/** Where the browser has none of our languages, that of the person counts. */
export function suggestLanguage(language: Language): void {
  if (chosen() === null && ofBrowser() === null) void i18next.changeLanguage(language);
}

/** The person has chosen it, and from then on it holds in this browser. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  void i18next.changeLanguage(language);
}

export const presentLanguage = (): Language => (isLanguage(i18next.language) ? i18next.language : 'en');

/** For dates and numbers: the browser's own variant of the language, such as en-GB, where it has one. */
export function presentLocale(): string {
  const language = presentLanguage();
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
}

function tellDocument(): void {
  document.documentElement.lang = presentLanguage();
}

/** The language of a template, as its registry names it (`ru`, `en_US`), in the language of the page. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(presentLanguage(), { type: 'language' }).of(code.replace('_', '-')) ?? code;
  } catch {
    return code;
  }
}
