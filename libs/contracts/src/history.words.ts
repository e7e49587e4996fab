/** Kinds of entries in a dialog's history. */
export const HISTORY_TYPES = ['status', 'ai', 'handler', 'opt_out'] as const;

export type HistoryType = (typeof HISTORY_TYPES)[number];
