const link = (): HTMLLinkElement | null => document.querySelector('link[rel=icon]');

let plain: string | null = null;

/** The icon of the page with a number on it. */
const numbered = (words: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e5f"/>` +
  `<path d="M7 7v18h7" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>` +
  `<circle cx="21" cy="12" r="11" fill="#c92a2a"/>` +
  `<text x="21" y="17" text-anchor="middle" font-family="sans-serif" font-weight="bold" font-size="14" fill="#fff">${words}</text></svg>`;

/** Shows a number in the icon of the tab; none for zero. */
export function numberIcon(number: number): void {
  const icon = link();
  if (!icon) return;
  plain ??= icon.href;
  icon.href =
    number === 0
      ? plain
      : `data:image/svg+xml,${encodeURIComponent(numbered(number > 99 ? '99' : String(number)))}`;
}
