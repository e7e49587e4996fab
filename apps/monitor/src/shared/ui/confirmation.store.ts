import { ApiError } from '@app/client/api.errors';
import { useSyncExternalStore } from 'react';
import { passFocus } from './focus.hook';

/** Somebody waits for the password. */
interface Asked {
  answer: (isConfirmed: boolean) => void;
}

let asked: Asked | null = null;
const listeners = new Set<() => void>();

function set(next: Asked | null): void {
  asked = next;
  for (const listener of listeners) listener();
}

export const useAskedConfirmation = (): Asked | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked,
  );

/** The person was asked for the password and gave none. Nothing was changed. */
export class NotConfirmedError extends Error {}

/**
 * Makes a grave change, for which the server may want the password again: then it is asked for, and the change made.
 * @throws NotConfirmedError where none was given.
 */
export async function confirmed<Result>(change: () => Promise<Result>): Promise<Result> {
  const before = document.activeElement;
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CONFIRM_REQUIRED')) throw error;
  }
  const isConfirmed = await new Promise<boolean>((answer) => set({ answer }));
  set(null);
  try {
    if (!isConfirmed) throw new NotConfirmedError();
    return await change();
  } finally {
    // The button that was pressed was disabled while the password was asked for, so the dialog could not give it back.
    if (before instanceof HTMLElement) passFocus(() => before);
  }
}
