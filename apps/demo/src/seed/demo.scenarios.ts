import { demoId } from '@app/contracts/demo.ids';
import type { ScenarioState, StoredStep } from '@app/contracts/scenario.words';
import type { Client } from 'pg';
import { SHOP } from './demo.accounts';
import { PACKING, SALES_FUNNEL } from './demo.funnels';

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

/** The scenarios of the success stage, in their order. */
const SCENARIOS: { n: number; name: string; state: ScenarioState; steps: StoredStep[] }[] = [
  { n: 1, name: 'Thank the customer', state: 'on', steps: THANKS },
  { n: 2, name: 'Ask for a review', state: 'off', steps: REVIEW },
];

export async function seedScenarios(db: Client): Promise<void> {
  const paid = SALES_FUNNEL.find(({ kind }) => kind === 'success')?.id;
  for (const { n, name, state, steps } of SCENARIOS) {
    await db.query(
      `WITH made AS (
         INSERT INTO scenarios (account_id, id, assistant_id, status_id, name, state, "order")
         SELECT account_id, $2, assistant_id, id, $4, $5, $6 FROM statuses WHERE account_id = $1 AND id = $3
         RETURNING account_id, id)
       INSERT INTO scenario_revisions (account_id, scenario_id, revision, steps) SELECT account_id, id, 1, $7 FROM made`,
      [SHOP, demoId('scenario', n), paid, name, state, n, JSON.stringify(steps)],
    );
  }
  await db.query('UPDATE statuses SET starts_runs = true WHERE account_id = $1 AND id = $2', [SHOP, paid]);
}
