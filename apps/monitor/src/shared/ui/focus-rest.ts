import { useEffect, useState } from 'react';
import { passFocus } from './focus-pass';

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
