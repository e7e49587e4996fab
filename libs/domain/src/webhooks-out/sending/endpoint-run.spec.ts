import type {
  DueDelivery,
  EndpointQueueRepository,
  HeldRow,
  SettledAttempt,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';
import type { LoggedEvent } from '@app/persistence/webhooks-out/logged-event.repository';
import { EndpointRun, type EndpointRunParts } from './endpoint-run';
import type { WebhookOutcome, WebhookRequest } from './webhook-sender.port';

const HELD = { accountId: 'account', endpointId: 'endpoint', token: 'token' };
const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const LEASE_MS = 10_000;
const PASSED: WebhookOutcome = { status: 204, ms: 1, error: null, reason: null, retryAfterMs: null };
const FAILED: WebhookOutcome = { ...PASSED, status: 500 };

const EVENT = {
  ...{ seq: 7, version: 1, account_id: 'account', thread_id: 'thread', assistant_id: 'agent', type: 'ai' },
  ...{ at: new Date(), body: { by: 'SYSTEM' }, bot_id: null, channel: null, phone: null, message: null },
  ...{ customer_name: null, from_value: true, to_value: false },
} as unknown as LoggedEvent;

const DELIVERY: DueDelivery = {
  ...{ id: 'delivery', seq: 7, thread_id: 'thread', type: 'lead.ai_switched', event_id: 'event' },
  ...{ replayed: false, tries: 0 },
};

/** An endpoint and its queue, as scripts of a test have them, and what a run made of them. */
class ScriptedEndpoint {
  row = {
    ...{ account_id: 'account', id: 'endpoint', url: 'https://one.example/', max_per_second: null },
    ...{ key_id: 'key', secret: Buffer.from('present'), former_key_id: null, former_secret: null },
    ...{ former_counts: false, failures: 0, seq: 0, asked_at: new Date(), sending_revision: 'first' },
  } as unknown as HeldRow;
  isHeld = true;
  isSealed = false;
  due: DueDelivery[] = [DELIVERY];
  /** In how many milliseconds the next one is due, where none is. */
  nextInMs: number | null = null;
  events: LoggedEvent[] = [EVENT];
  /** Whether what failed is due again at once, or not before the test is over. */
  isDueAgain = true;
  /** How long the log takes to be read, in milliseconds. */
  readMs = 0;
  answer: (signal: AbortSignal) => Promise<WebhookOutcome> = () => Promise.resolve(PASSED);
  /** Whether the database answers. */
  isThere = true;
  /** What is wrong with what is written down. */
  fault: Error | null = null;
  /** The addresses for whose answers it was to be disabled. */
  readonly disabledFor: string[] = [];
  readonly sent: { at: number; request: WebhookRequest }[] = [];
  readonly settled: SettledAttempt[] = [];
  asked = 0;
  released = 0;
  closed = false;

  get run(): EndpointRun {
    return new EndpointRun(this.parts, HELD, this.row, LEASE_MS);
  }

  private get queues(): Partial<EndpointQueueRepository> {
    return {
      currentTransaction: () => Promise.resolve(2n),
      oldestTransaction: () => Promise.resolve(1n),
      look: () => Promise.resolve({ last: null, full: false, events: [] }),
      renew: async () => {
        this.expectThere();
        return this.isHeld ? { ...this.row } : null;
      },
      nextDeliveries: async (_, { ids }, limit) => {
        this.expectThere();
        this.asked += 1;
        if (!this.isHeld) return null;
        const due = this.due.filter(({ id }) => !ids.includes(id));
        const inMs = due.length > 0 ? 0 : this.nextInMs;
        return { revision: this.row.sending_revision, due: due.slice(0, limit), inMs };
      },
      settle: async (_, attempts, failures) => {
        this.expectThere();
        if (this.fault) throw this.fault;
        this.settled.push(...attempts);
        this.row = { ...this.row, failures };
        const isOver = ({ state }: SettledAttempt): boolean => state === 'delivered' || !this.isDueAgain;
        const over = new Set(attempts.filter(isOver).map(({ id }) => id));
        this.due = this.due.filter(({ id }) => !over.has(id));
      },
      hasFailedForDays: () => Promise.resolve(false),
      release: () => {
        this.released += 1;
        return Promise.resolve();
      },
    };
  }

  private expectThere(): void {
    if (!this.isThere) throw new Error('the database is away');
  }

  private get parts(): EndpointRunParts {
    const send = (request: WebhookRequest, signal: AbortSignal) => {
      this.sent.push({ at: performance.now(), request });
      return this.answer(signal);
    };
    const find = async () => {
      if (this.readMs > 0) await new Promise((resolve) => setTimeout(resolve, this.readMs));
      return this.events;
    };
    return {
      queues: this.queues,
      events: { find },
      sender: { open: () => ({ send, close: () => (this.closed = true) }) },
      cipher: { open: () => (this.isSealed ? refuse() : SECRET) },
      logger: { warn: () => undefined, error: () => undefined },
      disable: async (_: unknown, url: string) => this.disabledFor.push(url) > 0,
    } as unknown as EndpointRunParts;
  }
}

const refuse = (): never => {
  throw new Error('sealed with another key');
};

describe('A run of an endpoint', () => {
  let endpoint: ScriptedEndpoint;
  const stopping = new AbortController();
  /** Begins one. @returns whether it is over */
  const begin = (run = endpoint.run, { signal } = stopping): { isOver: boolean } => {
    const state = { isOver: false };
    const end = () => (state.isOver = true);
    void run.serve(signal).then(end, end);
    return state;
  };
  const goOn = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    endpoint = new ScriptedEndpoint();
  });
  afterEach(async () => {
    endpoint.isHeld = false;
    await goOn(LEASE_MS);
    jest.useRealTimers();
  });

  it('probes one that failed ten times in a row after pauses of one to fifteen seconds, and holds it in between', async () => {
    endpoint.row = { ...endpoint.row, failures: 9 };
    endpoint.answer = () => Promise.resolve(FAILED);
    const state = begin();
    await goOn(62_000);
    const gaps = endpoint.sent.slice(1).map(({ at }, index) => at - (endpoint.sent[index]?.at ?? 0));
    expect(gaps.map((ms) => Math.round(ms / 1_000))).toEqual([1, 2, 4, 8, 15, 15, 15]);
    for (const [index, least] of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000].entries())
      expect(gaps[index]).toBeGreaterThanOrEqual(least);
    expect([state.isOver, endpoint.released]).toEqual([false, 0]);
  });

  it('lets one go that has nothing to do for a second, and not before', async () => {
    const state = begin();
    await goOn(900);
    expect([endpoint.sent.length, state.isOver]).toEqual([1, false]);
    await goOn(200);
    expect([state.isOver, endpoint.released, endpoint.closed]).toEqual([true, 1, true]);
  });

  it('reads it anew before it sends, where anything that sending needs has changed since', async () => {
    endpoint.due = [];
    endpoint.nextInMs = 100;
    begin();
    await goOn(50);
    endpoint.row = { ...endpoint.row, url: 'https://other.example/', sending_revision: 'second' };
    endpoint.due = [DELIVERY];
    await goOn(100);
    expect(endpoint.sent.map(({ request }) => request.url)).toEqual(['https://other.example/']);
  });

  it('sends nothing by what it read longer ago than a change of the endpoint waits', async () => {
    endpoint.readMs = 600;
    begin();
    await goOn(1_000);
    expect(endpoint.sent).toEqual([]);
    endpoint.readMs = 0;
    await goOn(1_000);
    expect(endpoint.sent).toHaveLength(1);
  });

  it.each([
    ['is not in the log any more', [], 'the event is not in the log any more'],
    ['cannot be made into a body', [{ ...EVENT, at: null }], 'the event could not be made into a body'],
  ])('tries an event again that %s, and holds it against nobody', async (_, events, error) => {
    endpoint.events = events as unknown as LoggedEvent[];
    endpoint.isDueAgain = false;
    endpoint.row = { ...endpoint.row, failures: 2 };
    begin();
    await goOn(5);
    expect(endpoint.settled[0]).toMatchObject({ state: 'pending', attempt: { status: null, error } });
    expect([endpoint.sent.length, endpoint.row.failures]).toEqual([0, 2]);
  });

  it('asks no more once it has lost the endpoint, whatever is pending', async () => {
    endpoint.isHeld = false;
    const state = begin();
    await goOn(5);
    expect([state.isOver, endpoint.asked, endpoint.sent.length, endpoint.released]).toEqual([true, 1, 0, 0]);
  });

  it('that leaves begins nothing more, and lets the endpoint go when what is under way has ended', async () => {
    let end = (_: WebhookOutcome): void => undefined;
    endpoint.due = [DELIVERY, { ...DELIVERY, id: 'other' }];
    endpoint.row = { ...endpoint.row, max_per_second: 1 };
    endpoint.answer = () => new Promise((resolve) => (end = resolve));
    const { run } = endpoint;
    const state = begin(run);
    await goOn(100);
    run.leave();
    await goOn(3_000);
    expect([endpoint.sent.length, state.isOver]).toEqual([1, false]);
    end(PASSED);
    await goOn(5);
    expect([endpoint.sent.length, state.isOver, endpoint.released]).toEqual([1, true, 1]);
    expect(endpoint.settled.map(({ state: became }) => became)).toEqual(['delivered']);
  });

  it('goes on with what is under way when the database is away for a moment, and writes it down afterwards', async () => {
    let end = (_: WebhookOutcome): void => undefined;
    endpoint.answer = () => new Promise((resolve) => (end = resolve));
    const state = begin();
    await goOn(50);
    endpoint.isThere = false;
    await goOn(4_000);
    end(PASSED);
    await goOn(2_000);
    expect([endpoint.sent.length, endpoint.settled.length, state.isOver]).toEqual([1, 0, false]);
    endpoint.isThere = true;
    await goOn(300);
    expect(endpoint.settled.map(({ state: became }) => became)).toEqual(['delivered']);
    expect(endpoint.sent).toHaveLength(1);
  });

  it('breaks off what is under way when the database is away for longer than its lease', async () => {
    const brokenOff = { ...FAILED, status: null };
    endpoint.answer = (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(brokenOff)));
    const state = begin();
    await goOn(50);
    endpoint.isThere = false;
    await goOn(LEASE_MS - 500);
    expect(state.isOver).toBe(false);
    await goOn(500);
    expect([state.isOver, endpoint.settled, endpoint.released]).toEqual([true, [], 0]);
  });

  it('ends where what it writes is refused for as long as a lease, though the lease is renewed', async () => {
    endpoint.fault = new Error('refused');
    const state = begin();
    await goOn(LEASE_MS - 500);
    expect(state.isOver).toBe(false);
    await goOn(600);
    expect([state.isOver, endpoint.sent.length, endpoint.released]).toEqual([true, 1, 0]);
  });

  it('writes down what passed beside an answer that says the endpoint is gone, at the address that said so', async () => {
    const ends: ((outcome: WebhookOutcome) => void)[] = [];
    endpoint.due = [DELIVERY, { ...DELIVERY, id: 'other' }];
    endpoint.answer = () => new Promise((resolve) => ends.push(resolve));
    const state = begin();
    await goOn(50);
    endpoint.row = { ...endpoint.row, url: 'https://other.example/', sending_revision: 'second' };
    ends[0]?.({ ...FAILED, status: 410 });
    ends[1]?.(PASSED);
    await goOn(50);
    expect(endpoint.settled.map(({ id, state: became }) => [id, became])).toEqual([
      ['delivery', 'pending'],
      ['other', 'delivered'],
    ]);
    expect([endpoint.disabledFor, state.isOver]).toEqual([['https://one.example/'], true]);
  });

  it('of a process that stops waits a moment for what is under way, and begins nothing', async () => {
    const stop = new AbortController();
    let end = (_: WebhookOutcome): void => undefined;
    endpoint.answer = (signal) =>
      new Promise((resolve) => {
        end = resolve;
        signal.addEventListener('abort', () => resolve({ ...FAILED, status: null }));
      });
    const state = begin(endpoint.run, stop);
    await goOn(50);
    stop.abort();
    await goOn(50);
    expect(state.isOver).toBe(false);
    end(PASSED);
    await goOn(50);
    expect(endpoint.settled.map(({ state: became }) => became)).toEqual(['delivered']);
    expect([endpoint.sent.length, state.isOver, endpoint.released]).toEqual([1, true, 1]);
  });

  it('takes it for well once a test has passed', async () => {
    endpoint.row = { ...endpoint.row, failures: 12 };
    endpoint.answer = () => Promise.resolve(FAILED);
    begin();
    await goOn(5);
    const begun = endpoint.sent.length;
    endpoint.row = { ...endpoint.row, failures: 0 };
    endpoint.answer = () => Promise.resolve(PASSED);
    await goOn(4_000);
    expect(endpoint.sent.length).toBe(begun + 1);
    expect(endpoint.row.failures).toBe(0);
  });

  it('of one whose secret does not open sends nothing and fails nothing, until it is rotated', async () => {
    endpoint.isSealed = true;
    const state = begin();
    await goOn(30_000);
    expect([endpoint.sent, endpoint.settled, state.isOver]).toEqual([[], [], false]);
    endpoint.isSealed = false;
    endpoint.row = { ...endpoint.row, sending_revision: 'second' };
    await goOn(1_100);
    expect(endpoint.sent).toHaveLength(1);
  });
});
