import { useEffect, useRef, type FocusEvent } from 'react';
import { passFocus } from './focus-pass';

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
