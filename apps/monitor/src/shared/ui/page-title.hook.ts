import { useEffect } from 'react';

const PRODUCT = 'Leadline';

let shown = '';
let number = 0;

const write = (): void => {
  document.title = number === 0 ? shown : `(${number}) ${shown}`;
};

/** The icon of the page with a number on it. */
const numberedIcon = (words: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e5f"/>` +
  `<path d="M7 7v18h7" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>` +
  `<circle cx="21" cy="12" r="11" fill="#c92a2a"/>` +
  `<text x="21" y="17" text-anchor="middle" font-family="sans-serif" font-weight="bold" font-size="14" fill="#fff">${words}</text></svg>`;

let plainIcon: string | null = null;

/** Shows a number in the tab, before the title of every page and in its icon; none for zero. */
export function showNumberInTab(count: number): void {
  number = count;
  write();
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!icon) return;
  plainIcon ??= icon.href;
  icon.href =
    count === 0
      ? plainIcon
      : `data:image/svg+xml,${encodeURIComponent(numberedIcon(count > 99 ? '99' : String(count)))}`;
}

/**
 * Names the page in its tab. Never by a customer: the browser's history keeps titles after the sign-out.
 * @param names the narrowest first
 */
export function usePageTitle(...names: readonly (string | undefined)[]): void {
  const given = names.filter((name) => name !== undefined && name !== '');
  const title = (given.some((name) => name?.includes(PRODUCT)) ? given : [...given, PRODUCT]).join(' · ');
  useEffect(() => {
    shown = title;
    write();
  }, [title]);
}
