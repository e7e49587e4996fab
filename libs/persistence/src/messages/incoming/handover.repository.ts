import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.service';
import { statement } from '../../database/sql.statements';
import { threadIdOf, type ReceivingNumber, type ThreadAddress } from './address.statements';
import { arrivalTime, type Arrival } from './arrival-time';
import { appendEvents, ENTRIES } from '../../threads/thread-log.statements';
import {
  askForOperator,
  canBeTakenUp,
  isNewestOfControl,
  isWaiting,
  mayBeAnswered,
  NOBODY_ANSWERED,
  onlyWhere,
  replyCanCome,
  set,
  takeUp,
} from '../../threads/thread.rules';

/**
 * The messenger says who conducts a dialog. Where it comes to us and the customer waits, the account decides as at the end
 * of a takeover: a person is asked for, or the agent takes the message up, or, where that may not be answered, a person is
 * asked for. A report that is older than what is known changes nothing; one that is repeated changes no version.
 */
const REPORT = statement('thread-control-report').takes(
  ...(['accountId', 'botId', 'channel', 'contact', 'userId', 'elsewhere'] as const),
  ...(['reportedAt', 'receivedAt', 'position', 'hasModel', 'cipherKeyId'] as const),
).returns<{ logged: number }>(`
  WITH known AS MATERIALIZED (SELECT ${threadIdOf({
    ...{ account: ':accountId', bot: ':botId', channel: ':channel' },
    ...{ contact: ':contact::text', userId: ':userId::text' },
  })} AS id),
  cur AS MATERIALIZED (
    SELECT t.id, t.assistant_id, t.bot_id, t.channel, t.version, t.status_id, t.ai_enabled, t.takeover_until, t.opted_out, t.ai_epoch,
           t.conducted_elsewhere, t.control_reported_at, t.waiting_message_id, t.waiting_at, t.answer_count,
           t.attention IS DISTINCT FROM ${NOBODY_ANSWERED} AS is_news
      FROM threads t WHERE t.account_id = :accountId AND t.id = (SELECT id FROM known) AND t.erased_at IS NULL FOR NO KEY UPDATE),
  timed AS MATERIALIZED (
    SELECT c.*, clock_timestamp() AS at, least(coalesce(:reportedAt::timestamptz, a.arrived_at), a.arrived_at) AS reported_at,
           c.conducted_elsewhere <> :elsewhere AS changes
      FROM cur c CROSS JOIN (SELECT ${arrivalTime(':receivedAt', ':position')} AS arrived_at) a),
  back AS MATERIALIZED (
    SELECT d.id, d.assistant_id, d.bot_id, d.channel, d.status_id, d.ai_enabled, d.takeover_until, d.opted_out, d.waiting_message_id,
           d.waiting_at, d.answer_count, d.at, false AS conducted_elsewhere, d.ai_epoch + 1 AS ai_epoch
      FROM timed d WHERE d.changes AND NOT :elsewhere),
  answerable AS MATERIALIZED (
    SELECT b.id FROM back b JOIN accounts a ON a.id = :accountId
     WHERE a.takeover_end = 'answer' AND :hasModel AND ${mayBeAnswered('b', 'b.at')} AND ${replyCanCome('b')} AND ${canBeTakenUp('b')}),
  decided AS MATERIALIZED (
    SELECT d.*, d.changes AND NOT :elsewhere AND d.ai_enabled AND ${isWaiting('d')} AND d.is_news AND NOT e.answers AS asks, e.answers
      FROM timed d CROSS JOIN (SELECT EXISTS (SELECT 1 FROM answerable) AS answers) e WHERE ${isNewestOfControl('d', 'd.reported_at')}),
  reported AS (
    UPDATE threads t
       SET conducted_elsewhere = :elsewhere, control_reported_at = greatest(t.control_reported_at, d.reported_at),
           ai_epoch = t.ai_epoch + d.changes::int, version = t.version + d.changes::int + d.asks::int,
           ${set(onlyWhere('d.asks', 't', askForOperator(NOBODY_ANSWERED, 'NULL', 'd.at')))}
      FROM decided d WHERE t.account_id = :accountId AND t.id = d.id
    RETURNING t.id, t.assistant_id, d.version + 1 AS version, d.at, d.changes, d.asks, d.answers, t.waiting_message_id, t.ai_epoch),
  taken_up AS (${takeUp('SELECT t.id, t.waiting_message_id, t.ai_epoch, t.at AS due_at FROM reported t WHERE t.answers')}),
  logged AS (${appendEvents('(SELECT * FROM reported WHERE changes)', { by: `'PROVIDER'` }, [
    ENTRIES.card,
    { ...ENTRIES.attention(NOBODY_ANSWERED, 'NULL::text'), step: '1', when: 't.asks' },
  ])})
  SELECT 1 AS logged FROM logged`);

/** Who conducts dialogs, as the messenger reports it. */
@Injectable()
export class ControlRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param control elsewhere: another AI conducts it from then on
   * @param ability whether there is a model, and the key that opens the credentials of numbers
   * @returns whether the log has something new
   */
  async report(
    at: ReceivingNumber,
    { contact, userId }: ThreadAddress,
    control: { elsewhere: boolean; reportedAt: Date | null },
    { hasModel, cipherKeyId }: { hasModel: boolean; cipherKeyId: string },
    { receivedAt, position }: Arrival,
  ): Promise<boolean> {
    const values = { ...at, contact, userId, ...control, hasModel, cipherKeyId, receivedAt, position };
    return (await this.database.run(REPORT, values)).length > 0;
  }
}
