import { Injectable } from '@nestjs/common';
import { WorkDatabase } from '../../database/database.service';
import type { CamelCased, OrNull } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { RunQueueKey } from './run-queue.repository';
import type { ScenarioRunEntity } from './scenario-run.entity';

/** A scenario that changed. Null: the automation of the account was resumed. */
export interface Wake
  extends Pick<RunQueueKey, 'accountId'>, OrNull<CamelCased<Pick<ScenarioRunEntity, 'scenario_id'>>> {}

/** One that this process sees to. */
export interface HeldWake extends Wake {
  /** The end of the claim, as the database writes it. */
  until: string;
}

/** After this time another process sees to what a killed one had begun. */
const CLAIM_SECONDS = 10;

const CLAIM_SCENARIO = statement('run-wake-claim-scenario').returns<HeldWake>(`
  UPDATE scenarios s SET wake_at = clock_timestamp() + interval '${CLAIM_SECONDS} s'
   WHERE (s.account_id, s.id) = (
     SELECT account_id, id FROM scenarios WHERE wake_at <= clock_timestamp() ORDER BY wake_at LIMIT 1
        FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING s.account_id AS "accountId", s.id AS "scenarioId", s.wake_at::text AS until`);

const CLAIM_ACCOUNT = statement('run-wake-claim-account').returns<HeldWake>(`
  UPDATE accounts a SET wake_at = clock_timestamp() + interval '${CLAIM_SECONDS} s'
   WHERE a.id = (SELECT id FROM accounts WHERE wake_at <= clock_timestamp() ORDER BY wake_at LIMIT 1
                    FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING a.id AS "accountId", NULL AS "scenarioId", a.wake_at::text AS until`);

const DONE = statement('run-wake-done').takes('accountId', 'scenarioId', 'until').returns(`
  WITH of_scenario AS (
    UPDATE scenarios SET wake_at = NULL
     WHERE account_id = :accountId AND id = :scenarioId::uuid AND wake_at = :until::timestamptz)
  UPDATE accounts SET wake_at = NULL
   WHERE id = :accountId AND :scenarioId::uuid IS NULL AND wake_at = :until::timestamptz`);

const RENEW = statement('run-wake-renew').takes('accountId', 'scenarioId', 'until').returns<
  Pick<HeldWake, 'until'>
>(`
  WITH of_scenario AS (
    UPDATE scenarios SET wake_at = clock_timestamp() + interval '${CLAIM_SECONDS} s'
     WHERE account_id = :accountId AND id = :scenarioId::uuid AND wake_at = :until::timestamptz
    RETURNING wake_at),
  of_account AS (
    UPDATE accounts SET wake_at = clock_timestamp() + interval '${CLAIM_SECONDS} s'
     WHERE id = :accountId AND :scenarioId::uuid IS NULL AND wake_at = :until::timestamptz
    RETURNING wake_at)
  SELECT wake_at::text AS until FROM of_scenario UNION ALL SELECT wake_at::text FROM of_account`);

type DialogRow = Pick<ScenarioRunEntity, 'thread_id'>;

const OF_SCENARIO = statement('run-wake-of-scenario').takes('accountId', 'scenarioId', 'after', 'limit')
  .returns<DialogRow>(`
  SELECT DISTINCT r.thread_id FROM scenario_runs r
   WHERE r.account_id = :accountId AND r.scenario_id = :scenarioId AND r.finished_at IS NULL AND r.thread_id > :after
   ORDER BY r.thread_id LIMIT :limit`);

const OF_ACCOUNT = statement('run-wake-of-account').takes('accountId', 'after', 'limit').returns<DialogRow>(`
  SELECT q.thread_id FROM scenario_queues q
   WHERE q.account_id = :accountId AND q.thread_id > :after ORDER BY q.thread_id LIMIT :limit`);

/**
 * The thread's lock first: a process that holds it has perhaps read what counted before the change, and puts its dialog
 * off when it writes.
 */
const wake = (orWaits: '' | 'SKIP LOCKED'): string => `
  WITH locked AS MATERIALIZED (
    SELECT id FROM threads WHERE account_id = :accountId AND id = ANY (:threadIds::uuid[])
     ORDER BY id FOR NO KEY UPDATE ${orWaits}),
  timed AS MATERIALIZED (SELECT l.id, clock_timestamp() AS at FROM locked l),
  woken AS (
    UPDATE scenario_queues q SET due_at = least(q.due_at, t.at)
      FROM timed t WHERE q.account_id = :accountId AND q.thread_id = t.id)
  SELECT id AS thread_id FROM timed`;

const WAKE_FREE = statement('run-wake-free')
  .takes('accountId', 'threadIds')
  .returns<DialogRow>(wake('SKIP LOCKED'));
const WAKE_HELD = statement('run-wake-held').takes('accountId', 'threadIds').returns<DialogRow>(wake(''));

/** Dialogs whose runs are looked at again, because what holds, ends or delays these has changed. */
@Injectable()
export class RunWakesRepository {
  constructor(private readonly work: WorkDatabase) {}

  /** @returns one that no process sees to; null where there is none */
  async claim(): Promise<HeldWake | null> {
    const [ofScenario] = await this.work.run(CLAIM_SCENARIO);
    const [ofAccount] = ofScenario ? [] : await this.work.run(CLAIM_ACCOUNT);
    return ofScenario ?? ofAccount ?? null;
  }

  /** Keeps the claim. @returns null where it ran out, or there was a further change: then all of it is done anew */
  async renew(wake: HeldWake): Promise<HeldWake | null> {
    const [renewed] = await this.work.run(RENEW, { ...wake });
    return renewed ? { ...wake, ...renewed } : null;
  }

  /** Nothing is left to do, unless there was a further change meanwhile. */
  async done(wake: HeldWake): Promise<void> {
    await this.work.run(DONE, { ...wake });
  }

  /** Dialogs with open runs, by their ids. */
  async dialogs({ accountId, scenarioId }: Wake, after: string, limit: number): Promise<string[]> {
    const rows =
      scenarioId === null
        ? await this.work.run(OF_ACCOUNT, { accountId, after, limit })
        : await this.work.run(OF_SCENARIO, { accountId, scenarioId, after, limit });
    return rows.map(({ thread_id: id }) => id);
  }

  /** Makes dialogs due. @returns those that another transaction holds: nothing was done to them */
  async wake(accountId: string, threadIds: readonly string[]): Promise<string[]> {
    const woken = await this.work.run(WAKE_FREE, { accountId, threadIds });
    const ids = new Set(woken.map(({ thread_id: id }) => id));
    return threadIds.filter((id) => !ids.has(id));
  }

  /** Makes a dialog due, after whoever holds it. @throws RowBusyError */
  async wakeHeld(accountId: string, threadId: string): Promise<void> {
    await this.work.run(WAKE_HELD, { accountId, threadIds: [threadId] });
  }
}
