import type { Dialog, OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { RunPlan } from './run-plan';
import type { StepMoment } from '../steps/step-decision';

const LAST_SENDS: Partial<Record<NonNullable<OpenRun['message_status']>, StepMoment['lastSend']>> = {
  sent: 'accepted',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
};

/** What the present step of a run sees. */
export function momentOf(dialog: Dialog, plan: RunPlan): StepMoment {
  const { run } = plan;
  return {
    now: dialog.at,
    dueSince: plan.dueSince,
    runId: run.id,
    inStage: run.in_stage,
    replied: run.replied,
    lastSend: run.message_status === null ? null : (LAST_SENDS[run.message_status] ?? null),
    customerAfter: run.customer_after,
    waitsForTakeover: run.on_takeover !== 'continue',
    sendHours: run.send_hours,
    dialog: {
      channel: dialog.channel,
      takeover: dialog.takeover,
      takeoverUntil: dialog.takeover_until,
      handler: dialog.by_agent ? 'AI' : 'OPERATOR',
      waiting: dialog.waiting,
      windowOpen: dialog.window_open,
      statusKind: dialog.status_kind,
      statusName: dialog.status_name,
      assistantName: dialog.assistant_name,
      leadName: dialog.customer_name,
      leadPhone: dialog.phone,
    },
  };
}
