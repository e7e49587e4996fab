/**
 * For when what has the focus goes away, now or with the next drawing: the focus passes to something else, unless the
 * person is elsewhere by then.
 */
export function passFocus(next: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) next()?.focus();
  });
}
