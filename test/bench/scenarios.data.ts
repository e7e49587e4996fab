import type { StepDefinition } from '@app/contracts/scenario.words';
import type { Pool } from 'pg';
import { AccountFixture } from '../support/database/fixture';

/** An account of the bench with one scenario, of its first stage. */
export interface BenchAccount {
  account: AccountFixture;
  scenarioId: string;
}

let phones = 0;

/** @param perSecond the pace of its number; default: none */
export async function addAccount(
  db: Pool,
  steps: readonly StepDefinition[],
  perSecond?: number,
): Promise<BenchAccount> {
  const account = await AccountFixture.create(db);
  await account.connect('waba_coexistence', { perSecond });
  return { account, scenarioId: await account.addScenario(account.stages[0] ?? '', true, steps) };
}

/** Dialogs in the account's first stage with a run each, as a move leaves them: rows only, for there are many. */
export async function addRuns(
  db: Pool,
  { account, scenarioId }: BenchAccount,
  count: number,
  state: 'due' | 'waiting',
): Promise<void> {
  const { id, assistantId, botId, stages } = account;
  await db.query(
    `WITH given AS MATERIALIZED (
       SELECT n, gen_random_uuid() AS id, clock_timestamp() AS at FROM generate_series($6::int + 1, $6::int + $7::int) n),
     dialogs AS (
       INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, status_id, status_set_at,
                            status_set_by, has_runs)
       SELECT $1, id, $2, $3, 'waba_coexistence', '+7702' || lpad(n::text, 7, '0'), '+7702' || lpad(n::text, 7, '0'),
              $4, at, 'SYSTEM', true FROM given),
     runs AS (
       INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, cause,
                                  next_at, due_since, started_at, progress)
       SELECT $1, gen_random_uuid(), $5, id, $4, at, 1, $8, '{"type": "key", "id": null, "name": "bench"}',
              at, at, at, '[]' FROM given)
     INSERT INTO scenario_queues (account_id, thread_id, due_at)
     SELECT $1, id, CASE WHEN $8 = 'due' THEN at ELSE at + interval '30 days' END FROM given`,
    [id, assistantId, botId, stages[0], scenarioId, phones, count, state],
  );
  phones += count;
}
