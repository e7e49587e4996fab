import type { StepDefinition } from '@app/contracts/scenario.words';
import type { Pool } from 'pg';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import type { ScriptedProvider } from '../stand-ins/scripted.provider';

type Requested = Pick<ScriptedProvider, 'sendsTo'>;

interface KeptRun {
  id: string;
  phone: string;
  thread_id: string;
  state: string;
  progress: StepProgress[];
  started_at: Date;
  finished_at: Date | null;
  moves: number;
  asked: number;
  told: string[];
}

/** What the text of a step's message begins with, so that the ledger tells which step sent it. */
export const textOf = (index: number | string): string => `Step ${index}`;

/** The runs of an account, and what its histories say of each one's dialog. */
async function runsOf(pool: Pool, accountId: string): Promise<KeptRun[]> {
  const { rows } = await pool.query<KeptRun>(
    `SELECT r.id, t.phone, r.thread_id, r.state, r.progress, r.started_at, r.finished_at,
            (SELECT count(*)::int FROM events e WHERE e.account_id = r.account_id AND e.thread_id = r.thread_id
                AND e.type = 'status' AND e.body ->> 'by' = 'SCENARIO') AS moves,
            (SELECT count(*)::int FROM events e WHERE e.account_id = r.account_id AND e.thread_id = r.thread_id
                AND e.type = 'attention') AS asked,
            (SELECT array_agg(e.body ->> 'to' ORDER BY e.seq) FROM events e WHERE e.account_id = r.account_id
                AND e.thread_id = r.thread_id AND e.type = 'scenario') AS told
       FROM scenario_runs r JOIN threads t ON t.account_id = r.account_id AND t.id = r.thread_id
      WHERE r.account_id = $1 ORDER BY r.started_at, r.id`,
    [accountId],
  );
  return rows;
}

const SENDS = ['send_text', 'send_template'];
const isSend = ({ kind }: StepDefinition): boolean => SENDS.includes(kind);
const countOf = (steps: readonly StepDefinition[], kind: string): number =>
  steps.filter((step) => step.kind === kind).length;

/**
 * What is wrong with an account's runs, one of each dialog, all of one scenario whose sends go on after a failure, once
 * all have ended. Nothing is wrong when each made all of its steps once and in order: the provider got one request at
 * most for each send, and one exactly for each that is done.
 * @param provider whose requests count
 */
export async function violationsOfRuns(
  pool: Pool,
  provider: Requested,
  accountId: string,
  steps: readonly StepDefinition[],
): Promise<string[]> {
  const runs = await runsOf(pool, accountId);
  return runs.flatMap((run) => violationsOf(run, provider, steps).map((fault) => `${run.id}: ${fault}`));
}

function violationsOf(run: KeptRun, provider: Requested, steps: readonly StepDefinition[]): string[] {
  const faults: string[] = [];
  const sent = provider.sendsTo(run.phone).map(({ body }) => (body.text as { body: string }).body);
  if (run.state !== 'done') faults.push(`it is ${run.state}`);
  const order = run.progress.map(({ index }) => index);
  if (order.join() !== steps.map((_, index) => index).join()) faults.push(`its steps are ${order.join()}`);
  for (const { index, state } of run.progress) {
    const step = steps[index];
    if (!step || !isSend(step)) {
      if (state !== 'done') faults.push(`step ${index} is ${state}`);
      continue;
    }
    const requests = sent.filter((text) => text === textOf(index)).length;
    if (requests > 1) faults.push(`step ${index} was sent ${requests} times`);
    if (state === 'done' && requests !== 1) faults.push(`step ${index} is done and was never sent`);
    if (state !== 'done' && state !== 'unknown') faults.push(`step ${index} is ${state}`);
  }
  if (sent.join() !== sent.toSorted().join()) faults.push(`it sent ${sent.join()}`);
  if (run.moves !== countOf(steps, 'set_status')) faults.push(`it moved ${run.moves} times`);
  if (run.asked !== countOf(steps, 'notify') + countOf(steps, 'hand_over'))
    faults.push(`it asked for a person ${run.asked} times`);
  if (run.told.join() !== 'started,done') faults.push(`the history says ${run.told.join()}`);
  return faults;
}

/** The longest time in which a run made no step, beyond what its steps wait; in milliseconds. */
export async function longestPause(pool: Pool, accountId: string, waitSeconds: number): Promise<number> {
  const runs = await runsOf(pool, accountId);
  const pauses = runs.flatMap(({ progress, started_at: startedAt }) =>
    progress.map(({ finished_at: at }, n) => {
      const before = n === 0 ? +startedAt : Date.parse(progress[n - 1]?.finished_at ?? '');
      return Date.parse(at ?? '') - before;
    }),
  );
  return Math.max(...pauses) - waitSeconds * 1_000;
}

/** How many steps of an account's runs ended so. */
export async function stepsThat(pool: Pool, accountId: string, state: string): Promise<number> {
  const runs = await runsOf(pool, accountId);
  return runs.flatMap(({ progress }) => progress).filter((step) => step.state === state).length;
}
