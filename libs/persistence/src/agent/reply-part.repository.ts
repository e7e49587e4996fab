import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { previewOf } from '../messages/message.preview';
import { takeoverRuns } from '../threads/card.columns';
import type { HeldTurn } from './reply-turn.repository';
import { stageLetsAnswer } from './reply-turn.parts';

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
 * The gate: the permission to hand one part to the messenger, void after a second. It looks at everything once more, on
 * the locked row: the epoch, which everything raises that silences the agent or says something new, the switch, the
 * opt-out, a takeover, the stage; before the first part, that the message still waits. Whoever switches off afterwards
 * waits for the permissions that are out (see {@link LIVE}). The lease is looked at in the same statement, so that
 * of two processes one speaks.
 * $1 account $2 thread $3 epoch $4 turn $5 the turn's token $6 message it answers $7 message $8 text $9 content
 * $10 claim token $11 the claim's milliseconds
 */
const HAND_OFF: PreparedStatement = {
  name: 'reply-hand-off',
  text: `
  WITH cur AS MATERIALIZED (
    SELECT t.id, t.assistant_id, t.bot_id, t.channel, t.contact, t.phone, t.user_id
      FROM threads t
     WHERE t.account_id = $1 AND t.id = $2 AND t.ai_enabled AND NOT t.opted_out AND t.ai_epoch = $3
       AND NOT ${takeoverRuns('t', 'clock_timestamp()')} AND ${stageLetsAnswer('t')}
       AND ($6::uuid IS NULL OR t.waiting_message_id = $6)
       FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  ok AS (
    UPDATE reply_turns r SET handed_off = true, parts = r.parts + 1
      FROM timed t
     WHERE r.account_id = $1 AND r.id = $4::bigint AND r.thread_id = t.id AND r.lease_token = $5 AND r.state = 'due'
       AND r.epoch = $3
    RETURNING t.*),
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status,
                          attempts, claim_token, claim_until, handoff_until, created_at)
    SELECT $1, $7, o.id, o.bot_id, o.channel, 'AI', 'text', $8, $9::jsonb, coalesce(o.phone, o.user_id, o.contact),
           'sending', 1, $10::uuid, o.at + make_interval(secs => $11::float8 / 1000), o.at + interval '1 s', o.at
      FROM ok o),
  touched AS (
    UPDATE threads t
       SET version = t.version + 1, last_message_role = 'AI', last_message_text = ${previewOf('$8::text')},
           last_message_at = o.at, last_activity_at = o.at, attention = NULL
      FROM ok o WHERE t.account_id = $1 AND t.id = o.id
    RETURNING t.id, t.assistant_id, t.version, o.at)
  INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
  SELECT $1, id, assistant_id, version, 'message', at,
         jsonb_build_object('by', 'AI', 'actor', null, 'message_id', $7::uuid)
    FROM touched
  RETURNING 1 AS permitted`,
};

/** The bytes have left: nobody has to wait for this permission any more. $1 account $2 message */
const HANDED_OFF: PreparedStatement = {
  name: 'reply-handed-off',
  text: `UPDATE messages SET handoff_until = NULL WHERE account_id = $1 AND id = $2 AND handoff_until IS NOT NULL`,
};

/** A part that certainly did not go out is none. $1 account $2 turn $3 token */
const NOT_SAID: PreparedStatement = {
  name: 'reply-part-not-said',
  text: `
  UPDATE reply_turns SET parts = greatest(0, parts - 1), handed_off = parts > 1
   WHERE account_id = $1 AND id = $2::bigint AND lease_token = $3`,
};

/** Permissions of a dialog that are out, used or not. $1 account $2 thread */
const LIVE: PreparedStatement = {
  name: 'reply-hand-offs-live',
  text: `
  SELECT 1 AS live FROM messages
   WHERE account_id = $1 AND thread_id = $2 AND handoff_until > clock_timestamp() LIMIT 1`,
};

/** Parts of replies on their way to the messenger. */
@Injectable()
export class ReplyPartRepository {
  constructor(private readonly database: Database) {}

  /**
   * Asks for the permission to hand a part off, and stores it as a message that is being sent.
   * @param answers the message that has to wait still; null after the first part
   */
  async handOff(
    turn: HeldTurn,
    at: { threadId: string; epoch: number; answers: string | null },
    part: ReplyPart,
  ): Promise<boolean> {
    const rows = await this.database.run(HAND_OFF, [
      ...[turn.accountId, at.threadId, at.epoch, turn.turnId, turn.token, at.answers],
      ...[part.messageId, part.text, JSON.stringify(part.content), part.token, part.claimMs],
    ]);
    return rows.length > 0;
  }

  async handedOff(accountId: string, messageId: string): Promise<void> {
    await this.database.run(HANDED_OFF, [accountId, messageId]);
  }

  async notSaid({ accountId, turnId, token }: HeldTurn): Promise<void> {
    await this.database.run(NOT_SAID, [accountId, turnId, token]);
  }

  /** Whether a part of this dialog stands between its permission and its write. */
  async anyUnderWay(accountId: string, threadId: string): Promise<boolean> {
    return (await this.database.run(LIVE, [accountId, threadId])).length > 0;
  }
}
