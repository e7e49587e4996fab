import type { ErrorCode } from './error-codes';
import type {
  Attention,
  AttentionReason,
  ThreadSort,
  Actor,
  Assignee,
  FunnelStage,
  MessageHandler,
  StageRef,
  StatusSetBy,
  WaitingReason,
} from './lead.words';
import type { MessageLines } from './message-content';
import type { Channel, Message } from './message.words';
import type { RunState } from './scenario.words';
import type { StageKind } from './stage.words';

/** Types of entries that name a message by `message_id` in their body. */
export const MESSAGE_TYPES = [
  ...(['message', 'message_state', 'message_transcribed'] as const),
  ...(['message_edited', 'message_deleted'] as const),
] as const;

/**
 * Types of entries that are about no dialog. Their thread is {@link NIL_ID}, and so is their agent where they are about none.
 * Only webhooks tell them. Boards have others of their own, such as `funnel`.
 */
export const ACCOUNT_TYPES = [
  'batch',
  'import',
  'template',
  'bot_trouble',
  'quota_low',
  'webhook_disabled',
] as const;

export type AccountEventType = (typeof ACCOUNT_TYPES)[number];

/** The Socket.IO namespace of the live board. */
export const BOARD_NAMESPACE = '/board';

/** How the customer of a dialog is known. `username` is shown, and is no address: it may pass to somebody else. */
export interface Customer {
  /** With its plus, as it was asked for or typed. */
  phone: string | null;
  /** The digits by which the messenger knows the phone; they may differ from it. */
  wa_id: string | null;
  /** The messenger's id of the customer for this business. */
  user_id: string | null;
  username: string | null;
  /** The customer has shared the phone when asked for it. */
  phone_proven: boolean;
}

/** A lead as a card on the board. */
export interface Card {
  thread_id: string;
  assistant_id: string;
  bot_id: string;
  channel: string;
  phone: string | null;
  customer: Customer;
  /** Other dialogs that turned out to be of the same customer. */
  same_customer: string[];
  /** Another AI on the number conducts it, as the messenger says: the agent is silent. */
  conducted_elsewhere: boolean;
  customer_name: string | null;
  message_handler: MessageHandler;
  ai_enabled: boolean;
  opted_out: boolean;
  /** When the takeover by an operator ends by itself; null: none runs, or it goes on until somebody ends it. */
  takeover_until: string | null;
  waiting: boolean;
  /** When the customer wrote the first of the messages that wait; null: none waits. */
  waiting_since: string | null;
  /** Why that message has no answer yet; null: none waits. */
  waiting_reason: WaitingReason | null;
  /** When the 24 hours end in which free texts can be sent; null: the customer has not written yet. */
  window_until: string | null;
  lead_status: StageRef | null;
  status_set_at: string | null;
  status_set_by: StatusSetBy | null;
  /** When the stage was cleared; null: it has one, or never had any. */
  status_cleared_at: string | null;
  /** `lines`: what it is in each language, only where its text alone does not say it; then `text` is the English line. */
  last_message: { role: string; text: string; lines?: MessageLines; created_at: string } | null;
  unread_count: number;
  /** Why an operator is asked for; null: no operator is needed. */
  attention: Attention | null;
  /** The person to whom it is assigned; null: nobody. */
  assignee: Assignee | null;
  /** When everything about the customer was erased; null: it was not. */
  erased_at: string | null;
  created_at: string;
  updated_at: string;
  /** Grows with every change of the dialog. Of two states of a card, the one with the higher version is right. */
  version: number;
}

export interface BoardColumn {
  /** Null is the column of leads without a stage. */
  status_id: string | null;
  total: number;
  cards: Card[];
  /** For `board:more`; null at the end of the column. */
  next_cursor: string | null;
}

/** The fields that every event of a dialog has. */
interface BoardEventBase {
  seq: number;
  thread_id: string;
  version: number;
  at: string;
  /** The id of the call that caused it, by which a client knows its own; null: the service did it by itself. */
  request_id: string | null;
  /** Who did it; null: the service did it by itself, the customer or the messenger. */
  actor: Actor | null;
  /** On a board with a filter: whether the card passes it after the event. */
  in_filter?: boolean;
}

export interface CardMoved extends BoardEventBase {
  from_status_id: string | null;
  to_status_id: string | null;
  status: StageRef | null;
  status_set_by: StatusSetBy | null;
  status_set_at: string | null;
  card: Card;
}

export interface AiSwitched extends BoardEventBase {
  ai_enabled: boolean;
  message_handler: MessageHandler;
  card: Card;
}

/** A dialog was opened, or its card changed in a way that no other event reports. */
export interface CardChanged extends BoardEventBase {
  card: Card;
}

export interface MessageChanged extends BoardEventBase {
  message: Message;
  card: Card;
}

/** Events of a dialog, by name. */
export interface BoardEvents {
  'card.moved': CardMoved;
  'card.created': CardChanged;
  'card.updated': CardChanged;
  'ai.switched': AiSwitched;
  'message.created': MessageChanged;
  'message.updated': MessageChanged;
}

/** The names of the events of a dialog. */
export const BOARD_EVENTS = [
  ...(['card.moved', 'card.created', 'card.updated', 'ai.switched'] as const),
  ...(['message.created', 'message.updated'] as const),
] satisfies (keyof BoardEvents)[];

export type BoardEvent = {
  [Name in keyof BoardEvents]: { event: Name } & BoardEvents[Name];
}[keyof BoardEvents];

/** How many leads a column has now. Sent at most twice a second, for each column that gained or lost a lead. */
export interface ColumnTotal {
  assistant_id: string;
  /** Null is the column of leads without a stage. */
  status_id: string | null;
  total: number;
}

/** A person who looks at a dialog. */
export interface PresentUser {
  id: string;
  name: string;
  typing: boolean;
}

/** Who looks at a dialog now. Sent when somebody comes, goes, or begins or ends to type. Nothing is stored of it. */
export interface DialogPresence {
  thread_id: string;
  /** By their ids; empty: nobody any more. */
  users: PresentUser[];
}

export type PresenceNews = { event: 'presence' } & DialogPresence;

/** The events that an open board gets: what happened to a dialog, who looks at it, and how many leads its columns have. */
export type BoardNews = BoardEvent | PresenceNews | ({ event: 'column.total' } & ColumnTotal);

/** Which leads a board shows, by the filters of get-threads. */
export interface BoardFilter {
  bot_id?: string;
  channel?: Channel;
  /** Null: leads without a stage. */
  status_id?: string | null;
  status_ids?: (string | null)[];
  status_kind?: StageKind;
  message_handler?: MessageHandler;
  waiting?: boolean;
  unread?: boolean;
  opted_out?: boolean;
  attention?: boolean | AttentionReason;
  /** Null: assigned to nobody. */
  assignee_id?: string | null;
  scenario_id?: string;
  run_state?: RunState;
  search?: string;
  created_after?: string;
  created_before?: string;
  active_after?: string;
}

export interface BoardOpenRequest {
  assistant_id: string;
  /** The last `seq` that was seen, of a board with the same filter. */
  since?: number;
  filter?: BoardFilter;
  sort?: ThreadSort;
  /** Cards of each column, 100 at most. */
  limit?: number;
}

export interface BoardMoreRequest {
  assistant_id: string;
  status_id: string | null;
  cursor: string;
  filter?: BoardFilter;
  sort?: ThreadSort;
}

export interface BoardSnapshot {
  /** Give it as `since` after an outage. */
  seq: number;
  statuses: FunnelStage[];
  columns: BoardColumn[];
}

/** Further cards of a column. */
export interface BoardPage extends Omit<BoardColumn, 'total'> {
  /** The feed's mark before the cards were read. */
  seq: number;
}

export interface BoardReplay {
  seq: number;
  events: BoardEvent[];
}

export type BoardAck<T> = { ok: true; data: T } | { ok: false; error: { code: ErrorCode; message: string } };

export interface BoardClientEvents {
  'board:open': (
    request: BoardOpenRequest,
    acknowledge: (answer: BoardAck<BoardSnapshot | BoardReplay>) => void,
  ) => void;
  'board:more': (request: BoardMoreRequest, acknowledge: (answer: BoardAck<BoardPage>) => void) => void;
  'board:close': (request: { assistant_id: string }, acknowledge: (answer: BoardAck<null>) => void) => void;
  'presence:set': (
    request: { thread_id: string | null; typing?: boolean },
    acknowledge: (answer: BoardAck<null>) => void,
  ) => void;
}

export type BoardServerEvents = {
  [Name in keyof BoardEvents]: (event: BoardEvents[Name]) => void;
} & {
  'column.total': (total: ColumnTotal) => void;
  presence: (presence: DialogPresence) => void;
  /**
   * Open the board again, with its last `seq` as `since`: the funnel was changed, the board could not keep up, or the
   * database was restored to an earlier state.
   */
  'board:resync': (notice: { assistant_id: string }) => void;
};
