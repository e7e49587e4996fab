import type { Assignee } from '@app/contracts/lead.words';
import type { MessageStatus, SentTemplate } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import type { BatchEntity } from './batch.entity';
import type { SendingVisibility } from '../sending/sent-message.repository';

/** A list of recipients as lists of them show it. */
export interface ListedBatchRow extends Pick<BatchEntity, 'id' | 'bot_id' | 'channel' | 'created_at'> {
  /** How many of its messages have each status. */
  statuses: Partial<Record<MessageStatus, number>>;
  /** Null: all of its customers were erased. */
  template: SentTemplate | null;
  /** The person of the account who sent it. */
  author: Assignee | null;
}

const IN_LIST = `m.account_id = b.account_id AND m.batch_id = b.id
     AND m.id BETWEEN b.first_message_id AND b.last_message_id`;

/**
 * Lists that the caller sees by their ids, newest first: of the own bots, and of the bots of the own agents those whose
 * dialogs are all of own agents. Of each bot only as many are read as the page has.
 */
const PAGE = statement('batch-list-page').takes(
  'accountId',
  'assistantIds',
  'botIds',
  'botId',
  'before',
  'limit',
).returns<ListedBatchRow>(`
  WITH page AS MATERIALIZED (
    SELECT b.* FROM bots o CROSS JOIN LATERAL (
      SELECT b.* FROM batches b
       WHERE b.account_id = :accountId AND b.bot_id = o.id
         AND b.id < coalesce(:before::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         AND (o.id = ANY (:botIds::uuid[]) OR b.first_message_id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM messages m JOIN threads t ON t.account_id = m.account_id AND t.id = m.thread_id
            WHERE ${IN_LIST} AND t.assistant_id <> ALL (:assistantIds::uuid[])))
       ORDER BY b.id DESC LIMIT :limit) b
     WHERE o.account_id = :accountId AND o.id = coalesce(:botId::uuid, o.id)
       AND (o.id = ANY (:botIds::uuid[]) OR o.assistant_id = ANY (:assistantIds::uuid[]))
     ORDER BY b.id DESC LIMIT :limit)
  SELECT b.id, b.bot_id, b.channel, b.created_at, c.statuses, w.template,
         (SELECT jsonb_build_object('id', u.id, 'name', u.name)
            FROM messages m JOIN users u ON u.account_id = m.account_id AND u.id = m.author_id
           WHERE m.account_id = b.account_id AND m.id = b.first_message_id) AS author
    FROM page b
    CROSS JOIN LATERAL (
      SELECT coalesce(jsonb_object_agg(n.status, n.count), '{}') AS statuses FROM (
        SELECT m.status, count(*)::int AS count FROM messages m WHERE ${IN_LIST} GROUP BY m.status) n) c
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('template_id', k.template_id, 'name', coalesce(k.name, s.name), 'language', s.language) AS template
        FROM (SELECT m.content ->> 'name' AS name, m.content ->> 'language' AS language FROM messages m
               WHERE ${IN_LIST} AND m.content ? 'name' ORDER BY m.id LIMIT 1) s
        LEFT JOIN LATERAL (
          SELECT template_id, name FROM templates
           WHERE account_id = b.account_id AND bot_id = b.bot_id AND channel = b.channel AND language = s.language
             AND (name = s.name OR provider_id = s.name)
           ORDER BY name = s.name LIMIT 1) k ON true) w ON true
   ORDER BY b.id DESC`);

/** Lists of recipients that were sent, for callers that look for one again. */
@Injectable()
export class BatchListRepository {
  constructor(private readonly database: Database) {}

  /** @param before the id of the list that the page begins after; null for the newest ones */
  page(
    { accountId, assistantIds, botIds }: SendingVisibility,
    botId: string | null,
    before: string | null,
    limit: number,
  ): Promise<ListedBatchRow[]> {
    const values = { accountId, assistantIds, botIds, botId, before, limit };
    return this.database.runFor(accountId, PAGE, values);
  }
}
