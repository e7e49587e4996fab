import type { MessageRole, MessageStatus } from '@app/contracts/message.words';
import type { Pool } from 'pg';
import type { AccountFixture } from './fixture';
import { EVENT_NOTICE } from './event.notice';
import { uuidOf } from './thread.uuid';
import { ascendingId } from './ascending.id';

/** What an event of a dialog raises its version with, and what it says. */
const EVENT = (type: string, body: string): string => `
  INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
  SELECT account_id, id, assistant_id, version, '${type}', clock_timestamp(), ${body} FROM changed`;

const CHANGED = (assignments: string): string => `
  changed AS (
    UPDATE threads SET ${assignments}, version = version + 1 WHERE id = $1
    RETURNING account_id, id, assistant_id, bot_id, channel, version)`;

const BY_CUSTOMER = `'by', 'USER', 'actor', NULL`;

/**
 * Dialogs and messages as the parts that send and take in write them: the dialog first, then the event. What is not
 * notified is found by the look of every second.
 */
export class DialogWriter {
  constructor(
    private readonly db: Pool,
    private readonly account: AccountFixture,
    private readonly given: { notifies?: boolean } = {},
  ) {}

  /** A new customer: the dialog and its opening, in one transaction. */
  async open(phone = `+7702${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`): Promise<string> {
    const { id: accountId, assistantId, botId } = this.account;
    const id = ascendingId();
    await this.write(
      `WITH changed AS (
         INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone)
         VALUES ($2, $1, $3, $4, 'waba', $5, $5) RETURNING account_id, id, assistant_id, version)
       ${EVENT('opened', "'{}'")}`,
      [id, accountId, assistantId, botId, phone],
    );
    return `thread_${id}`;
  }

  /** A message in a dialog; its id. */
  async say(threadId: string, role: MessageRole, text: string): Promise<string> {
    const id = ascendingId();
    await this.write(
      `WITH ${CHANGED(`last_message_role = $3::text, last_message_text = $4, last_message_at = clock_timestamp(),
          unread_count = CASE $3::text WHEN 'USER' THEN unread_count + 1 ELSE 0 END`)},
       said AS (
         INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text)
         SELECT account_id, $2, id, bot_id, channel, $3, $3 = 'USER',
                CASE $3 WHEN 'USER' THEN 'received' ELSE 'sent' END, $4 FROM changed)
       ${EVENT('message', `jsonb_build_object('message_id', $2::uuid)`)}`,
      [uuidOf(threadId), id, role, text],
    );
    return id;
  }

  /** A message's state on its way. */
  async setState(threadId: string, messageId: string, status: MessageStatus): Promise<void> {
    await this.write(
      `WITH ${CHANGED('last_activity_at = last_activity_at')},
       moved AS (UPDATE messages m SET status = $3 FROM changed c WHERE m.account_id = c.account_id AND m.id = $2)
       ${EVENT('message_state', `jsonb_build_object('message_id', $2::uuid)`)}`,
      [uuidOf(threadId), messageId, status],
    );
  }

  /** The customer unsubscribes: STOP. */
  async optOut(threadId: string): Promise<void> {
    await this.write(
      `WITH ${CHANGED('opted_out = true, ai_enabled = false')}
       ${EVENT('opt_out', `jsonb_build_object(${BY_CUSTOMER}, 'from', false, 'to', true)`)}`,
      [uuidOf(threadId)],
    );
  }

  /** Something of the card that no other event tells. */
  async rename(threadId: string, name: string): Promise<void> {
    await this.write(`WITH ${CHANGED('customer_name = $2')} ${EVENT('card', "'{}'")}`, [
      uuidOf(threadId),
      name,
    ]);
  }

  private async write(statement: string, values: unknown[]): Promise<void> {
    await this.db.query(statement, values);
    if (this.given.notifies) await this.db.query(EVENT_NOTICE);
  }
}
