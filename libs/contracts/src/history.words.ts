import { STATUS_SETTERS } from './lead.words';

/** Kinds of entries in a dialog's history. */
export const HISTORY_TYPES = [
  'status',
  'ai',
  'handler',
  'opt_out',
  'reply_discarded',
  'attention',
  'model_error',
  'scenario',
  'name',
  'assignee',
  'erased',
  'message_edited',
  'message_deleted',
] as const;

export type HistoryType = (typeof HISTORY_TYPES)[number];

/**
 * Who caused an entry: an actor who may set a stage, the customer (`USER`), a person in the messenger's own app
 * (`OPERATOR`), or the messenger (`PROVIDER`).
 */
export const HISTORY_AUTHORS = [...STATUS_SETTERS, 'USER', 'OPERATOR', 'PROVIDER'] as const;
