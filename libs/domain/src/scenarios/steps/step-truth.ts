import type { MessageStatus } from '@app/contracts/message.words';
import type { RunStepState, StepError } from '@app/contracts/scenario.words';
import type { RunMessage } from '@app/persistence/scenarios/runs/run-list.repository';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';

/** What a step came to whose message has such a state. */
const BY_MESSAGE: Partial<Record<MessageStatus, Extract<RunStepState, 'done' | 'failed' | 'unknown'>>> = {
  sent: 'done',
  delivered: 'done',
  read: 'done',
  failed: 'failed',
  unknown: 'unknown',
};

/**
 * A run's step by what is known of its message now. Evidence of the provider may come after the step was noted as
 * unknown, after a person said that nothing was sent, or after the run ended while the message was on its way. A step that
 * was accepted stays done: a later failure is the message's.
 * @param message the step's last one
 */
export function trueStep(step: StepProgress, message: RunMessage | undefined, isOpen: boolean): StepProgress {
  const isOnItsWay = step.state === 'running' && !isOpen;
  if (!message || (step.state !== 'unknown' && step.state !== 'failed' && !isOnItsWay)) return step;
  const state = BY_MESSAGE[message.status];
  if (state === undefined || state === step.state || (state === 'unknown' && !isOnItsWay)) return step;
  const { error: _, ...rest } = step;
  return state === 'done' ? { ...rest, state } : { ...rest, state, error: errorOf(message) };
}

/** All steps that a run has reached. */
export function trueSteps(
  progress: readonly StepProgress[],
  messages: readonly RunMessage[],
  isOpen: boolean,
): StepProgress[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return progress.map((step) => trueStep(step, byId.get(step.message_id ?? ''), isOpen));
}

/** Why a message failed, or why it is unknown. */
export const errorOf = ({
  status,
  error_code: code,
  error_message: text,
  provider_code,
}: RunMessage): StepError => ({
  code: code ?? 'PROVIDER_ERROR',
  provider_code,
  message:
    text ??
    (status === 'failed'
      ? 'The message failed after it was accepted.'
      : 'It is not known whether the message was sent.'),
});
