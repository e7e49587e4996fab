import type { Actor } from '@app/contracts/lead.words';
import { activeTrace } from '@app/contracts/trace-recorder';
import { Injectable } from '@nestjs/common';
import { RowBusyError } from '../database/database.errors';
import { Database, ReservedDatabase } from '../database/database.service';
import type { AsNumbers, OrNull } from '../database/row-types';
import { statement } from '../database/sql.statements';
import type { Visibility } from '../accounts/reach-scope';
import type { EventEntity } from '../events/event.entity';
import { changesConductor, comesTo, conductAfter } from '../threads/conductor.rules';
import { wakeRuns } from '../threads/run.statements';
import { AFTER_FAMILY, isWholeFamily, lockedFamily, spread } from '../threads/same-customer.statements';
import { ThreadLockQueues } from '../threads/thread-lock-queues';
import {
  endTakeover,
  mayBeAnswered,
  onlyWhere,
  replyCanCome,
  set,
  takeBack,
  takeoverRuns,
  takeUp,
} from '../threads/thread.rules';
import { appendEvents, changed, ENTRIES } from '../threads/thread-log.statements';

export interface SwitchRequest {
  threadId: string;
  aiEnabled: boolean;
  actor: Actor | null;
  /** The id of the call that switches. */
  requestId?: string | null;
  /** Whether a model is configured that could answer the waiting message. */
  hasModel: boolean;
  /** The key that opens the credentials of numbers. */
  cipherKeyId: string;
  /** Who did it, in the history's words. */
  by: string;
}

/** What became of the switch, and the number of its event. */
export interface SwitchOutcome extends OrNull<AsNumbers<Pick<EventEntity, 'seq'>>> {
  verdict: 'switch' | 'same' | 'opted_out' | 'again';
  /** Other dialogs of the same customer, for which it counts too. */
  others: string[];
  /** The due reply to the waiting message; null: there is none. */
  reply_id: string | null;
}

/** Each try looks anew: another dialog of the customer became known meanwhile. */
const TRIES = 10;

const SWITCHED = conductAfter('t', 'd.at', [
  { when: ':wanted', event: 'switchedOn' },
  { when: 'NOT :wanted', event: 'switchedOff' },
]);

/**
 * The switch, in one statement with the same rules as a move. On takes the dialog back from another AI, too. It locks only the thread row, which holds every fact of
 * the dialog. It compares the switch together with the takeover. Whether the stage lets the agent answer is read from
 * the funnel, by the locked row's stage. A stage newer than the statement counts as mute, so that nothing is sent by
 * mistake. The waiting message is judged by the row as it is after the switch.
 */
export const SWITCH = statement('ai-switch').takes(
  'accountId',
  'threadId',
  'assistantIds',
  'wanted',
  'by',
  'actor',
  'requestId',
  'hasModel',
  'cipherKeyId',
  'trace',
).returns<SwitchOutcome>(`
  WITH family AS MATERIALIZED (${lockedFamily(
    'SELECT f.account_id, f.id FROM threads f WHERE f.account_id = :accountId AND f.id = :threadId AND f.assistant_id = ANY (:assistantIds::uuid[])',
  )}),
  cur AS MATERIALIZED (
    SELECT account_id, same_customer, id, assistant_id, status_id, version, ai_enabled, takeover_until, ai_epoch, opted_out, conducted_elsewhere,
           waiting_message_id, waiting_at, answer_count, bot_id, channel
      FROM threads WHERE account_id = :accountId AND id = :threadId AND assistant_id = ANY (:assistantIds::uuid[])
       AND ${AFTER_FAMILY} FOR NO KEY UPDATE),
  timed AS MATERIALIZED (SELECT cur.*, clock_timestamp() AS at FROM cur),
  decided AS MATERIALIZED (
    SELECT t.*,
           CASE WHEN NOT ${isWholeFamily('t')} THEN 'again' WHEN :wanted AND ${comesTo('switchedOn', 'optedOut', 't', 't.at')} THEN 'opted_out'
                WHEN :wanted AND (t.conducted_elsewhere OR ${changesConductor('switchedOn', 't', 't.at')}) THEN 'switch'
                WHEN NOT :wanted AND ${changesConductor('switchedOff', 't', 't.at')} THEN 'switch'
                ELSE 'same' END AS verdict FROM timed t),
  on_again AS MATERIALIZED (
    SELECT d.id, d.assistant_id, d.status_id, d.opted_out, d.waiting_message_id, d.waiting_at, d.answer_count, d.bot_id,
           d.channel, d.at, true AS ai_enabled, false AS conducted_elsewhere, ${endTakeover} AS takeover_until, d.ai_epoch + 1 AS ai_epoch
      FROM decided d WHERE d.verdict = 'switch' AND :wanted AND :hasModel),
  reply AS (${takeUp(
    `
    SELECT o.id, o.waiting_message_id, o.ai_epoch, o.at AS due_at FROM on_again o
     WHERE ${mayBeAnswered('o', 'o.at')} AND ${replyCanCome('o')}`,
    { trace: ':trace::text' },
  )}),
  switched AS (
    UPDATE threads t
       SET ${set({ ...SWITCHED, ...onlyWhere(':wanted', 't', takeBack('d.at')) })}, ai_epoch = t.ai_epoch + 1, version = t.version + 1,
           last_activity_at = d.at
      FROM decided d WHERE t.account_id = :accountId AND t.id = d.id AND d.verdict = 'switch'
    RETURNING t.account_id, t.id, t.assistant_id, t.has_runs, t.version, d.at, d.ai_enabled AS was_enabled, ${takeoverRuns('d', 'd.at')} AS was_taken_over),
  woken AS (${wakeRuns('switched')}),
  ${spread(`(SELECT * FROM decided WHERE verdict IN ('switch', 'same'))`, { silences: 'NOT :wanted::boolean', resumes: ':wanted::boolean' })},
  event AS (${appendEvents(
    'switched',
    { by: ':by::text', actor: ':actor::jsonb', request: ':requestId::text' },
    [
      { type: `'ai'`, body: changed('t.was_enabled', ':wanted::boolean'), when: 't.was_enabled <> :wanted' },
      { ...ENTRIES.handedToAgent, when: 't.was_enabled = :wanted AND t.was_taken_over' },
      { ...ENTRIES.card, when: 't.was_enabled = :wanted AND NOT t.was_taken_over' },
    ],
  )})
  SELECT d.verdict, (SELECT id FROM reply)::text AS reply_id,
         coalesce((SELECT max(seq) FROM event), (SELECT max(seq) FROM others_logged))::float8 AS seq,
         coalesce(d.same_customer, '{}')::text[] AS others FROM decided d`);

@Injectable()
export class AiSwitchRepository {
  constructor(
    private readonly database: Database,
    private readonly lockQueues: ThreadLockQueues,
    private readonly reserved: ReservedDatabase,
  ) {}

  /**
   * Switches the agent of one dialog on or off. Off waits neither for its account's other statements nor in the queue
   * for the dialog's lock.
   * @returns null when the caller sees no such dialog.
   */
  async switchAi(of: Visibility, request: SwitchRequest): Promise<SwitchOutcome | null> {
    const { accountId, assistantIds } = of;
    const { threadId, aiEnabled: wanted, by, actor, requestId = null, hasModel, cipherKeyId } = request;
    const values = {
      accountId,
      threadId,
      assistantIds,
      wanted,
      by,
      actor: actor && JSON.stringify(actor),
      requestId,
      hasModel,
      cipherKeyId,
      trace: activeTrace(),
    };
    for (let tried = 1; ; tried++) {
      const [outcome] = await (wanted
        ? this.lockQueues.run(accountId, threadId, () => this.database.runFor(accountId, SWITCH, values))
        : this.reserved.runFor(accountId, SWITCH, values));
      if (outcome?.verdict !== 'again') return outcome ?? null;
      if (tried === TRIES) throw new RowBusyError(new Error('the dialogs of a customer change at every try'));
    }
  }
}
