import type { TwoWayPosition } from '@app/contracts/values/list-position.format';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import { preciseTime, preciseTimeOf, statement } from '../../database/sql.statements';
import type { Visibility } from '../../accounts/reach-scope';
import { mediaOf } from '../../media/media.entity';
import { isSaid } from '../../threads/message-kinds';
import { MESSAGE_COLUMNS, type MessageRow } from './message-columns';
import type { MessageEntity } from './message.entity';

export interface PositionedMessageRow extends MessageRow {
  /** `created_at` with its microseconds, for the cursor. */
  position_at: string;
}

const OF_PAGE = ['accountId', 'threadId', 'assistantIds', 'fromAt', 'fromId', 'limit'] as const;
const IS_SEEN =
  't.account_id = :accountId AND t.id = :threadId AND t.assistant_id = ANY (:assistantIds::uuid[])';
const POSITIONED_COLUMNS = `${MESSAGE_COLUMNS}, ${preciseTime('m.created_at')} AS position_at`;

/**
 * Messages in the order of their arrival, by the database's clock alone. A customer's message is stored when it arrives,
 * ours before its request leaves, so that a quick answer never precedes what it answers. The providers' own times are
 * whole seconds. A thread without messages is one row of nulls.
 */
const pageOf = (isOnPage: string, nearest: 'ASC' | 'DESC'): string => `
  SELECT m.*
    FROM threads t
    LEFT JOIN LATERAL (
      SELECT ${POSITIONED_COLUMNS}
        FROM messages m WHERE m.account_id = :accountId AND m.thread_id = :threadId AND ${isOnPage}
       ORDER BY m.created_at ${nearest}, m.id ${nearest} LIMIT :limit) m ON true
   WHERE ${IS_SEEN}
   ORDER BY m.created_at DESC, m.id DESC`;

const OLDER = statement('message-page')
  .takes(...OF_PAGE)
  .returns<PositionedMessageRow>(
    pageOf(
      `(m.created_at, m.id) < (coalesce(${preciseTimeOf(':fromAt')}, 'infinity'),
                             coalesce(:fromId::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))`,
      'DESC',
    ),
  );

const NEWER = statement('message-page-newer')
  .takes(...OF_PAGE)
  .returns<PositionedMessageRow>(
    pageOf(`(m.created_at, m.id) > (${preciseTimeOf(':fromAt')}, :fromId::uuid)`, 'ASC'),
  );

/** A message of a thread; a row of nulls when the thread has no such message. */
const ONE = statement('message-in-thread').takes('accountId', 'threadId', 'assistantIds', 'messageId')
  .returns<PositionedMessageRow>(`
  SELECT m.*
    FROM threads t
    LEFT JOIN LATERAL (
      SELECT ${POSITIONED_COLUMNS}
        FROM messages m WHERE m.account_id = :accountId AND m.id = :messageId AND m.thread_id = :threadId) m ON true
   WHERE ${IS_SEEN}`);

/** A message in a list of threads. */
export type ListedMessageRow = Pick<MessageEntity, 'id' | 'thread_id' | 'role' | 'text' | 'created_at'> &
  Pick<MessageRow, 'media'>;

const NEWEST = statement('messages-newest').takes('accountId', 'threadIds', 'each', 'most')
  .returns<ListedMessageRow>(`
  SELECT m.id, m.thread_id, m.role, m.text, m.created_at, CASE WHEN m.deleted_at IS NULL THEN ${mediaOf('m')} END AS media
    FROM unnest(:threadIds::uuid[]) WITH ORDINALITY d (id, place)
    CROSS JOIN LATERAL (
      SELECT m.id, m.account_id, m.thread_id, m.role, m.text, m.created_at, m.deleted_at, m.media_id FROM messages m
       WHERE m.account_id = :accountId AND m.thread_id = d.id AND m.status <> 'dropped' AND ${isSaid('m')}
       ORDER BY m.created_at DESC, m.id DESC LIMIT :each) m
   ORDER BY d.place, m.created_at DESC, m.id DESC LIMIT :most`);

@Injectable()
export class MessageListRepository {
  constructor(private readonly database: Database) {}

  /**
   * Messages of one thread next to a position, newest first.
   * @param from the position, whose message is not on the page; null for the newest messages.
   * @returns null when the caller sees no such thread.
   */
  async page(
    { accountId, assistantIds }: Visibility,
    threadId: string,
    from: TwoWayPosition | null,
    limit: number,
  ): Promise<PositionedMessageRow[] | null> {
    const position = { fromAt: from?.at ?? null, fromId: from?.id ?? null };
    const values = { accountId, threadId, assistantIds, ...position, limit };
    const rows = await this.database.runFor(accountId, from?.newer ? NEWER : OLDER, values);
    if (rows.length === 0) return null;
    return rows.filter((row) => row.id !== null);
  }

  /** @returns `no_thread`, `no_message` when the caller sees no such thread, or it has no such message */
  async one(
    { accountId, assistantIds }: Visibility,
    threadId: string,
    messageId: string,
  ): Promise<PositionedMessageRow | 'no_thread' | 'no_message'> {
    const values = { accountId, threadId, assistantIds, messageId };
    const [row] = await this.database.runFor(accountId, ONE, values);
    if (!row) return 'no_thread';
    return row.id === null ? 'no_message' : row;
  }

  /**
   * The newest messages of each thread, newest first, thread after thread in the order given, at most `most`. Notes
   * and parts of replies that were never sent are left out, because a list could not tell them from what was said.
   */
  async newest(
    accountId: string,
    threadIds: readonly string[],
    each: number,
    most: number,
  ): Promise<ListedMessageRow[]> {
    return this.database.runFor(accountId, NEWEST, { accountId, threadIds, each, most });
  }
}
