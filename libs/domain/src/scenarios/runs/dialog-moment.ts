import type { RunReason } from '@app/contracts/scenario.words';
import type { Dialog, OpenRun, DialogTransaction } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { StepMoment } from '../steps/step-decision';
import type { RunPlan } from './run-plan';

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

/** The entry of the history by which a call ends a run. */
const ENDED_BY: Partial<Record<RunReason, 'status' | 'handler'>> = {
  left_stage: 'status',
  takeover: 'handler',
};

/**
 * The id of the call that ends a run; null where none does.
 * @param later the open runs of the dialog that were asked for after it
 * @param transaction null: a rehearsal, whose history nobody reads
 */
export async function requestThatEnds(
  { run }: RunPlan,
  reason: RunReason,
  later: readonly RunPlan[],
  transaction: DialogTransaction | null,
): Promise<string | null> {
  if (reason === 'restarted') {
    const next = later.find((other) => other.run.scenario_id === run.scenario_id);
    return next?.run.cause.request_id ?? null;
  }
  const type = ENDED_BY[reason];
  return type && transaction ? transaction.requestSinceBegun(run.id, type) : null;
}
