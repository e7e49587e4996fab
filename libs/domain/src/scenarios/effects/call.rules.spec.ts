import type { HttpToolStatus } from '../../assistants/http-tool.port';
import { CALL_OVER_MS, endOfCall, endOfLastCall, endOfLeftCall } from './call.rules';

const status = (code: number, retryAfterMs: number | null = null): HttpToolStatus => ({
  kind: 'status',
  status: code,
  retryAfterMs,
});
const NO_ANSWER: HttpToolStatus = { kind: 'failed', reason: 'the connection broke' };
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** From one try to the next, as it is promised: five tries over an hour. */
const PROMISED = [5 * SECOND, MINUTE, 10 * MINUTE, 2_935 * SECOND];

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('of %i passes', (code) => {
    expect(endOfCall(status(code), 1, 0)).toEqual({ kind: 'end', end: { state: 'done' } });
  });

  it.each([
    ...[199, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 413, 422, 451],
  ])('of %i fails the step at once', (code) => {
    expect(endOfCall(status(code), 1, 0)).toMatchObject({
      ...{ kind: 'end', end: { state: 'failed', error: { code: 'HTTP_FAILED' } } },
    });
  });

  it.each([408, 425, 429, 500, 501, 502, 503, 504, 529])('of %i is tried again', (code) => {
    expect(endOfCall(status(code), 1, 0)).toMatchObject({ kind: 'later', error: { code: 'HTTP_FAILED' } });
  });

  it('that asks for later is heeded, but for no more than an hour, and for no less than our own time', () => {
    const inMs = [2 * MINUTE, 300 * HOUR, SECOND].map((asked) => endOfCall(status(429, asked), 1, 0));
    expect(inMs).toMatchObject([{ inMs: 2 * MINUTE }, { inMs: HOUR }, { inMs: 5 * SECOND }]);
  });
});

it.each<[string, HttpToolStatus, object]>([
  ['answered to the end', status(503), { state: 'failed', error: { code: 'HTTP_FAILED' } }],
  ['without an answer to the end', NO_ANSWER, { state: 'unknown', error: { code: 'HTTP_NO_ANSWER' } }],
  ['given up to the end', { kind: 'aborted' }, { state: 'unknown', error: { code: 'HTTP_NO_ANSWER' } }],
])('a call is tried five times over an hour: %s', (_, answer, end) => {
  const waits = PROMISED.map((inMs) => ({ kind: 'later', inMs }));
  expect([1, 2, 3, 4].map((tries) => endOfCall(answer, tries, 0))).toMatchObject(waits);
  expect(endOfCall(answer, 5, 0)).toMatchObject({ kind: 'end', end });
});

it('a call to an address that is not called fails at once', () => {
  expect(endOfCall({ kind: 'failed', reason: 'x', refused: true }, 1, 0)).toMatchObject({
    ...{ kind: 'end', end: { state: 'failed', error: { code: 'ADDRESS_REFUSED' } } },
  });
});

it('a call that could not begin in time is no try, and fails after twenty of them', () => {
  expect(endOfCall({ kind: 'withheld' }, 1, 18)).toEqual({ kind: 'later', inMs: SECOND, isWithheld: true });
  expect(endOfCall({ kind: 'withheld' }, 1, 19)).toMatchObject({
    end: { state: 'failed', error: { code: 'HTTP_NOT_SENT' } },
  });
});

describe('a call whose run was ended meanwhile', () => {
  it.each<[string, HttpToolStatus, object]>([
    ['success', status(200), { state: 'done' }],
    ['failure', status(404), { state: 'failed', error: { code: 'HTTP_FAILED' } }],
    ['what another try would follow', status(503), { state: 'failed', error: { code: 'HTTP_FAILED' } }],
    ['nothing', NO_ANSWER, { state: 'unknown', error: { code: 'HTTP_NO_ANSWER' } }],
    ['no request', { kind: 'withheld' }, { state: 'skipped' }],
  ])('came to what its answer says: %s', (_, answer, end) => {
    expect(endOfLastCall(endOfCall(answer, 1, 0))).toMatchObject(end);
  });
});

it('the call of a killed process counts as a try, and the time since its beginning counts too', () => {
  const error = { code: 'HTTP_NO_ANSWER' };
  expect(endOfLeftCall(1)).toMatchObject({ kind: 'later', inMs: 0, error });
  expect(endOfLeftCall(3)).toMatchObject({ kind: 'later', inMs: 10 * MINUTE - CALL_OVER_MS, error });
  expect(endOfLeftCall(5)).toMatchObject({ kind: 'end', end: { state: 'unknown', error } });
});
