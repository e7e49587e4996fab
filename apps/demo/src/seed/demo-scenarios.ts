import { demoId } from '@app/contracts/demo-ids';
import type {
  OnLeave,
  RunCause,
  RunReason,
  RunStepState,
  ScenarioState,
  StoredStep,
} from '@app/contracts/scenario.words';
import type { StepProgress, ScenarioRunState } from '@app/persistence/scenarios/runs/scenario-run.entity';
import type { Client } from 'pg';
import { SHOP } from './demo-accounts';
import { PACKING, SALES_FUNNEL, SERVICE_FUNNEL, type DemoStage } from './demo-funnels';

/** Who moved the leads of the seeded runs. */
const CAUSE: RunCause = { type: 'key', id: demoId('apiKey', 2), name: 'Reporting' };

/**
 * Thanks at once; after a minute a text, unless the customer has replied or wrote so long ago that only templates may
 * go out; then the next stage. No step names a channel, and the template is approved on both.
 */
const THANKS: StoredStep[] = [
  { kind: 'send_template', label: 'thanks', template_id: 'payment_received', template_language: 'ru' },
  { kind: 'wait', seconds: 60 },
  {
    kind: 'condition',
    all: [
      { fact: 'replied', is: false },
      { fact: 'window_open', is: true },
    ],
    else: { go: 'next stage' },
  },
  {
    kind: 'send_text',
    text: '{{lead.name|Здравствуйте}}, подскажите, куда и когда удобно доставить заказ?',
    on_failure: 'continue',
  },
  { kind: 'set_status', label: 'next stage', status_id: PACKING.id },
];

/** A review is asked for some hours later. Switched off: an example to change, to start by hand, and to delete. */
const REVIEW: StoredStep[] = [
  { kind: 'wait', seconds: 3 * 3_600 },
  { kind: 'condition', all: [{ fact: 'window_open', is: true }], else: 'stop' },
  { kind: 'send_text', text: '{{lead.name|Здравствуйте}}, как вам наш кофе? Напишите пару слов.' },
];

/** A machine that was repaired is asked after. Switched off, and goes on with what it began. */
const AFTER_REPAIR: StoredStep[] = [
  { kind: 'send_template', label: 'ready', template_id: 'order_ready', template_language: 'en' },
  { kind: 'wait', seconds: 7 * 86_400 },
  { kind: 'notify', text: 'Ask {{lead.name|the customer}} whether the machine works.' },
];

const successOf = (funnel: readonly DemoStage[]): string =>
  funnel.find(({ kind }) => kind === 'success')?.id ?? '';

interface DemoScenario {
  n: number;
  name: string;
  stageId: string;
  state: ScenarioState;
  onLeave: OnLeave;
  order: number;
  steps: StoredStep[];
}

/** On success stages only: no other move writes to customers. */
const PAID = { stageId: successOf(SALES_FUNNEL), onLeave: 'cancel' as const };
const SCENARIOS: DemoScenario[] = [
  { ...PAID, n: 1, name: 'Thank the customer', state: 'on', order: 1, steps: THANKS },
  { ...PAID, n: 2, name: 'Ask for a review', state: 'off', order: 2, steps: REVIEW },
  {
    ...{ n: 3, name: 'After the repair', stageId: successOf(SERVICE_FUNNEL), onLeave: 'continue' },
    ...{ state: 'off', order: 1, steps: AFTER_REPAIR },
  },
];

export async function seedScenarios(db: Client): Promise<void> {
  for (const { n, name, stageId, state, onLeave, order, steps } of SCENARIOS) {
    await db.query(
      `WITH made AS (
         INSERT INTO scenarios (account_id, id, assistant_id, status_id, name, state, on_leave, "order")
         SELECT account_id, $2, assistant_id, id, $4, $5, $6, $7 FROM statuses WHERE account_id = $1 AND id = $3
         RETURNING account_id, id)
       INSERT INTO scenario_revisions (account_id, scenario_id, revision, steps) SELECT account_id, id, 1, $8 FROM made`,
      [SHOP, demoId('scenario', n), stageId, name, state, onLeave, order, JSON.stringify(steps)],
    );
  }
  await db.query('UPDATE statuses SET starts_runs = true WHERE account_id = $1 AND id = $2', [
    SHOP,
    PAID.stageId,
  ]);
}

interface DemoRun {
  n: number;
  thread: number;
  daysAgo: number;
  state: ScenarioRunState;
  reason: RunReason | null;
  /** The states of the steps that it reached. */
  reached: RunStepState[];
}

/** The repaired machine's runs: one under way, one to try again, and one whose message may have been sent. */
const RUNS: DemoRun[] = [
  { n: 1, thread: 33, daysAgo: 1, state: 'waiting', reason: null, reached: ['done', 'waiting'] },
  { n: 2, thread: 34, daysAgo: 2, state: 'cancelled', reason: 'person', reached: ['done', 'skipped'] },
  { n: 3, thread: 31, daysAgo: 3, state: 'failed', reason: 'step_failed', reached: ['unknown'] },
];

const OUTCOME_UNKNOWN = { code: 'PROVIDER_ERROR', message: 'The provider’s answer was lost.' };

/** Runs that the documentation's examples name. Only the first is under way. */
export async function seedRuns(db: Client): Promise<void> {
  const at = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  for (const { n, thread, daysAgo, state, reason, reached } of RUNS) {
    const isOpen = state === 'waiting';
    const since = at(daysAgo);
    const until = isOpen ? at(daysAgo - 7) : null;
    const progress: StepProgress[] = reached.map((step, index) => ({
      ...{ index, state: step, started_at: since, finished_at: step === 'waiting' ? null : since },
      ...{ attempts: index === 0 ? 1 : 0, ...(step === 'waiting' && until !== null && { until }) },
      ...(step === 'unknown' && { error: OUTCOME_UNKNOWN }),
    }));
    const threadId = demoId('thread', thread);
    await db.query(
      `INSERT INTO scenario_runs (account_id, id, scenario_id, thread_id, status_id, entered_at, revision, state, reason,
         cause, at_step, progress, next_at, due_since, started_at, finished_at)
       VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11, $12, $6, $6, $13)`,
      [
        ...[SHOP, demoId('run', n), demoId('scenario', 3), threadId, successOf(SERVICE_FUNNEL), since, state],
        ...[reason, JSON.stringify(CAUSE), reached.length - 1, JSON.stringify(progress), until],
        isOpen ? null : since,
      ],
    );
    if (!isOpen) continue;
    await db.query('INSERT INTO scenario_queues (account_id, thread_id, due_at) VALUES ($1, $2, $3)', [
      ...[SHOP, threadId, until],
    ]);
    await db.query('UPDATE threads SET has_runs = true WHERE account_id = $1 AND id = $2', [SHOP, threadId]);
  }
}
