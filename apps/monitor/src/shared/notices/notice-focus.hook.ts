import { useEffect, useRef, type FocusEvent } from 'react';
import { passFocus } from '../ui/focus-pass';
import type { Notice } from './notice.store';

/** The element itself; or its card, which an undone move may have drawn anew elsewhere; or the page. */
function presentOf(element: HTMLElement): HTMLElement | null {
  if (element.isConnected) return element;
  const threadId = element.closest<HTMLElement>('[data-thread-id]')?.dataset.threadId ?? '';
  const card = document.querySelector<HTMLElement>(
    `[role=listitem][data-thread-id="${CSS.escape(threadId)}"]`,
  );
  return card ?? document.getElementById('content');
}

/** A notice that goes away with the focus in it gives it back to where it was. @returns handlers for what is around all */
export function useNoticeFocus(notices: readonly Notice[]) {
  const isWithin = useRef(false);
  const before = useRef<EventTarget | null>(null);
  useEffect(() => {
    if (!isWithin.current) return;
    passFocus(() => {
      isWithin.current = false;
      return before.current instanceof HTMLElement ? presentOf(before.current) : null;
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
