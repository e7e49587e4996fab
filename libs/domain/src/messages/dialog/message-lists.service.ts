import type { Message } from '@app/contracts/message.words';
import { threadIdOrNothing, idOrNothing } from '@app/contracts/uuid.format';
import type { TwoWayPosition } from '@app/contracts/values/list-position.format';
import {
  MessageListRepository,
  type PositionedMessageRow,
} from '@app/persistence/messages/dialog/message-list.repository';
import type { Visibility } from '@app/persistence/accounts/reach-scope';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../../accounts/principal.rules';
import { ThreadNotFoundError } from '../../leads/lead.errors';
import { MessageNotFoundError } from './message.errors';
import { presentMessage } from './message.presenter';

/** A message within its dialog. */
export type ThreadMessage = Omit<Message, 'thread_id'>;

/** Messages, newest first, and where the list goes on. */
export interface MessagePage {
  messages: ThreadMessage[];
  /** Of the older messages; null: there are none. */
  older: TwoWayPosition | null;
  /** Of the newer messages; null: there are none. Absent where nobody asked for newer ones. */
  newer?: TwoWayPosition | null;
}

/** What was said in a dialog. */
@Injectable()
export class MessageListsService {
  constructor(private readonly messages: MessageListRepository) {}

  /**
   * A page of a dialog's messages.
   * @param from a position that an earlier page gave, or null for the newest messages
   * @throws ThreadNotFoundError
   */
  async getMessages(
    by: Principal,
    threadId: string,
    from: TwoWayPosition | null,
    limit: number,
  ): Promise<MessagePage> {
    const rows = await this.next(visibilityOf(by), threadIdOrNothing(threadId), from, limit);
    const shown = rows.shown.map(present);
    if (!from?.newer) return { messages: shown, older: rows.hasMore ? olderThan(rows.shown.at(-1)) : null };
    // What is older than a page of newer messages is where the caller came from.
    return {
      messages: shown,
      older: olderThan(rows.shown.at(-1)),
      newer: rows.hasMore ? newerThan(rows.shown[0]) : null,
    };
  }

  /**
   * The page around a message: itself, and as many on either side as fit. An odd one out is older.
   * @throws ThreadNotFoundError, MessageNotFoundError
   */
  async getAround(by: Principal, threadId: string, around: string, limit: number): Promise<MessagePage> {
    const of = visibilityOf(by);
    const uuid = threadIdOrNothing(threadId);
    const row = await this.messages.one(of, uuid, idOrNothing(around));
    if (row === 'no_thread') throw new ThreadNotFoundError();
    if (row === 'no_message') throw new MessageNotFoundError('around');
    const newerMost = Math.floor((limit - 1) / 2);
    const [newer, older] = await Promise.all([
      this.next(of, uuid, newerThan(row), newerMost),
      this.next(of, uuid, olderThan(row), limit - 1 - newerMost),
    ]);
    const shown = [...newer.shown, row, ...older.shown];
    return {
      messages: shown.map(present),
      older: older.hasMore ? olderThan(shown.at(-1)) : null,
      newer: newer.hasMore ? newerThan(shown[0]) : null,
    };
  }

  /** The messages next to a position, newest first, and whether there are more in that direction. */
  private async next(
    of: Visibility,
    threadId: string,
    from: TwoWayPosition | null,
    limit: number,
  ): Promise<{ shown: PositionedMessageRow[]; hasMore: boolean }> {
    const rows = await this.messages.page(of, threadId, from, limit + 1);
    if (!rows) throw new ThreadNotFoundError();
    const hasMore = rows.length > limit;
    if (!hasMore) return { shown: rows, hasMore };
    return { shown: from?.newer ? rows.slice(1) : rows.slice(0, limit), hasMore };
  }
}

function olderThan(row: PositionedMessageRow): TwoWayPosition;
function olderThan(row: PositionedMessageRow | undefined): TwoWayPosition | null;
function olderThan(row: PositionedMessageRow | undefined): TwoWayPosition | null {
  return row ? { at: row.position_at, id: row.id, newer: false } : null;
}

function newerThan(row: PositionedMessageRow): TwoWayPosition;
function newerThan(row: PositionedMessageRow | undefined): TwoWayPosition | null;
function newerThan(row: PositionedMessageRow | undefined): TwoWayPosition | null {
  const position = olderThan(row);
  return position && { ...position, newer: true };
}

function present(row: PositionedMessageRow): ThreadMessage {
  const { thread_id: _, ...message } = presentMessage(row);
  return message;
}
