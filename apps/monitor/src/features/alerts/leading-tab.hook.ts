import { useEffect, useRef, type RefObject } from 'react';

/**
 * Whether this tab tells: of all tabs of a person in a browser one does. Browsers have locks where the page came by https or
 * from this machine; elsewhere each tab tells.
 */
export function useIsLeadingTab(userId: string): RefObject<boolean> {
  const isLeading = useRef(false);
  useEffect(() => {
    if (!navigator.locks) {
      isLeading.current = true;
      return;
    }
    const left = new AbortController();
    let giveBack = (): void => undefined;
    const held = (): Promise<void> => {
      isLeading.current = true;
      return new Promise((resolve) => (giveBack = resolve));
    };
    navigator.locks
      .request(`leadline.alerts.${userId}`, { signal: left.signal }, held)
      // The page was left before its turn came.
      .catch(() => undefined);
    return () => {
      isLeading.current = false;
      left.abort();
      giveBack();
    };
  }, [userId]);
  return isLeading;
}
