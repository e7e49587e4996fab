import { ApiError, type ApiFailure } from './api.errors';
import { isPassing, retry } from './call-retry';

const failure = (fields: Partial<ApiFailure>): ApiError =>
  new ApiError({ code: 'RATE_LIMITED', message: 'it says why', status: 429, requestId: 'r', ...fields });

beforeEach(() => void jest.useFakeTimers());

afterEach(() => void jest.useRealTimers());

/** A call that fails with each of these in turn, and then succeeds; with the time of each attempt. */
function failing(...failures: Error[]) {
  const at: number[] = [];
  const began = Date.now();
  const call = async (): Promise<string> => {
    at.push(Date.now() - began);
    const error = failures.shift();
    if (error) throw error;
    return 'done';
  };
  return { at, call };
}

describe('a call that is repeated', () => {
  it('waits as long as the service asks, else a little longer each time', async () => {
    const { at, call } = failing(failure({ retryAfter: 30 }), failure({ code: 'NETWORK', status: 0 }));
    const answer = retry(call);
    await jest.advanceTimersByTimeAsync(29_000);
    expect(at).toEqual([0]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await answer).toBe('done');
    const [, second = 0, third = 0] = at;
    expect(second).toBeGreaterThanOrEqual(30_000);
    expect(second).toBeLessThanOrEqual(31_000);
    expect(third - second).toBeGreaterThanOrEqual(2_000);
    expect(third - second).toBeLessThanOrEqual(3_000);
  });

  it('fails with the last failure when there were enough', async () => {
    const { at, call } = failing(
      failure({ status: 1 }),
      failure({ code: 'NETWORK', status: 2 }),
      failure({}),
    );
    const first = failure({ retryAfter: 1, status: 1 });
    const answer = retry(failing(first, failure({ retryAfter: 1, status: 2 })).call, { attempts: 2 });
    const caught = answer.catch((error: ApiError) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await caught).toMatchObject({ status: 2 });
    await expect(retry(call)).rejects.toMatchObject({ status: 1 });
    expect(at).toHaveLength(1);
  });

  it('waits no longer than its signal', async () => {
    const abort = new AbortController();
    const answer = retry(failing(failure({ retryAfter: 30 })).call, { signal: abort.signal });
    const caught = answer.catch((error: Error) => error);
    await jest.advanceTimersByTimeAsync(10);
    abort.abort(new Error('enough'));
    expect(await caught).toMatchObject({ message: 'enough' });
  });
});

it.each<[is: boolean, what: string, error: unknown]>([
  [true, 'the service says when', failure({ retryAfter: 1 })],
  [true, 'no answer came', failure({ code: 'NETWORK', status: 0 })],
  [true, 'the service failed by itself', failure({ code: 'INTERNAL_ERROR', status: 500 })],
  [true, 'a proxy answered that the service is away', failure({ code: 'NOT_JSON', status: 502 })],
  [true, 'its signal ended it after a time', new DOMException('too late', 'TimeoutError')],
  [false, 'something else answered', failure({ code: 'NOT_JSON', status: 200 })],
  [false, 'the call is wrong', failure({ code: 'VALIDATION_ERROR', status: 422 })],
  [
    false,
    'the Idempotency-Key keeps the answer',
    failure({ code: 'PROVIDER_ERROR', status: 502, retryAfter: 5 }),
  ],
  [false, 'the program has a fault', new TypeError('a fault of the program')],
  [false, 'nothing was thrown', undefined],
])('says %s of whether a call may succeed a little later when %s', (is, _, error) => {
  expect(isPassing(error)).toBe(is);
});
