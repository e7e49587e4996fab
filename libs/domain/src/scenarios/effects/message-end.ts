import type { OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import type { ErrandEnd } from './errand';

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
