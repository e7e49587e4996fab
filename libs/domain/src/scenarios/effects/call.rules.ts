import type { ErrandEnd } from './errand';
import type { HttpToolStatus } from '../../assistants/http-tool.port';
import { NO_ANSWER, type StepEnd } from '../runs/run-progress';

/** For connecting and for the answer together. */
export const CALL_TIMEOUT_MS = 15_000;
/** So long after its beginning a try is given up, if its process has not said what came of it. */
export const CALL_OVER_MS = CALL_TIMEOUT_MS + 1_000;

/** From one try of a call to the next: five tries over an hour. */
export const TRY_AGAIN_MS: readonly number[] = [5_000, 60_000, 600_000, 2_935_000];
/** A Retry-After is heeded up to this. */
const RETRY_AFTER_MS_MAX = 3_600_000;
/** Between two tries of a call that was not written in time, and how many of these there are. */
const WITHHELD_AGAIN_MS = 1_000;
const WITHHELD_MAX = 20;
/** Answers of a client's error after which another try may help. */
const MAY_PASS = new Set([408, 425, 429]);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const mayPass = (status: number): boolean => status >= 500 || MAY_PASS.has(status);

/**
 * What follows from a try.
 * @param tries so far, with this one
 * @param withheld how often the call was not written in time before
 */
export function endOfCall(answer: HttpToolStatus, tries: number, withheld: number): ErrandEnd {
  switch (answer.kind) {
    case 'withheld': {
      const message = 'The call could not begin in time.';
      return withheld + 1 < WITHHELD_MAX
        ? { kind: 'later', inMs: WITHHELD_AGAIN_MS, isWithheld: true }
        : { kind: 'end', end: { state: 'failed', error: { code: 'HTTP_NOT_SENT', message } } };
    }
    case 'failed':
      if (!answer.refused) return withoutAnswer(answer.reason, tries);
      return {
        kind: 'end',
        end: {
          state: 'failed',
          error: { code: 'ADDRESS_REFUSED', message: `Not called: ${answer.reason}.` },
        },
      };
    case 'aborted':
      return withoutAnswer('it was given up', tries);
    case 'status':
      if (isSuccess(answer.status)) return { kind: 'end', end: { state: 'done' } };
      return afterStatus(answer.status, answer.retryAfterMs ?? 0, tries);
  }
}

/** What a try came to whose run was ended meanwhile, so that no other follows. */
export function endOfLastCall(end: ErrandEnd): StepEnd {
  if (end.kind === 'end') return end.end;
  const { error } = end;
  // Without an error it was not written.
  if (!error) return { state: 'skipped' };
  return { state: error.code === NO_ANSWER ? 'unknown' : 'failed', error };
}

/** What follows where the process was killed within a try, which therefore counts. The time since then counts too. */
export function endOfLeftCall(tries: number): ErrandEnd {
  const end = withoutAnswer('the process ended meanwhile', tries);
  return end.kind === 'later' ? { ...end, inMs: Math.max(0, end.inMs - CALL_OVER_MS) } : end;
}

function afterStatus(status: number, retryAfterMs: number, tries: number): ErrandEnd {
  const message =
    status >= 300 && status < 400
      ? `The address answered with a redirect (${status}), which is not followed.`
      : `The address answered with ${status}.`;
  const error = { code: 'HTTP_FAILED', message };
  const inMs = TRY_AGAIN_MS[tries - 1];
  if (!mayPass(status) || inMs === undefined) return { kind: 'end', end: { state: 'failed', error } };
  return { kind: 'later', inMs: Math.max(inMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX)), error };
}

function withoutAnswer(reason: string, tries: number): ErrandEnd {
  const error = { code: NO_ANSWER, message: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` };
  const inMs = TRY_AGAIN_MS[tries - 1];
  return inMs === undefined
    ? { kind: 'end', end: { state: 'unknown', error } }
    : { kind: 'later', inMs, error };
}
