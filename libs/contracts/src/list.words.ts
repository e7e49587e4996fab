/**
 * Orders of lists of dialogs:
 * - opened: the last opened first;
 * - activity: the last active first;
 * - waiting: whose customer waits longest first; behind them those in which none waits, the last opened first.
 */
export const THREAD_SORTS = ['opened', 'activity', 'waiting'] as const;

export type ThreadSort = (typeof THREAD_SORTS)[number];
