import { Injectable } from '@nestjs/common';
import { Database, WorkDatabase } from '../database/database.service';
import type { AsNumbers } from '../database/row-types';
import { statement } from '../database/sql.statements';
import { comesTo, takeoverAfter } from '../threads/conductor.rules';
import {
  askForOperator,
  beginTakeover,
  canBeTakenUp,
  DECIDING,
  isWaiting,
  KEEP_TAKEOVER,
  mayBeAnswered,
  NOBODY_ANSWERED,
  onlyWhere,
  replyCanCome,
  set,
  stageLetsAnswer,
  takeoverIsOver,
  takeUp,
} from '../threads/thread.rules';
import { agentAsActor, appendEvents, ENTRIES } from '../threads/thread-log.statements';
import { wakeRuns } from '../threads/run.statements';
import type { ReplyEntity } from './reply.entity';
import type { HeldReply } from './reply.repository';

/**
 * Ends takeovers whose time is over, a bounded number at once: the agent conducts the thread again, and a switch that is
 * off stays off. Where the customer still waits for an answer, the account decides: a person is asked for, once; the
 * agent takes the message up, or, where that may not be answered, a person is asked for; or the takeover goes on without an
 * end, and a person is asked for. Nobody is while another AI conducts the dialog: it may be about to answer.
 */
const RETURN = statement('takeovers-return').takes('most', 'hasModel', 'cipherKeyId').returns<{
  told: number;
}>(`
  WITH over AS MATERIALIZED (
    SELECT t.account_id, t.id, t.ai_enabled AND ${isWaiting('t')} AS waits,
           :hasModel AND ${mayBeAnswered('t', 'clock_timestamp()', stageLetsAnswer('t', 't.account_id'))}
             AND ${replyCanCome('t', 't.account_id')}
             AND ${canBeTakenUp('t', 't.account_id')} AS can_answer,
           NOT t.conducted_elsewhere AND t.attention IS DISTINCT FROM ${NOBODY_ANSWERED} AS is_news
      FROM threads t WHERE ${takeoverIsOver('t', 'clock_timestamp()')}
     ORDER BY t.takeover_until LIMIT :most FOR NO KEY UPDATE OF t SKIP LOCKED),
  timed AS MATERIALIZED (
    SELECT o.account_id, o.id, clock_timestamp() AS at, o.waits AND a.takeover_end = 'keep' AS keeps,
           e.answers, o.waits AND o.is_news AND NOT e.answers AS asks
      FROM over o JOIN accounts a ON a.id = o.account_id
      CROSS JOIN LATERAL (SELECT o.can_answer AND a.takeover_end = 'answer' AS answers) e),
  back AS (
    UPDATE threads t
       SET takeover_until = CASE WHEN o.keeps THEN ${KEEP_TAKEOVER} ELSE ${takeoverAfter('takeoverEnds', 't', 'o.at')} END,
           version = t.version + 1 + o.asks::int, ${set(onlyWhere('o.asks', 't', askForOperator(NOBODY_ANSWERED, 'NULL', 'o.at')))}
      FROM timed o WHERE t.account_id = o.account_id AND t.id = o.id AND ${takeoverIsOver('t', 'o.at')}
    RETURNING t.id, t.assistant_id, t.version - o.asks::int AS version, t.has_runs, o.at, o.keeps, o.answers, o.asks, ${DECIDING('t')}),
  woken AS (${wakeRuns('(SELECT * FROM back WHERE NOT keeps) b')}),
  taken_up AS (${takeUp(
    'SELECT t.account_id, t.id, t.waiting_message_id, t.ai_epoch, t.at AS due_at FROM back t WHERE t.answers',
    { account: 'a.account_id' },
  )}),
  event AS (${appendEvents('back', { by: `'SYSTEM'`, account: 't.account_id' }, [
    {
      ...ENTRIES.handedToAgent,
      type: `CASE WHEN t.ai_enabled AND NOT t.keeps THEN 'handler' ELSE 'card' END`,
    },
    { ...ENTRIES.attention(NOBODY_ANSWERED, 'NULL::text'), step: '1', when: 't.asks' },
  ])})
  SELECT 1 AS told FROM event`);

const REASON = `'hand_over'::text`;

/** The agent hands the thread over to a person: a takeover begins, and an operator is asked for. */
const HAND_OVER = statement('agent-hand-over').takes('accountId', 'threadId', 'replyId', 'token', 'reason')
  .returns<AsNumbers<Pick<ReplyEntity, 'epoch'>>>(`
  WITH cur AS MATERIALIZED (
    SELECT t.id, t.assistant_id, t.version FROM threads t
     WHERE t.account_id = :accountId AND t.id = :threadId AND ${comesTo('modelHandsOver', 'operator', 't', 'clock_timestamp()')}
       AND EXISTS (SELECT 1 FROM replies r WHERE r.account_id = :accountId AND r.id = :replyId::bigint
                      AND r.lease_token = :token AND r.epoch = t.ai_epoch)
       FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  touched AS (
    UPDATE threads t
       SET version = t.version + 2, ai_epoch = t.ai_epoch + 1, last_activity_at = d.at,
           ${set(askForOperator(REASON, ':reason::text', 'd.at'))},
           takeover_until = ${takeoverAfter('modelHandsOver', 't', 'd.at', beginTakeover('t', 'd.at'))}
      FROM timed d WHERE t.account_id = :accountId AND t.id = d.id
    RETURNING t.account_id, t.id, t.assistant_id, t.has_runs, t.ai_epoch, d.version + 1 AS version, d.at),
  woken AS (${wakeRuns('touched')}),
  event AS (${appendEvents('touched', { by: `'AI'`, actor: agentAsActor('t', ':accountId') }, [
    ENTRIES.handedToPerson,
    { ...ENTRIES.attention(REASON, ':reason::text'), step: '1' },
  ])})
  SELECT ai_epoch::float8 AS epoch FROM touched`);

/** Takeovers that begin or end without a person's action. */
@Injectable()
export class TakeoverRepository {
  constructor(
    private readonly database: Database,
    private readonly work: WorkDatabase,
  ) {}

  /**
   * @param ability whether there is a model, and the key that opens the credentials of numbers
   * @returns how many dialogs went back to their agents
   */
  async returnDue(
    most: number,
    { hasModel, cipherKeyId }: { hasModel: boolean; cipherKeyId: string },
  ): Promise<number> {
    return (await this.work.run(RETURN, { most, hasModel, cipherKeyId })).length;
  }

  /**
   * @param reason in the model's words
   * @returns the dialog's new epoch; null when the agent may not speak there any more.
   */
  async handOver(
    { accountId, replyId, token }: HeldReply,
    threadId: string,
    reason: string,
  ): Promise<number | null> {
    const values = { accountId, threadId, replyId, token, reason: reason || null };
    const [row] = await this.database.run(HAND_OVER, values);
    return row?.epoch ?? null;
  }
}
