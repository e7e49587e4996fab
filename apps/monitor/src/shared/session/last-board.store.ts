const KEY = 'leadline.last-board';

/** The agent whose board this browser showed last. `/` leads there. */
export const lastBoard = {
  read: (): string | null => localStorage.getItem(KEY),
  keep: (assistantId: string): void => localStorage.setItem(KEY, assistantId),
};
