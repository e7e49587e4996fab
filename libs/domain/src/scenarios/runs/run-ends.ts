import type { RunReason } from '@app/contracts/scenario.words';
import type { DialogTransaction } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { RunPlan } from './run-plan';

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
