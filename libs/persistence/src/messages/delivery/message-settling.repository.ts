import type { Actor } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { DECIDING, recount, stopsAnswering, takeUpOnceMore } from '../../threads/thread.rules';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import { IS_VISIBLE_MESSAGE, MESSAGE_COLUMNS, type MessageRow } from '../dialog/message-columns';
import type { SendingVisibility } from '../sending/sent-message.repository';

/** What a person found out about a message whose outcome was unknown. */
export interface FoundOutcome {
  messageId: string;
  status: 'sent' | 'failed';
  /** Of a failed one. */
  reason: string | null;
  by: string;
  actor: Actor;
  requestId: string | null;
}

type SettledRow = MessageRow & { changed: boolean };

/** One that is missing here is an error of the compiler. */
const COLUMNS = Object.keys({
  ...{ id: true, provider_id: true, thread_id: true, role: true, type: true, text: true, status: true },
  ...{ error_code: true, error_message: true, provider_code: true, created_at: true, shown_sent_at: true },
  media: true,
  content: true,
  quoted: true,
  reacted_to: true,
  edited_at: true,
  deleted_at: true,
  pricing: true,
  author: true,
} satisfies Record<keyof MessageRow, true>);

const columnsOf = (row: string): string => COLUMNS.map((column) => `${row}.${column}`).join(', ');

/**
 * A person settles an unknown message, and no other. The thread is locked first, then the message, and the locked message
 * decides. The claim's token stays, because a late answer of the provider is still evidence. The quota stays too, because a
 * person's word is no refusal of the provider. No row: the caller sees no such message.
 */
const SETTLE_BY_HAND = statement('message-settle-by-hand').takes(
  'accountId',
  'messageId',
  'assistantIds',
  'botIds',
  'status',
  'reason',
  'by',
  'actor',
  'requestId',
).returns<SettledRow>(`
  WITH found AS MATERIALIZED (
    SELECT m.id, m.thread_id FROM messages m
     WHERE m.account_id = :accountId AND m.id = :messageId AND ${IS_VISIBLE_MESSAGE}),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, version, (SELECT id FROM found) AS message_id FROM threads
     WHERE account_id = :accountId AND id = (SELECT thread_id FROM found) FOR NO KEY UPDATE),
  was AS MATERIALIZED (
    SELECT ${MESSAGE_COLUMNS} FROM messages m
     WHERE m.account_id = :accountId AND m.id = (SELECT message_id FROM cur) FOR NO KEY UPDATE),
  clock AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM was) w),
  changed AS (
    UPDATE messages m
       SET status = :status, failed_at = CASE WHEN :status::text = 'failed' THEN c.at END,
           error_code = CASE WHEN :status::text = 'failed' THEN m.error_code END, error_message = :reason,
           provider_code = NULL
      FROM was w CROSS JOIN clock c WHERE m.account_id = :accountId AND m.id = w.id AND w.status = 'unknown'
    RETURNING ${MESSAGE_COLUMNS}, c.at),
  moved AS (
    UPDATE threads t
       SET version = t.version + 1, answer_count = ${recount('t', 'n.created_at', `'unknown'`, 'n.status')}
      FROM cur c, changed n WHERE t.account_id = :accountId AND t.id = c.id
    RETURNING t.id, t.assistant_id, t.version, n.id AS message_id, n.status, n.at, ${DECIDING('t')},
              ${stopsAnswering('t', 'n.created_at', `'unknown'`, 'n.status')} AS uncounted),
  taken_up AS (${takeUpOnceMore('(SELECT * FROM moved WHERE uncounted)')}),
  logged AS (${appendEvents(
    'moved',
    { by: ':by::text', actor: ':actor::jsonb', request: ':requestId::text' },
    [ENTRIES.messageState('t.message_id', 't.status')],
  )})
  SELECT ${columnsOf('n')}, true AS changed FROM changed n
  UNION ALL
  SELECT ${columnsOf('w')}, false FROM was w WHERE NOT EXISTS (SELECT 1 FROM changed)`);

@Injectable()
export class MessageSettlingRepository {
  constructor(private readonly database: Database) {}

  /**
   * @returns the message afterwards, and whether this changed it; null when the caller sees no such message.
   */
  async settle(
    { accountId, assistantIds, botIds }: SendingVisibility,
    { actor, ...found }: FoundOutcome,
  ): Promise<SettledRow | null> {
    const values = { accountId, assistantIds, botIds, ...found, actor: JSON.stringify(actor) };
    const [row] = await this.database.runFor(accountId, SETTLE_BY_HAND, values);
    return row ?? null;
  }
}
