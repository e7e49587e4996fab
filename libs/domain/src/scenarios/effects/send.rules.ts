import { SCENARIO_LIMITS, type StoredStep, SENDING_STEP_KINDS } from '@app/contracts/scenario.words';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { OpenRun, RunChange } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { StepProgress } from '@app/persistence/scenarios/runs/scenario-run.entity';
import { nextOpening, openAt, spreadOver } from '../definition/send-hours.rules';
import type { Decision, StepMoment } from '../steps/step-decision';
import type { ErrandEnd } from './errand';

/** Whether a step sends a message. */
export const sendsMessage = ({ kind }: Pick<StoredStep, 'kind'>): boolean =>
  SENDING_STEP_KINDS.includes(kind);

/** What keeps a run from writing to the customer now: it is too late, a takeover runs, or the hours are closed. Null: nothing does. */
export function beforeSend(
  { max_late_seconds: maxLateSeconds = SCENARIO_LIMITS.maxLateSeconds }: { max_late_seconds?: number },
  at: StepMoment,
): Decision | null {
  const { now, dueSince, dialog, sendHours, runId } = at;
  // What could not go out before its hours opened is not late because of them.
  const since = (sendHours && nextOpening(sendHours, dueSince)) ?? dueSince;
  if (+now - +since > maxLateSeconds * 1_000) {
    const message = `It should have been sent by ${new Date(+since + maxLateSeconds * 1_000).toISOString()}.`;
    return { kind: 'skipped', error: { code: 'too_late', message } };
  }
  if (dialog.takeover && at.waitsForTakeover) return { kind: 'wait', until: dialog.takeoverUntil };
  if (!sendHours || openAt(sendHours, now)) return null;
  const opening = nextOpening(sendHours, now);
  if (!opening) {
    return { kind: 'skipped', error: { code: 'too_late', message: 'Its scenario has no hours any more.' } };
  }
  // What waits for the opening is not late because of it.
  const until = spreadOver(sendHours, opening, runId);
  return { kind: 'wait', until, dueSince: until };
}

/** A run's last message to the customer, after which replies count. A try that certainly did not leave is none. */
export class LastSend {
  private at: Date | null;
  private messageId: string | null;
  private isNow = false;
  /** Replies count after an earlier one again. */
  isTakenBack = false;

  constructor(run: Pick<OpenRun, 'spoke_at' | 'last_message_id'>) {
    this.at = run.spoke_at;
    this.messageId = run.last_message_id;
  }

  /** A step's message is on its way. */
  begin(step: StepProgress, messageId: string): void {
    step.message_id = messageId;
    step.replies_after = isoOrNull(this.at);
    this.messageId = messageId;
    this.isNow = true;
  }

  /** The run begins once more, so only what the customer replies from now on counts. */
  forget(): void {
    this.messageId = null;
    this.isNow = true;
  }

  /** A step's message did not leave. It is the run's last one, unless a further step has sent another. */
  takeBack(step: StepProgress): void {
    const { replies_after: after, message_id: messageId } = step;
    delete step.replies_after;
    if (after === undefined || messageId !== this.messageId) return;
    this.at = after === null ? null : new Date(after);
    this.isTakenBack = true;
  }

  /** What is to be written of it. */
  get change(): Pick<RunChange, 'speaks' | 'takes_back' | 'spoke_at' | 'last_message_id'> {
    const { isNow: speaks, isTakenBack, at, messageId } = this;
    return { speaks, takes_back: isTakenBack, spoke_at: at, last_message_id: messageId };
  }
}

/** Between two tries of a message that certainly did not leave. */
const TRY_AGAIN_MS = 1_000;

/**
 * What a run's last message came to, by its state: null while it is on its way. So the step of a killed process ends as
 * its message did, and nothing is sent twice.
 */
export function messageEnd(run: OpenRun, now: Date): ErrandEnd | null {
  const { message_status: status, message_error_code: code, message_error_message: text } = run;
  switch (status) {
    case 'sent':
    case 'delivered':
    case 'read':
      return { kind: 'end', end: { state: 'done' } };
    case 'failed': {
      if (run.message_due_at) return { kind: 'later', inMs: Math.max(0, +run.message_due_at - +now) };
      const error = {
        ...{ code: code ?? 'PROVIDER_ERROR', message: text ?? 'The message failed.' },
        provider_code: run.message_provider_code,
      };
      return { kind: 'end', end: { state: 'failed', error } };
    }
    case 'unknown': {
      const error = {
        code: 'PROVIDER_ERROR',
        message: text ?? 'It is not known whether the message was sent.',
      };
      return { kind: 'end', end: { state: 'unknown', error } };
    }
    case 'sending':
      return null;
    case 'queued':
    case 'dropped':
    case 'received':
    case null:
      return { kind: 'later', inMs: TRY_AGAIN_MS };
  }
}
