import { isoOrNull } from '@app/contracts/values/iso-time';
import type { Actor } from '@app/contracts/lead.words';
import type { MessageStatus } from '@app/contracts/message.words';
import type {
  RunCause,
  RunReason,
  RunState,
  RunStepState,
  StepError,
  StepKind,
} from '@app/contracts/scenario.words';
import { formatThreadId } from '@app/contracts/uuid.format';
import type { ListedRun } from '@app/persistence/scenarios/runs/run-list.repository';
import { errorOf, trueSteps } from '../steps/step-truth';

export interface ShownStep {
  index: number;
  label: string | null;
  kind: StepKind;
  state: RunStepState;
  started_at: string | null;
  finished_at: string | null;
  attempts: number;
  message: { id: string; status: MessageStatus } | null;
  error: Required<StepError> | null;
}

/** A run as admins see it. */
export interface ShownRun {
  id: string;
  scenario_id: string;
  scenario_name: string;
  thread_id: string;
  status_id: string;
  revision: number;
  state: RunState;
  reason: RunReason | null;
  cause: RunCause;
  depth: number;
  started_at: string;
  finished_at: string | null;
  next_at: string | null;
  retried_by: Actor | null;
  steps: ShownStep[];
}

export function presentRun(run: ListedRun): ShownRun {
  const isOpen = run.finished_at === null;
  const isHeld = run.automation_paused || run.scenario_state === 'paused';
  const { type, id, name } = run.cause;
  const { retried_by: retried } = run;
  return {
    ...{ id: run.id, scenario_id: run.scenario_id, scenario_name: run.scenario_name },
    ...{ thread_id: formatThreadId(run.thread_id), status_id: run.status_id, revision: run.revision },
    ...{ state: isOpen && isHeld ? 'paused' : (run.state as RunState), reason: run.reason },
    ...{ cause: { type, id, name }, depth: run.depth },
    ...{ started_at: run.started_at.toISOString(), finished_at: isoOrNull(run.finished_at) },
    next_at: isoOrNull(run.next_at),
    retried_by: retried && { type: retried.type, id: retried.id, name: retried.name },
    steps: stepsOf(run, isOpen),
  };
}

function stepsOf({ steps, progress, messages }: ListedRun, isOpen: boolean): ShownStep[] {
  const reached = new Map(trueSteps(progress, messages, isOpen).map((step) => [step.index, step]));
  const byId = new Map(messages.map((message) => [message.id, message]));
  return steps.map(({ kind, label = null }, index): ShownStep => {
    const step = reached.get(index);
    if (!step) {
      const state = isOpen ? 'pending' : 'skipped';
      return { index, label, kind, state, ...NOT_REACHED };
    }
    const message = byId.get(step.message_id ?? '') ?? null;
    return {
      ...{ index, label, kind, state: step.state },
      ...{ started_at: step.started_at, finished_at: step.finished_at, attempts: step.attempts },
      message: message && { id: message.id, status: message.status },
      error: shownError(step.error ?? (message?.status === 'failed' ? errorOf(message) : null)),
    };
  });
}

/** A process of the former version notes no number. */
const shownError = (error: StepError | null): ShownStep['error'] =>
  error && { code: error.code, message: error.message, provider_code: error.provider_code ?? null };

const NOT_REACHED = { started_at: null, finished_at: null, attempts: 0, message: null, error: null };
