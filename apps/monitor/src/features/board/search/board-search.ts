import type { BoardFilter } from '@app/contracts/board-events';
import {
  ATTENTION_REASONS,
  type AttentionReason,
  MESSAGE_HANDLERS,
  type MessageHandler,
} from '@app/contracts/lead.words';
import { CHANNELS, type Channel } from '@app/contracts/message.words';
import { STAGE_KINDS, type StageKind } from '@app/contracts/stage.words';

export const BOARD_SORTS = ['activity', 'waiting'] as const;

export type BoardSort = (typeof BOARD_SORTS)[number];

/** The filters of a board, as its address has them. */
export interface BoardSearch {
  search?: string;
  handler?: MessageHandler;
  waiting?: boolean;
  unread?: boolean;
  attention?: boolean | AttentionReason;
  channel?: Channel;
  /** The id of a person, or `none`. */
  assignee?: string;
  kind?: StageKind;
  /** The id of a stage, or `none`. Links from figures have it. */
  stage?: string;
  /** The id of a bot. Links from figures have it. */
  bot?: string;
  sort?: BoardSort;
}

const oneOf = <Word>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value);

const idOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const orNull = (id: string): string | null => (id === 'none' ? null : id);

/** Reads an address. What it does not know is left out. */
export function boardSearch(address: Record<string, unknown>): BoardSearch {
  const read: BoardSearch = {
    search:
      typeof address.search === 'string' || typeof address.search === 'number'
        ? String(address.search)
        : undefined,
    handler: oneOf(MESSAGE_HANDLERS, address.handler),
    waiting: oneOf([true, false], address.waiting),
    unread: oneOf([true, false], address.unread),
    attention: oneOf([true, false, ...ATTENTION_REASONS], address.attention),
    channel: oneOf(CHANNELS, address.channel),
    assignee: idOf(address.assignee),
    kind: oneOf(STAGE_KINDS, address.kind),
    stage: idOf(address.stage),
    bot: idOf(address.bot),
    sort: oneOf(BOARD_SORTS, address.sort),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined && value !== ''));
}

/** What the server is asked for. Undefined: everything. */
export function filterOf(search: BoardSearch): BoardFilter | undefined {
  const { search: words, handler, waiting, unread, attention, channel, assignee, kind, stage, bot } = search;
  const filter: BoardFilter = {
    ...(words?.trim() ? { search: words } : {}),
    ...(handler ? { message_handler: handler } : {}),
    ...(waiting === undefined ? {} : { waiting }),
    ...(unread === undefined ? {} : { unread }),
    ...(attention === undefined ? {} : { attention }),
    ...(channel ? { channel } : {}),
    ...(assignee === undefined ? {} : { assignee_id: orNull(assignee) }),
    ...(kind ? { status_kind: kind } : {}),
    ...(stage === undefined ? {} : { status_id: orNull(stage) }),
    ...(bot === undefined ? {} : { bot_id: bot }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
