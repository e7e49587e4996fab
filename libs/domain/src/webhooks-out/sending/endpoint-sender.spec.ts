import { outcomeOf, type SentAttempt } from './delivery-outcome';
import { EndpointRequests } from './endpoint-sender';

const delivery = (id: string) => ({ id, thread_id: `dialog of ${id}` });
const PASSED = { status: 204, ms: 1, error: null, reason: null, retryAfterMs: null };
const ended = (id: string): SentAttempt => ({
  ...outcomeOf({ id, tries: 0 }, new Date(), PASSED),
  url: 'https://one.example/',
});

describe('The requests to an endpoint', () => {
  let ends = 0;
  let requests: EndpointRequests;
  beforeEach(() => {
    ends = 0;
    requests = new EndpointRequests(() => (ends += 1));
  });

  it('keep their deliveries from being begun once more until their attempts are written down', async () => {
    let end = (_: SentAttempt): void => undefined;
    requests.begin(delivery('a'), new Promise((resolve) => (end = resolve)));
    const begun = { ids: ['a'], threadIds: ['dialog of a'] };
    expect([requests.count, requests.haveEnded, requests.begun]).toEqual([1, false, begun]);
    end(ended('a'));
    await requests.over();
    expect([requests.count, requests.haveEnded, requests.begun]).toEqual([0, true, begun]);
    const attempts = requests.takeEnded();
    expect(attempts.map(({ id }) => id)).toEqual(['a']);
    expect([requests.haveEnded, requests.begun]).toEqual([false, begun]);
    requests.settled(attempts);
    expect(requests.begun).toEqual({ ids: [], threadIds: [] });
    expect(ends).toBe(1);
  });

  it('have attempts that could not be written down first among the next', async () => {
    requests.begin(delivery('a'), Promise.resolve(ended('a')));
    await requests.over();
    const attempts = requests.takeEnded();
    requests.begin(delivery('b'), Promise.resolve(ended('b')));
    await requests.over();
    requests.giveBack(attempts);
    expect(requests.takeEnded().map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('leave nothing to be written down where they were broken off', async () => {
    requests.begin(delivery('a'), Promise.resolve(null));
    await requests.over();
    expect([requests.count, requests.haveEnded, ends]).toEqual([0, false, 1]);
  });
});
