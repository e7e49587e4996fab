import type { States } from '../database/state.fragments';

/** The states of an import, each with those that may follow it. Callers see none that is loading. */
export const STORED_IMPORT_STATES = {
  /** Its rows are being stored. Whoever uploads it has no answer yet; what a killed process leaves is deleted. */
  loading: ['running', 'done'],
  running: ['done', 'failed', 'cancelled'],
  done: [],
  failed: [],
  cancelled: [],
} as const satisfies States;

export type StoredImportState = keyof typeof STORED_IMPORT_STATES;
