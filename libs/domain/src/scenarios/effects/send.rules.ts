import { SCENARIO_LIMITS, type StoredStep, SENDING_STEP_KINDS } from '@app/contracts/scenario.words';
import { nextOpening, openAt, spreadOver } from '../definition/send-hours.rules';
import type { Decision, StepMoment } from '../steps/step-decision';

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
