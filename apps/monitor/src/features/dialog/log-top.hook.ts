import { useEffect, type RefObject } from 'react';

const PROPERTY = '--ll-log-top';

/**
 * Tells the page's styles where the log begins. On a phone notices are shown there: above it they would lie over what is
 * pressed, below it over what is typed.
 */
export function useLogTop(log: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() =>
      style.setProperty(PROPERTY, `${element.getBoundingClientRect().top}px`),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(PROPERTY);
    };
  }, [log]);
}
