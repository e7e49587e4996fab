import type { ClaimedReply } from '@app/persistence/agent/reply.repository';
import {
  REPLY_ENDS,
  channelEnd,
  failedEnd,
  pausedEnd,
  spokenEnd,
  standingEnd,
  stoppedEnd,
  waitingEnd,
} from './reply-end.rules';
import { ReplyRun } from './reply-run';
import { WORK_TIMES } from '../work/work-times';

const runOf = (claim: Partial<ClaimedReply> = {}): ReplyRun =>
  new ReplyRun({ accountId: 'account', replyId: '1', token: 'token' }, {
    attempts: 1,
    model_failures: 0,
    parts: 0,
    closed: null,
    ...claim,
  } as ClaimedReply);

const failed = (reason: string, note: string | null = null): object => ({
  state: 'failed',
  entry: { type: 'attention', reason, note },
});

it('whatever fails asks for an operator', () => {
  const silent = Object.values(REPLY_ENDS).filter(
    ({ state, attention }) => state === 'failed' && attention === null,
  );
  expect(silent).toEqual([]);
});

it('a model that failed is asked again after 2 and after 10 seconds, then an operator is', () => {
  const failure = { kind: 'failed', mayRetry: true, reason: 'Away.' } as const;
  expect([0, 1, 2].map((failures) => failedEnd(runOf({ model_failures: failures }), failure))).toEqual([
    { inMs: 2_000, counts: 'model' },
    { inMs: 10_000, counts: 'model' },
    failed('model', 'Away.'),
  ]);
  expect(failedEnd(runOf(), { ...failure, retryAfterMs: 3_600_000 })).toEqual({
    inMs: 60_000,
    counts: 'model',
  });
  expect(failedEnd(runOf(), { ...failure, retryAfterMs: 30_000 })).toEqual({
    inMs: 30_000,
    counts: 'model',
  });
  expect(failedEnd(runOf(), { ...failure, mayRetry: false })).toEqual(failed('model', 'Away.'));
  // Claims of processes that died are no tries of the model.
  expect(failedEnd(runOf({ attempts: 4 }), failure)).toEqual({ inMs: 2_000, counts: 'model' });
});

it('a messenger that takes nothing is tried again by five claims, then an operator is asked for', () => {
  const notNow = (attempts: number): object => spokenEnd(runOf({ attempts }), { parts: 0, end: 'not_now' });
  expect(notNow(5)).toEqual({ inMs: 10_000, counts: 'claim' });
  expect(notNow(6)).toEqual(failed('messenger'));
});

it('a number that cannot send asks for an operator at once', () => {
  expect(channelEnd(runOf())).toEqual(failed('channel'));
});

it('a reply of which something was said is answered, and never tried again', () => {
  const brokenOff = { state: 'answered', entry: { type: 'attention', reason: 'messenger', note: null } };
  expect(spokenEnd(runOf(), { parts: 1, end: 'not_now' })).toEqual(brokenOff);
  expect(spokenEnd(runOf(), { parts: 1, end: 'refused' })).toEqual(brokenOff);
  expect(standingEnd(runOf({ parts: 1 }))).toMatchObject({ state: 'answered', entry: { reason: 'unknown' } });
});

it('a silenced reply is discarded; the history tells of it where it was begun', () => {
  expect(standingEnd(runOf({ closed: 'off' }))).toEqual({ state: 'discarded', entry: null });
  const discarded = { state: 'discarded', entry: { type: 'reply_discarded', reason: 'off' } };
  expect(standingEnd(runOf({ closed: 'off', attempts: 2 }))).toEqual(discarded);
  const silenced = runOf();
  silenced.silence('off');
  silenced.silence('takeover');
  expect(stoppedEnd(silenced)).toEqual(discarded);
  expect(standingEnd(runOf({ closed: 'limit' }))).toEqual(failed('limit'));
});

it('a process that stops and a number that is paused do not count as a failure', () => {
  expect(stoppedEnd(runOf())).toEqual({ inMs: 0, counts: 'nothing' });
  expect(pausedEnd(runOf(), 90_000)).toEqual({ inMs: 90_000, counts: 'nothing' });
});

it('a reply that killed six processes is given up', () => {
  expect(standingEnd(runOf({ attempts: 6 }))).toBeNull();
  expect(standingEnd(runOf({ attempts: 7 }))).toEqual(failed('model'));
});

it('a voice note that is written down is answered within five seconds, however long that took', () => {
  const looks = [1, 2, 60].map((attempts) => waitingEnd(runOf({ must_wait: true, attempts })));
  const again = { inMs: expect.any(Number) as number, counts: 'nothing' };
  expect(looks).toEqual([again, again, again]);
  expect(waitingEnd(runOf({ must_wait: false }))).toBeNull();
  // Where no notification arrives: the file is fetched, transcribed, and then the reply looks for it.
  const waits = looks.map(
    (look) => 2 * WORK_TIMES.sweepMs + (look as { inMs: number }).inMs + WORK_TIMES.replySweepMs,
  );
  expect(Math.max(...waits)).toBeLessThan(5_000);
});
