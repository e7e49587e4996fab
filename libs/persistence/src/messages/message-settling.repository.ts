import type { Actor } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { DECIDING, recount, takeUpOnceMore } from '../threads/thread.rules';
import { MESSAGE_COLUMNS, type MessageRow } from './message.columns';
import type { SendingVisibility } from './sent-message.repository';

/** What a person found out about a message whose outcome was unknown. */
export interface FoundOutcome {
  messageId: string;
  status: 'sent' | 'failed';
  /** Of a failed one. */
  reason: string | null;
  by: string;
  actor: Actor;
}

/**
 * A person settles an unknown message, and no other. The dialog is locked first, then the message, and the decision
 * reads the locked message. The claim's token stays, because a late answer of the provider is still evidence. The
 * quota stays, because a person's word is no refusal of the provider. $1 account $2 message $3 agents $4 bots $5
 * state $6 the error of a failed one $7 by $8 actor. No row: no such message.
 */
const SETTLE_BY_HAND: PreparedStatement = {
  name: 'message-settle-by-hand',
  text: `
  WITH found AS MATERIALIZED (
    SELECT m.id, m.thread_id FROM messages m
     WHERE m.account_id = $1 AND m.id = $2
       AND (m.bot_id = ANY ($4::uuid[]) AND NOT m.inbound OR EXISTS (
         SELECT 1 FROM threads t WHERE t.account_id = m.account_id AND t.id = m.thread_id AND t.assistant_id = ANY ($3::uuid[])))),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, version, (SELECT id FROM found) AS message_id FROM threads
     WHERE account_id = $1 AND id = (SELECT thread_id FROM found) FOR NO KEY UPDATE),
  was AS MATERIALIZED (
    SELECT ${MESSAGE_COLUMNS} FROM messages m WHERE m.account_id = $1 AND m.id = (SELECT message_id FROM cur) FOR NO KEY UPDATE),
  changed AS (
    UPDATE messages m
       SET status = $5, failed_at = CASE WHEN $5::text = 'failed' THEN clock_timestamp() END,
           error_code = CASE WHEN $5::text = 'failed' THEN m.error_code END, error_message = $6, provider_code = NULL
      FROM was w WHERE m.account_id = $1 AND m.id = w.id AND w.status = 'unknown'
    RETURNING ${MESSAGE_COLUMNS}, clock_timestamp() AS at),
  moved AS (
    UPDATE threads t SET version = t.version + 1, answer_count = ${recount('t', 'n.created_at', `'unknown'`, 'n.status')}
      FROM cur c, changed n WHERE t.account_id = $1 AND t.id = c.id
    RETURNING t.id, t.assistant_id, t.version, n.id AS message_id, n.status, n.at, ${DECIDING('t')}),
  taken_up AS (${takeUpOnceMore(`(SELECT * FROM moved WHERE status = 'failed')`)}),
  logged AS (
    INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
    SELECT $1, id, assistant_id, version, 'message_state', at,
           jsonb_build_object('by', $7::text, 'actor', $8::jsonb, 'message_id', message_id, 'to', status) FROM moved)
  SELECT n.id, n.provider_id, n.thread_id, n.role, n.type, n.text, n.status, n.error_code, n.error_message, n.provider_code,
         n.created_at, n.shown_sent_at, true AS changed FROM changed n
  UNION ALL
  SELECT w.id, w.provider_id, w.thread_id, w.role, w.type, w.text, w.status, w.error_code, w.error_message, w.provider_code,
         w.created_at, w.shown_sent_at, false FROM was w WHERE NOT EXISTS (SELECT 1 FROM changed)`,
};

@Injectable()
export class MessageSettlingRepository {
  constructor(private readonly database: Database) {}

  /**
   * @returns the message afterwards, and whether this changed it; null when the caller sees no such message.
   */
  async settle(
    of: SendingVisibility,
    found: FoundOutcome,
  ): Promise<(MessageRow & { changed: boolean }) | null> {
    const values = [
      ...[of.accountId, found.messageId, of.assistantIds, of.botIds],
      ...[found.status, found.reason, found.by, JSON.stringify(found.actor)],
    ];
    const [row] = await this.database.runFor<MessageRow & { changed: boolean }>(
      of.accountId,
      SETTLE_BY_HAND,
      values,
    );
    return row ?? null;
  }
}
