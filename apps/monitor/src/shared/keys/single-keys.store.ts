import { useSyncExternalStore } from 'react';

const KEY = 'leadline.single-keys';
const listeners = new Set<() => void>();

/** Whether single keys, such as M and J, do something. WCAG 2.1.4 wants that they can be switched off. */
export const areSingleKeysOn = (): boolean => localStorage.getItem(KEY) !== 'off';

/** It holds in this browser, whoever signs in. */
export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
  for (const listener of listeners) listener();
}

/** {@link areSingleKeysOn}, in a component. */
export const useSingleKeys = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    // Switched in another tab.
    addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      removeEventListener('storage', listener);
    };
  }, areSingleKeysOn);
