import type { SpanStart } from '@app/contracts/trace-recorder';
import { spanOfWork } from '../../work/worker';
import type { ErrandKey } from '../effects/errand';

/** A step that ended. */
export interface MadeStep extends Pick<ErrandKey, 'index'> {
  kind: string;
  outcome: string;
  /** How long after it was due it ended or began. */
  lateMs: number;
  run: Pick<ErrandKey['run'], 'id' | 'scenario_id' | 'cause'>;
}

const factsOf = ({ run, index }: Pick<MadeStep, 'run' | 'index'>) => ({
  ...{ 'leadline.scenario_id': run.scenario_id, 'leadline.run_id': run.id, 'leadline.step': index },
});

/** A step that ended in a turn, in a trace. @param begunAt of the turn, by the clock in milliseconds */
export const spanOfStep = (step: MadeStep, begunAt: number): SpanStart => ({
  ...{ name: `step ${step.kind}`, kind: 'internal', begunAt },
  facts: { ...factsOf(step), 'leadline.outcome': step.outcome },
});

/** What a step does outside, in a trace. */
export function spanOfErrand(key: ErrandKey): SpanStart {
  const span = spanOfWork('scenarios', key.accountId);
  return { ...span, facts: { ...span.facts, ...factsOf(key) } };
}
