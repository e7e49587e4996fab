/**
 * Browsers take the focus from a button that is disabled while it works. It has it again when it can be pressed again,
 * unless the person has gone elsewhere meanwhile.
 */
export function keepFocusOverWork(): void {
  let last: HTMLElement | null = null;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof HTMLElement ? target : null;
  });
  document.addEventListener('focusout', () => {
    if (!last?.matches(':disabled')) last = null;
  });
  new MutationObserver(() => {
    if (last === null || last.matches(':disabled') || document.activeElement !== document.body) return;
    last.focus({ preventScroll: true });
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
}
