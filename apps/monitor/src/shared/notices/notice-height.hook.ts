import { useCallback } from 'react';

const PROPERTY = '--ll-notices-height';

/** For the element of all notices: tells how much of the page's lower edge they lie over, so that a board keeps its cards clear. */
export function useNoticeHeight(): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback((element) => {
    if (!element) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const { height } = element.getBoundingClientRect();
      if (height === 0) style.removeProperty(PROPERTY);
      else style.setProperty(PROPERTY, `${height}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(PROPERTY);
    };
  }, []);
}
