import { demoId } from '@app/contracts/demo.ids';
import type { StoredStep } from '@app/contracts/scenario.words';
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

/** The scenario of the success stage. */
export async function seedScenario(db: Client): Promise<void> {
  const scenario = demoId('scenario', 1);
  const paid = SALES_FUNNEL.find(({ kind }) => kind === 'success')?.id;
  await db.query(
    `INSERT INTO scenarios (account_id, id, assistant_id, status_id, name)
     SELECT account_id, $2, assistant_id, id, $4 FROM statuses WHERE account_id = $1 AND id = $3`,
    [SHOP, scenario, paid, 'Thank the customer'],
  );
  await db.query(
    'INSERT INTO scenario_revisions (account_id, scenario_id, revision, steps) VALUES ($1, $2, 1, $3)',
    [SHOP, scenario, JSON.stringify(THANKS)],
  );
  await db.query('UPDATE statuses SET starts_runs = true WHERE account_id = $1 AND id = $2', [SHOP, paid]);
}
