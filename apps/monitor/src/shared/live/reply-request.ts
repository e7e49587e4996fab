const asked = new Set<string>();
const listeners = new Set<() => void>();

/** Somebody wants to write in a dialog at once: its composer takes the focus when it is there. */
export const replyRequest = {
  ask(threadId: string): void {
    asked.clear();
    asked.add(threadId);
    for (const listener of listeners) listener();
  },
  /** @returns whether it was asked for; once */
  take: (threadId: string): boolean => asked.delete(threadId),
  /** For the composer of a dialog that is open already. */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
