import { useEffect, useRef, type FocusEvent } from 'react';
import { passFocus } from '../ui/focus.pass';
import type { Notice } from './notice.store';

/** An element that had the focus; or its card, where an undone move has put it elsewhere; or the page. */
function stillThere(element: HTMLElement): HTMLElement | null {
  if (element.isConnected) return element;
  const threadId = element.closest<HTMLElement>('[data-thread-id]')?.dataset.threadId ?? '';
  const card = document.querySelector<HTMLElement>(
    `[role=listitem][data-thread-id="${CSS.escape(threadId)}"]`,
  );
  return card ?? document.getElementById('content');
}

/** A notice that goes while the focus is in it gives it back to where it was before. @returns for the element around all */
export function useNoticeFocus(notices: readonly Notice[]) {
  const isWithin = useRef(false);
  const before = useRef<EventTarget | null>(null);
  useEffect(() => {
    if (!isWithin.current) return;
    passFocus(() => {
      isWithin.current = false;
      return before.current instanceof HTMLElement ? stillThere(before.current) : null;
    });
  }, [notices]);
  const isFromOutside = ({ relatedTarget, currentTarget }: FocusEvent): boolean =>
    !currentTarget.contains(relatedTarget);
  return {
    onFocus: (event: FocusEvent): void => {
      if (!isFromOutside(event)) return;
      isWithin.current = true;
      before.current = event.relatedTarget;
    },
    onBlur: (event: FocusEvent): void => {
      if (event.relatedTarget !== null && isFromOutside(event)) isWithin.current = false;
    },
  };
}
