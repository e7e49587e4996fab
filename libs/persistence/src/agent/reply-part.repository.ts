import { Injectable } from '@nestjs/common';
import { automationIsPaused } from '../accounts/account.entity';
import { Database, ReservedDatabase } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { previewOf } from '../messages/dialog/message-columns';
import { agentMaySpeak, answeredByAgent, itWaits, messageOfOurs, set } from '../threads/thread.rules';
import { agentAsActor, appendEvents, ENTRIES } from '../threads/thread-log.statements';
import { Heartbeat, PERMITTED_BY, type PermitRow } from '../work/heartbeat';
import type { HeldReply } from './reply.repository';

/** One part of a reply, to be stored. */
export interface ReplyPart {
  messageId: string;
  text: string;
  content: object;
  /** The token of its request's claim. */
  token: string;
  claimMs: number;
}

/**
 * The gate: one statement that grants the send permit of one part of a reply. The permit is void after a second.
 *
 * It checks everything once more, on the locked row: the epoch, which everything raises that silences the agent or
 * says something new; the switch; the opt-out; a takeover; the stage; and before the first part that the message
 * still waits. A caller who switches off later waits for the permits that are out (see {@link LIVE}). The same
 * statement checks the lease, so that only one of two processes sends.
 */
export const GRANT_SEND_PERMIT = statement('reply-grant-send-permit').takes(
  'accountId',
  'threadId',
  'epoch',
  'replyId',
  'token',
  'answers',
  'messageId',
  'text',
  'content',
  'claimToken',
  'claimMs',
).returns<PermitRow>(`
  WITH cur AS MATERIALIZED (
    SELECT t.id, t.assistant_id, t.bot_id, t.channel, t.contact, t.phone, t.user_id
      FROM threads t
     WHERE t.account_id = :accountId AND t.id = :threadId AND t.ai_epoch = :epoch
       AND ${agentMaySpeak('t', 'clock_timestamp()')} AND NOT ${automationIsPaused(':accountId')}
       AND (:answers::uuid IS NULL OR ${itWaits('t', ':answers')})
       FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  ok AS (
    UPDATE replies r SET part_sent = true, parts = r.parts + 1
      FROM timed t
     WHERE r.account_id = :accountId AND r.id = :replyId::bigint AND r.thread_id = t.id AND r.lease_token = :token
       AND r.state = 'due' AND r.epoch = :epoch
    RETURNING t.*),
  stored AS (
    INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, type, text, content, recipient, status,
                          attempts, claim_token, claim_until, send_permit_until, created_at)
    SELECT :accountId, :messageId, o.id, o.bot_id, o.channel, 'AI', 'text', :text, :content::jsonb,
           coalesce(o.phone, o.user_id, o.contact), 'sending', 1, :claimToken::uuid,
           o.at + make_interval(secs => :claimMs::float8 / 1000), o.at + interval '1 s', o.at
      FROM ok o),
  touched AS (
    UPDATE threads t SET version = t.version + 1, ${set(answeredByAgent('t'))},
           ${set(messageOfOurs('t', { role: `'AI'`, preview: previewOf(':text::text'), at: 'o.at' }))}
      FROM ok o WHERE t.account_id = :accountId AND t.id = o.id
    RETURNING t.id, t.assistant_id, t.version, o.at),
  event AS (${appendEvents('touched', { by: `'AI'`, actor: agentAsActor('t', ':accountId') }, [ENTRIES.message(':messageId::uuid')])})
  SELECT ${PERMITTED_BY} FROM event`);

/** The bytes have left, so no caller has to wait for this permit any more. */
const PERMIT_USED = statement('reply-permit-used').takes('accountId', 'messageId').returns(`
  UPDATE messages SET send_permit_until = NULL
   WHERE account_id = :accountId AND id = :messageId AND send_permit_until IS NOT NULL`);

/** A part that certainly was not sent does not count. */
const NOT_SENT = statement('reply-part-not-sent').takes('accountId', 'replyId', 'token').returns(`
  UPDATE replies SET parts = greatest(0, parts - 1), part_sent = parts > 1
   WHERE account_id = :accountId AND id = :replyId::bigint AND lease_token = :token`);

/** Permits of a thread that are out, used or not. */
const LIVE = statement('send-permits-live').takes('accountId', 'threadId').returns<{ live: number }>(`
  SELECT 1 AS live FROM messages
   WHERE account_id = :accountId AND thread_id = :threadId AND send_permit_until > clock_timestamp() LIMIT 1`);

/** Parts of replies on their way to the messenger. */
@Injectable()
export class ReplyPartRepository {
  constructor(
    private readonly database: Database,
    private readonly reserved: ReservedDatabase,
    private readonly heartbeat: Heartbeat,
  ) {}

  /**
   * Asks for the send permit of a part, and stores the part as a message that is being sent.
   * @param answers the message that must still wait; null after the first part
   */
  async grantSendPermit(
    reply: HeldReply,
    at: { threadId: string; epoch: number; answers: string | null },
    part: ReplyPart,
  ): Promise<boolean> {
    const { accountId, replyId, token } = reply;
    const { token: claimToken, content, ...stored } = part;
    const values = {
      accountId,
      replyId,
      token,
      ...at,
      ...stored,
      claimToken,
      content: JSON.stringify(content),
    };
    const rows = await this.database.run(GRANT_SEND_PERMIT, values);
    this.heartbeat.permitted(rows);
    return rows.length > 0;
  }

  async permitUsed(accountId: string, messageId: string): Promise<void> {
    await this.database.run(PERMIT_USED, { accountId, messageId });
  }

  async notSent({ accountId, replyId, token }: HeldReply): Promise<void> {
    await this.database.run(NOT_SENT, { accountId, replyId, token });
  }

  /** Whether a part of this dialog is between its permit and its write. */
  async anyUnderWay(accountId: string, threadId: string): Promise<boolean> {
    return (await this.reserved.run(LIVE, { accountId, threadId })).length > 0;
  }
}
