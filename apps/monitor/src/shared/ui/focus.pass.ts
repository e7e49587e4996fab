/**
 * What had the focus has gone, or is to go with the next drawing: the focus passes to what stands in its stead, unless the
 * person is elsewhere by then.
 */
export function passFocus(next: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) next()?.focus();
  });
}
