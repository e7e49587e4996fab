import type { AttentionReason } from './attention.words';
import type { ErrorCode } from './error.codes';
import type { Message } from './message.words';
import type { Actor, FunnelStage, MessageHandler, StageRef, StatusSetBy } from './lead.words';

/** The Socket.IO namespace of the live board. */
export const BOARD_NAMESPACE = '/board';

/** A lead as a card on the board. */
export interface Card {
  thread_id: string;
  assistant_id: string;
  bot_id: string;
  channel: string;
  phone: string | null;
  customer_name: string | null;
  message_handler: MessageHandler;
  ai_enabled: boolean;
  opted_out: boolean;
  waiting: boolean;
  lead_status: StageRef | null;
  status_set_at: string | null;
  status_set_by: StatusSetBy | null;
  last_message: { role: string; text: string; created_at: string } | null;
  unread_count: number;
  /** Why an operator is asked for; null: none is. */
  attention: AttentionReason | null;
  created_at: string;
  updated_at: string;
  /** Grows with every change of the dialog; of two states of a card the higher one is the truth. */
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

/** What every event of a dialog carries. */
export interface BoardEventBase {
  seq: number;
  thread_id: string;
  version: number;
  at: string;
}

export interface CardMoved extends BoardEventBase {
  from_status_id: string | null;
  to_status_id: string | null;
  status: StageRef | null;
  status_set_by: StatusSetBy | null;
  status_set_at: string | null;
  actor: Actor | null;
  card: Card;
}

export interface AiSwitched extends BoardEventBase {
  ai_enabled: boolean;
  message_handler: MessageHandler;
  actor: Actor | null;
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

export type BoardEvent = {
  [Name in keyof BoardEvents]: { event: Name } & BoardEvents[Name];
}[keyof BoardEvents];

/** How many leads a column has now: told of each column whose leads came or went, at most twice a second. */
export interface ColumnTotal {
  assistant_id: string;
  /** Null is the column of leads without a stage. */
  status_id: string | null;
  total: number;
}

/** What an open board is told: what happened to a dialog, and what its columns count. */
export type BoardNews = BoardEvent | ({ event: 'column.total' } & ColumnTotal);

export interface BoardSnapshot {
  /** The mark to give as `since` after an outage. */
  seq: number;
  statuses: FunnelStage[];
  columns: BoardColumn[];
}

export interface BoardReplay {
  seq: number;
  events: BoardEvent[];
}

export type BoardAck<T> = { ok: true; data: T } | { ok: false; error: { code: ErrorCode; message: string } };

export interface BoardClientEvents {
  'board:open': (
    request: { assistant_id: string; since?: number },
    acknowledge: (answer: BoardAck<BoardSnapshot | BoardReplay>) => void,
  ) => void;
  'board:more': (
    request: { assistant_id: string; status_id: string | null; cursor: string },
    acknowledge: (answer: BoardAck<{ cards: Card[]; next_cursor: string | null }>) => void,
  ) => void;
  'board:close': (request: { assistant_id: string }, acknowledge: (answer: BoardAck<null>) => void) => void;
}

export type BoardServerEvents = {
  [Name in keyof BoardEvents]: (event: BoardEvents[Name]) => void;
} & {
  'column.total': (total: ColumnTotal) => void;
  /**
   * The funnel was changed, the board could not keep up, or the database went back: open it again, with its last `seq` as
   * `since`.
   */
  'board:resync': (notice: { assistant_id: string }) => void;
};
