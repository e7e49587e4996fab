import { once } from 'node:events';
import {
  calling,
  openStream,
  saying,
  script,
  words,
} from '../../../../test/support/stand-ins/completion.script';
import {
  StandInModel,
  recordingTool,
  replied,
  setStandInModel,
} from '../../../../test/support/stand-ins/model.stand-in';
import type { Behaviour } from '../../../../test/support/stand-ins/provider.stand-in';

const ABORTED = { kind: 'aborted' };
/** From then on no timer fires. */
const NO_TIMERS: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime', 'Date'],
};

const standIn = setStandInModel({ connections: 6 });
afterEach(() => jest.useRealTimers());

// The first request compiles the code that it runs through.
beforeAll(() => standIn.ask());

/** Behaves as given, and reports when a request arrived and when its connection was closed. */
function watched(behave: Behaviour) {
  const came = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  standIn.endpoint.behave = (response, request) => {
    response.on('close', () => closed.resolve());
    behave(response, request);
    came.resolve();
  };
  return { came: came.promise, closed: closed.promise };
}

describe('an abort', () => {
  it('before the request makes none', async () => {
    expect(await standIn.ask({}, AbortSignal.abort())).toEqual(ABORTED);
    expect(standIn.endpoint.ledger).toHaveLength(0);
  });

  it('in the same tick makes no reply', async () => {
    standIn.endpoint.behave = script(saying('Yes.'));
    const controller = new AbortController();
    const outcome = standIn.ask({}, controller.signal);
    controller.abort();
    expect(await outcome).toEqual(ABORTED);
  });

  it.each<[string, Behaviour]>([
    ['before the first byte', () => undefined],
    ['behind the head', (response) => openStream(response).flushHeaders()],
    ['in the middle of the stream', (response) => void openStream(response).write(words('It costs '))],
    [
      'in the middle of a call',
      (response) => void openStream(response).write(calling({ name: 'note', arguments: '{' }).slice(0, 200)),
    ],
  ])('%s closes the connection without waiting for any time to pass', async (_, behave) => {
    const { came, closed } = watched(behave);
    const controller = new AbortController();
    const outcome = standIn.ask({ tools: [recordingTool().tool] }, controller.signal);
    await came;
    jest.useFakeTimers(NO_TIMERS);
    controller.abort(new Error('a reason of the caller'));
    expect(await outcome).toEqual(ABORTED);
    await closed;
  });

  it('during a tool call reaches the tool, does not wait for it and asks the model no more', async () => {
    standIn.endpoint.behave = script(
      calling({ name: 'note', arguments: '{}' }, { name: 'note', arguments: '{}' }),
      saying('Yes.'),
    );
    const controller = new AbortController();
    const started = Promise.withResolvers<AbortSignal>();
    let calls = 0;
    const tool = {
      ...recordingTool().tool,
      call: (_: unknown, signal: AbortSignal) => {
        calls += 1;
        started.resolve(signal);
        return new Promise<string>(() => undefined);
      },
    };
    const outcome = standIn.ask({ tools: [tool] }, controller.signal);
    const signal = await started.promise;
    controller.abort();
    expect(signal.aborted).toBe(true);
    expect(await outcome).toEqual(ABORTED);
    await standIn.ask();
    expect([calls, standIn.endpoint.ledger.length]).toEqual([1, 2]);
  });

  it('between two tool calls leaves the second one unmade', async () => {
    standIn.endpoint.behave = script(
      calling({ name: 'note', arguments: '{}' }, { name: 'note', arguments: '{}' }),
      saying('Yes.'),
    );
    const controller = new AbortController();
    let calls = 0;
    const tool = {
      ...recordingTool().tool,
      call: async () => {
        calls += 1;
        controller.abort();
        return 'done';
      },
    };
    expect(await standIn.ask({ tools: [tool] }, controller.signal)).toEqual(ABORTED);
    await standIn.ask();
    expect([calls, standIn.endpoint.ledger.length]).toEqual([1, 2]);
  });

  it('after the outcome does nothing', async () => {
    standIn.endpoint.behave = script(saying('Yes.'));
    const controller = new AbortController();
    expect(await standIn.ask({}, controller.signal)).toEqual(replied('Yes.'));
    controller.abort();
    expect(await standIn.ask()).toEqual(replied('Yes.'));
  });

  it('leaves other requests as they are', async () => {
    const hanging = watched(() => undefined);
    const [first, second] = [new AbortController(), new AbortController()];
    const outcomes = [first, second].map(({ signal }) => standIn.ask({}, signal));
    await hanging.came;
    first.abort();
    expect(await outcomes[0]).toEqual(ABORTED);
    expect(await Promise.race([outcomes[1], Promise.resolve('under way')])).toBe('under way');
    second.abort();
    expect(await outcomes[1]).toEqual(ABORTED);
  });
});

describe('a model that hangs', () => {
  it('leaves slots to other models, and its own are free again after the abort', async () => {
    standIn.endpoint.behave = (response, { body }) => {
      if (!body.includes('"hanging"')) openStream(response).end(saying('Yes.'));
    };
    const controller = new AbortController();
    const hanging = Array.from({ length: 4 }, () => standIn.ask({ model: 'hanging' }, controller.signal));
    const first = await Promise.race(hanging);
    expect(first).toEqual({
      kind: 'failed',
      mayRetry: true,
      reason: 'Too many requests to the model are under way.',
    });
    expect(await standIn.ask()).toEqual(replied('Yes.'));
    controller.abort();
    expect((await Promise.all(hanging)).filter(({ kind }) => kind === 'aborted')).toHaveLength(3);
    standIn.endpoint.behave = script(saying('Here.'));
    expect(await standIn.ask({ model: 'hanging' })).toEqual(replied('Here.'));
  });
});

describe('the end of the process', () => {
  it('ends requests under way and closes every connection', async () => {
    const closing = new StandInModel();
    await closing.start();
    const came = Promise.withResolvers<void>();
    let socket: Promise<unknown> | undefined;
    closing.endpoint.behave = (response) => {
      socket = response.socket ? once(response.socket, 'close') : undefined;
      came.resolve();
    };
    const outcome = closing.ask();
    await came.promise;
    await closing.model.onApplicationShutdown();
    expect(await outcome).toMatchObject({ kind: 'failed', mayRetry: true });
    await socket;
    expect(await closing.ask()).toMatchObject({ kind: 'failed', mayRetry: true });
    await closing.close();
  });
});
