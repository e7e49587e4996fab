import type { Changed } from '@app/persistence/audit/audit.repository';
import type { ScenarioRow } from '@app/persistence/scenarios/definition/scenario.repository';
import type { AuditedAct } from '../../audit/audit.service';
import { differencesOf, type AuditedThing } from '../../audit/audited-thing';
import { presentScenario, type Scenario } from './scenario.presenter';

type ScenarioSubject = Pick<ScenarioRow, 'account_id' | 'id' | 'name'>;

export const ofScenario = ({ account_id: accountId, id, name }: ScenarioSubject): AuditedAct['subject'] => ({
  type: 'scenario',
  ...{ accountId, id, name },
});

/** As admins see it: without the values of headers. Steps that change have another revision. */
const SHOWN_SCENARIO: AuditedThing<Scenario> = {
  type: 'scenario',
  subjectOf: ofScenario,
  shown: [
    ...(['status_id', 'name', 'state', 'order', 'on_leave', 'on_reply', 'on_takeover'] as const),
    ...(['reentry', 'cooldown_seconds', 'send_hours', 'revision', 'steps'] as const),
  ],
};

/** What differs of a scenario; null: nothing. */
export function scenarioAct(
  { before, after }: Changed<ScenarioRow>,
  { cancelsRuns = false } = {},
): AuditedAct | null {
  const row = after ?? before;
  if (!row) return null;
  const change = {
    before: before && presentScenario(before),
    after: after && presentScenario(after),
  };
  const differences = differencesOf(SHOWN_SCENARIO, change);
  if (!differences && !cancelsRuns) return null;
  const cancelled = cancelsRuns ? { running: 'cancel' } : {};
  return {
    subject: ofScenario(row),
    before: differences?.before ?? null,
    after: cancelsRuns ? { ...differences?.after, ...cancelled } : (differences?.after ?? null),
  };
}
