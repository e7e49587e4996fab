import type { OpenRun } from '@app/persistence/scenarios/runs/dialog-transaction';
import { messageEnd } from './send.rules';

const NOW = new Date();
const inMs = (ms: number): Date => new Date(+NOW + ms);
const run = (status: OpenRun['message_status'], more: Partial<OpenRun> = {}): OpenRun =>
  ({
    ...{ message_status: status, message_error_code: null, message_error_message: null },
    ...{ message_provider_code: null, message_due_at: null },
    ...more,
  }) as OpenRun;

describe('the step of a killed process ends as its message did', () => {
  it.each(['sent', 'delivered', 'read'] as const)('%s: it is done', (status) => {
    expect(messageEnd(run(status), NOW)).toEqual({ kind: 'end', end: { state: 'done' } });
  });

  it('failed: it has failed, with what the provider says', () => {
    const refused = { message_error_code: 'BILLING_ERROR', message_provider_code: 131_047 } as const;
    expect(messageEnd(run('failed', refused), NOW)).toMatchObject({
      ...{ kind: 'end', end: { state: 'failed', error: { code: 'BILLING_ERROR', provider_code: 131_047 } } },
    });
  });

  it('throttled: it is tried again at the time for which the provider asked', () => {
    expect(messageEnd(run('failed', { message_due_at: inMs(2_000) }), NOW)).toEqual({
      ...{ kind: 'later', inMs: 2_000 },
    });
    expect(messageEnd(run('failed', { message_due_at: inMs(-5_000) }), NOW)).toEqual({
      ...{ kind: 'later', inMs: 0 },
    });
  });

  it('unknown: so it is, and nothing is sent again', () => {
    expect(messageEnd(run('unknown'), NOW)).toMatchObject({ kind: 'end', end: { state: 'unknown' } });
  });

  it.each([null, 'queued', 'dropped'] as const)('%s: nothing left, and it is tried again', (status) => {
    expect(messageEnd(run(status), NOW)).toEqual({ kind: 'later', inMs: 1_000 });
  });

  it('sending: nobody knows yet', () => {
    expect(messageEnd(run('sending'), NOW)).toBeNull();
  });
});
