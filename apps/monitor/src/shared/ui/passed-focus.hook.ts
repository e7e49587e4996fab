import { useEffect, useRef, type FocusEvent } from 'react';
import { passFocus } from './focus.pass';

/** For what may go while the focus is in it. @param next what has the focus then @returns for its element */
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
    // What goes, or is disabled, leaves the focus nowhere.
    onBlur: ({ relatedTarget }: FocusEvent): void => void (isWithin.current = relatedTarget === null),
  };
}
