import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import type { NotNull } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { Visibility } from '../../accounts/reach-scope';
import type { BatchEntity } from '../batches/batch.entity';
import { IS_VISIBLE_MESSAGE, MESSAGE_COLUMNS, type MessageRow } from '../dialog/message-columns';
import type { MessageEntity } from '../dialog/message.entity';

/**
 * Whether a message `m` belongs to the batch `:batchId` of the account `:accountId`. It is found by its primary key,
 * because a batch knows between which ids its messages are.
 */
export const IN_BATCH = `m.account_id = :accountId AND m.batch_id = :batchId
     AND m.id BETWEEN coalesce((SELECT first_message_id FROM batches WHERE account_id = :accountId AND id = :batchId),
                               '00000000-0000-0000-0000-000000000000')
                  AND coalesce((SELECT last_message_id FROM batches WHERE account_id = :accountId AND id = :batchId),
                               'ffffffff-ffff-ffff-ffff-ffffffffffff')`;

/** What a caller may see of sent messages: dialogs of its agents, and everything that its bots sent. */
export interface SendingVisibility extends Visibility {
  botIds: readonly string[];
}

/** A message of ours with its outcome. */
export type SentMessageRow = MessageRow &
  Pick<MessageEntity, 'batch_index' | 'provider_response'> &
  NotNull<Pick<MessageEntity, 'recipient'>>;

export type BatchRow = Pick<BatchEntity, 'id' | 'total'>;

/**
 * Whether the provider's answer is about the error. A message that was accepted and whose failure was reported keeps the
 * answer that accepted it.
 */
const TELLS_ERROR = `(m.status IN ('failed', 'unknown') AND m.accepted_at IS NULL)`;

const SENT_COLUMNS = `${MESSAGE_COLUMNS}, m.recipient, m.batch_index`;

/** Most bytes of providers' answers in one answer of ours. */
const RESPONSES_MAX = 1_048_576;

const OWN = statement('sent-own').takes('accountId', 'id').returns<SentMessageRow>(`
  SELECT ${SENT_COLUMNS}, CASE WHEN ${TELLS_ERROR} THEN m.provider_response END AS provider_response
    FROM messages m WHERE m.account_id = :accountId AND m.id = :id`);

const FIND = statement('sent-find').takes('accountId', 'id', 'assistantIds', 'botIds').returns<MessageRow>(`
  SELECT ${MESSAGE_COLUMNS} FROM messages m
   WHERE m.account_id = :accountId AND m.id = :id AND ${IS_VISIBLE_MESSAGE}`);

/**
 * A list shows phones and threads, so it is seen only by keys of its bot and by keys that see all its threads. When a bot
 * gets another agent, its former threads stay with the former one.
 */
const FIND_BATCH = statement('sent-find-batch').takes('accountId', 'batchId', 'assistantIds', 'botIds')
  .returns<BatchRow>(`
  SELECT b.id, b.total FROM batches b
   WHERE b.account_id = :accountId AND b.id = :batchId
     AND (b.bot_id = ANY (:botIds::uuid[]) OR (
       SELECT bool_and(t.assistant_id = ANY (:assistantIds::uuid[]))
         FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
        WHERE ${IN_BATCH}))`);

/**
 * The first of the providers' answers are given whole, as many as fit into {@link RESPONSES_MAX}. The other messages have
 * their error alone.
 */
const OF_BATCH = statement('sent-of-batch').takes('accountId', 'batchId').returns<SentMessageRow>(`
  SELECT ${SENT_COLUMNS},
         CASE WHEN ${TELLS_ERROR} AND sum(CASE WHEN ${TELLS_ERROR} THEN octet_length(m.provider_response) END)
                                    OVER (ORDER BY m.batch_index) <= ${RESPONSES_MAX}
              THEN m.provider_response END AS provider_response
    FROM messages m WHERE ${IN_BATCH} ORDER BY m.batch_index`);

/**
 * Which of these lists there are at a number, and which of these dialogs have a message of one of them. What certainly did not
 * go out is none, so another address of the dialog may be sent to.
 */
const DIALOGS_OF_BATCHES = statement('sent-dialogs-of-batches').takes(
  ...(['accountId', 'botId', 'channel', 'batchIds', 'threadIds'] as const),
).returns<{ batch_ids: string[]; thread_ids: string[] }>(`
  WITH b AS MATERIALIZED (
    SELECT id, first_message_id, last_message_id FROM batches
     WHERE account_id = :accountId AND id = ANY (:batchIds::uuid[]) AND bot_id = :botId AND channel = :channel)
  SELECT ARRAY(SELECT id FROM b) AS batch_ids,
         ARRAY(SELECT DISTINCT m.thread_id FROM b JOIN messages m
                   ON m.account_id = :accountId AND m.batch_id = b.id AND m.id BETWEEN b.first_message_id AND b.last_message_id
                WHERE m.thread_id = ANY (:threadIds::uuid[]) AND m.status <> 'failed') AS thread_ids`);

/** From the end, which is sent last: of a batch under way the first row shows that it is open. */
const BATCH_OPEN = statement('sent-batch-open').takes('accountId', 'batchId').returns<{ open: number }>(`
  SELECT 1 AS open FROM messages m
   WHERE ${IN_BATCH} AND m.status IN ('queued', 'sending') ORDER BY m.id DESC LIMIT 1`);

@Injectable()
export class SentMessageRepository {
  constructor(private readonly database: Database) {}

  /** A message that this very call stored. */
  async own(accountId: string, id: string): Promise<SentMessageRow | null> {
    const [row] = await this.database.runFor(accountId, OWN, { accountId, id });
    return row ?? null;
  }

  async find({ accountId, assistantIds, botIds }: SendingVisibility, id: string): Promise<MessageRow | null> {
    const values = { accountId, id, assistantIds, botIds };
    const [row] = await this.database.runFor(accountId, FIND, values);
    return row ?? null;
  }

  async findBatch(
    { accountId, assistantIds, botIds }: SendingVisibility,
    batchId: string,
  ): Promise<BatchRow | null> {
    const values = { accountId, batchId, assistantIds, botIds };
    const [row] = await this.database.runFor(accountId, FIND_BATCH, values);
    return row ?? null;
  }

  /** The messages of a batch in the order asked. */
  async ofBatch(accountId: string, batchId: string): Promise<SentMessageRow[]> {
    return this.database.runFor(accountId, OF_BATCH, { accountId, batchId });
  }

  /** Those of the lists that are of the number, and those of the dialogs that one of them has sent to. */
  async dialogsOfBatches(
    { accountId, botId, channel }: { accountId: string; botId: string; channel: string },
    batchIds: readonly string[],
    threadIds: readonly string[],
  ): Promise<{ batchIds: string[]; threadIds: string[] }> {
    const values = { accountId, botId, channel, batchIds, threadIds };
    const [row] = await this.database.runFor(accountId, DIALOGS_OF_BATCHES, values);
    return { batchIds: row?.batch_ids ?? [], threadIds: row?.thread_ids ?? [] };
  }

  /** Whether something of a batch is not settled yet. */
  async isOpen(accountId: string, batchId: string): Promise<boolean> {
    return (await this.database.runFor(accountId, BATCH_OPEN, { accountId, batchId })).length > 0;
  }
}
