import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const keyOf = (userId: string): string => `leadline.alerts.${userId}`;

/** Whether a person is told in this browser, whose permission it takes. */
export const areAlertsOn = (userId: string): boolean => localStorage.getItem(keyOf(userId)) === 'on';

export function switchAlerts(userId: string, isOn: boolean): void {
  if (isOn) localStorage.setItem(keyOf(userId), 'on');
  else localStorage.removeItem(keyOf(userId));
  for (const listener of listeners) listener();
}

/** {@link areAlertsOn}, in a component. */
export const useAlertsOn = (userId: string): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      // Switched in another tab.
      addEventListener('storage', listener);
      return () => {
        listeners.delete(listener);
        removeEventListener('storage', listener);
      };
    },
    () => areAlertsOn(userId),
  );
