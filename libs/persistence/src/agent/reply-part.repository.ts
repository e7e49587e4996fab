import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { previewOf } from '../messages/message.preview';
import { agentMaySpeak, itWaits, stageLetsAnswer } from '../threads/thread.rules';
import type { HeldReply } from './reply.repository';

/** One part of a reply, as it is to be stored. */
export interface ReplyPart {
  messageId: string;
  text: string;
  content: object;
  /** Of its request. */
  token: string;
  claimMs: number;
}

/**
 * The gate: grants the send permit of one part of a reply. The permit is void after a second.
 *
 * It checks everything once more, on the locked row: the epoch (everything raises it that silences the agent or says
 * something new), the switch, the opt-out, a takeover and the stage; before the first part also that the message still
 * waits. A caller who switches off afterwards waits for the permits that are out (see {@link LIVE}). The same statement
 * checks the lease, so that of two processes only one sends.
 *
 * $1 account $2 thread $3 epoch $4 reply $5 the reply's token $6 message it answers $7 message $8 text $9 content $10
 * claim token $11 the claim's milliseconds
 */
const GRANT_SEND_PERMIT: PreparedStatement = {
  name: 'reply-grant-send-permit',
  text: `
  WITH cur AS MATERIALIZED (
    SELECT t.id, t.assistant_id, t.bot_id, t.channel, t.contact, t.phone, t.user_id
      FROM threads t
     WHERE t.account_id = $1 AND t.id = $2 AND t.ai_epoch = $3
       AND ${agentMaySpeak('t', 'clock_timestamp()', stageLetsAnswer('t', '$1'))}
       AND ($6::uuid IS NULL OR ${itWaits('t', '$6')})
       FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  ok AS (
    UPDATE replies r SET part_sent = true, parts = r.parts + 1
      FROM timed t
     WHERE r.account_id = $1 AND r.id = $4::bigint AND r.thread_id = t.id AND r.lease_token = $5 AND r.state = 'due'
       AND r.epoch = $3
    RETURNING t.*),
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status,
                          attempts, claim_token, claim_until, send_permit_until, created_at)
    SELECT $1, $7, o.id, o.bot_id, o.channel, 'AI', 'text', $8, $9::jsonb, coalesce(o.phone, o.user_id, o.contact),
           'sending', 1, $10::uuid, o.at + make_interval(secs => $11::float8 / 1000), o.at + interval '1 s', o.at
      FROM ok o),
  touched AS (
    UPDATE threads t
       SET version = t.version + 1, last_message_role = 'AI', last_message_text = ${previewOf('$8::text')},
           last_message_at = o.at, last_activity_at = o.at, last_outbound_at = o.at, answer_count = t.answer_count + 1,
           attention = NULL
      FROM ok o WHERE t.account_id = $1 AND t.id = o.id
    RETURNING t.id, t.assistant_id, t.version, o.at)
  INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
  SELECT $1, id, assistant_id, version, 'message', at,
         jsonb_build_object('by', 'AI', 'actor', null, 'message_id', $7::uuid)
    FROM touched
  RETURNING 1 AS permitted`,
};

/** The bytes have left: nobody has to wait for this permission any more. $1 account $2 message */
const PERMIT_USED: PreparedStatement = {
  name: 'reply-permit-used',
  text: `UPDATE messages SET send_permit_until = NULL WHERE account_id = $1 AND id = $2 AND send_permit_until IS NOT NULL`,
};

/** A part that certainly was not sent does not count. $1 account $2 reply $3 token */
const NOT_SAID: PreparedStatement = {
  name: 'reply-part-not-said',
  text: `
  UPDATE replies SET parts = greatest(0, parts - 1), part_sent = parts > 1
   WHERE account_id = $1 AND id = $2::bigint AND lease_token = $3`,
};

/** Permissions of a dialog that are out, used or not. $1 account $2 thread */
const LIVE: PreparedStatement = {
  name: 'send-permits-live',
  text: `
  SELECT 1 AS live FROM messages
   WHERE account_id = $1 AND thread_id = $2 AND send_permit_until > clock_timestamp() LIMIT 1`,
};

/** Parts of replies on their way to the messenger. */
@Injectable()
export class ReplyPartRepository {
  constructor(private readonly database: Database) {}

  /**
   * Asks for the permission to hand a part off, and stores it as a message that is being sent.
   * @param answers the message that has to wait still; null after the first part
   */
  async grantSendPermit(
    reply: HeldReply,
    at: { threadId: string; epoch: number; answers: string | null },
    part: ReplyPart,
  ): Promise<boolean> {
    const rows = await this.database.run(GRANT_SEND_PERMIT, [
      ...[reply.accountId, at.threadId, at.epoch, reply.replyId, reply.token, at.answers],
      ...[part.messageId, part.text, JSON.stringify(part.content), part.token, part.claimMs],
    ]);
    return rows.length > 0;
  }

  async permitUsed(accountId: string, messageId: string): Promise<void> {
    await this.database.run(PERMIT_USED, [accountId, messageId]);
  }

  async notSaid({ accountId, replyId, token }: HeldReply): Promise<void> {
    await this.database.run(NOT_SAID, [accountId, replyId, token]);
  }

  /** Whether a part of this dialog stands between its permission and its write. */
  async anyUnderWay(accountId: string, threadId: string): Promise<boolean> {
    return (await this.database.run(LIVE, [accountId, threadId])).length > 0;
  }
}
