import { NIL_ID } from '@app/contracts/uuid.format';
import { Injectable } from '@nestjs/common';
import { appendAccountEvents } from '../../events/event.statements';
import type { CamelCased } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import { WorkDatabase } from '../../database/database.service';
import type { BatchEntity } from './batch.entity';

const IS_OF_BATCH = (message: string, batch: string): string => `
  ${message}.account_id = ${batch}.account_id AND ${message}.batch_id = ${batch}.id`;

/**
 * Open batches, and of each the last message that is still to be sent. An unknown message counts as settled, as get-batch says
 * it. A message that is settled stays so, thus all behind the last open one are, and each is passed over once.
 * @param which a condition on the batches `b`, and their order
 */
const lookAt = (which: string): string => `
  unfinished AS MATERIALIZED (
    SELECT b.account_id, b.id, b.first_message_id AS first_id, coalesce(b.open_message_id, b.last_message_id) AS last_id
      FROM batches b WHERE b.finished_at IS NULL AND ${which}),
  looked AS MATERIALIZED (
    SELECT u.account_id, u.id, u.last_id, o.id AS open_id
      FROM unfinished u
      LEFT JOIN LATERAL (
        SELECT m.id FROM messages m
         WHERE ${IS_OF_BATCH('m', 'u')} AND m.id BETWEEN u.first_id AND u.last_id AND m.status IN ('queued', 'sending')
         ORDER BY m.id DESC LIMIT 1) o ON true)`;

/** A batch of those that were looked at. */
export interface LookedBatch extends CamelCased<Pick<BatchEntity, 'account_id'>>, Pick<BatchEntity, 'id'> {
  /** Whether messages of it were settled since the last look. */
  changed: boolean;
  /** How many were looked at. */
  looked: number;
}

/** Those behind one, in the order of accounts and ids: the changed ones, and the last that was looked at. */
const LOOK_AT_NEXT = statement('batch-look-at-next').takes('accountId', 'id', 'limit').returns<LookedBatch>(`
  WITH ${lookAt('(b.account_id, b.id) > (:accountId::uuid, :id::uuid) ORDER BY b.account_id, b.id LIMIT :limit')}
  SELECT p.account_id AS "accountId", p.id, p.changed, p.looked
    FROM (SELECT l.account_id, l.id, l.open_id IS DISTINCT FROM l.last_id AS changed, count(*) OVER ()::int AS looked,
                 row_number() OVER (ORDER BY l.account_id, l.id) AS place
            FROM looked l) p
   WHERE p.changed OR p.place = p.looked ORDER BY p.place`);

/**
 * Closes batches of an account of which nothing is still to be sent, and tells so. It is closed, and told, by the one process
 * that has its row.
 */
const CLOSE = statement('batch-close').takes('accountId', 'ids').returns<{ closed: number }>(`
  WITH ${lookAt('b.account_id = :accountId AND b.id = ANY (:ids::uuid[])')},
  held AS MATERIALIZED (
    SELECT b.account_id, b.id, l.open_id
      FROM looked l JOIN batches b ON b.account_id = l.account_id AND b.id = l.id
     WHERE l.open_id IS DISTINCT FROM l.last_id AND b.finished_at IS NULL
     ORDER BY b.account_id, b.id FOR NO KEY UPDATE OF b SKIP LOCKED),
  settled AS MATERIALIZED (
    SELECT h.*, CASE WHEN h.open_id IS NULL THEN clock_timestamp() END AS finished_at FROM held h),
  changed AS (
    UPDATE batches b SET open_message_id = h.open_id, finished_at = h.finished_at
      FROM settled h WHERE b.account_id = h.account_id AND b.id = h.id
    RETURNING b.*),
  closed AS (
    SELECT b.account_id, o.assistant_id, jsonb_build_object(
             'batch_id', b.id, 'bot_id', b.bot_id, 'channel', b.channel, 'total', c.total,
             'sent', c.total - c.failed - c.unknown, 'failed', c.failed, 'queued', 0, 'unknown', c.unknown) AS body
      FROM changed b
      JOIN bots o ON o.account_id = b.account_id AND o.id = b.bot_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS total, count(*) FILTER (WHERE m.status IN ('failed', 'dropped'))::int AS failed,
               count(*) FILTER (WHERE m.status = 'unknown')::int AS unknown
          FROM messages m WHERE ${IS_OF_BATCH('m', 'b')} AND m.id BETWEEN b.first_message_id AND b.last_message_id) c
     WHERE b.finished_at IS NOT NULL),
  told AS (${appendAccountEvents('closed', `'batch'`)})
  SELECT count(*)::int AS closed FROM told`);

/** As many lists as are looked at by one statement. */
const AT_ONCE = 2_000;
const FIRST = { accountId: NIL_ID, id: NIL_ID };

/** Lists of recipients, and when nothing of them is left to be sent. Work of the service itself, for all accounts. */
@Injectable()
export class BatchRepository {
  private behind = FIRST;

  constructor(private readonly work: WorkDatabase) {}

  /**
   * Closes lists of any account of which nothing is still to be sent, and tells so. Where very many are open, each call looks
   * at the next ones.
   * @returns how many were closed
   */
  async closeDone(): Promise<number> {
    const looked = await this.work.run(LOOK_AT_NEXT, { ...this.behind, limit: AT_ONCE });
    const last = looked.at(-1);
    this.behind = last?.looked === AT_ONCE ? { accountId: last.accountId, id: last.id } : FIRST;
    let closed = 0;
    const changed = looked.filter((each) => each.changed);
    for (const [accountId, batches] of Map.groupBy(changed, (each) => each.accountId))
      closed += await this.close(
        accountId,
        batches.map(({ id }) => id),
      );
    return closed;
  }

  /** The same for some of an account. */
  async close(accountId: string, ids: readonly string[]): Promise<number> {
    const [row] = await this.work.run(CLOSE, { accountId, ids });
    return row?.closed ?? 0;
  }
}
