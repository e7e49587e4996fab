import { useEffect, useState, useRef, type FocusEvent } from 'react';

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

/** Marks the headings at which the focus rests when what had it is gone: that of the open entry, else that of the list. */
export const FOCUS_REST = { 'data-focus-rest': '', tabIndex: -1 } as const;

const rest = (): void =>
  passFocus(() => [...document.querySelectorAll<HTMLElement>('[data-focus-rest]')].at(-1));

/**
 * For a question or a notice over the page: what asked for it, and would get the focus back, may be gone by its answer.
 * @returns what its dialog does when it has closed
 */
export function useFocusRest(): () => void {
  const [closings, setClosings] = useState(0);
  // Not before the dialog is out of the document: until then it has the focus itself.
  useEffect(() => {
    if (closings > 0) rest();
  }, [closings]);
  useEffect(() => rest, []);
  return () => setClosings((count) => count + 1);
}

/** For what may go away while it has the focus. @param next what has the focus then @returns handlers for its element */
export function usePassedFocus(next: () => HTMLElement | null | undefined) {
  const isWithin = useRef(false);
  const latest = useRef(next);
  latest.current = next;
  useEffect(
    () => () => {
      if (isWithin.current) passFocus(latest.current);
    },
    [],
  );
  return {
    onFocus: (): void => void (isWithin.current = true),
    // It may have been disabled, and go away after that.
    onBlur: ({ relatedTarget }: FocusEvent): void => void (isWithin.current = relatedTarget === null),
  };
}
