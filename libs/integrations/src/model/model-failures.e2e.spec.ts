import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  calling,
  event,
  openStream,
  saying,
  script,
  words,
} from '../../../../test/support/stand-ins/completion.script';
import {
  MODEL_KEY,
  recordingTool,
  replied,
  setStandInModel,
  StandInModel,
} from '../../../../test/support/stand-ins/model.stand-in';
import { UNUSABLE, type Behaviour } from '../../../../test/support/stand-ins/provider.stand-in';

const ANSWER_BYTES = 300_000;
const standIn = setStandInModel({ answerBytes: ANSWER_BYTES, connections: 6 });

const ABORTED = { kind: 'aborted' };
/** From then on no timer fires. */
const NO_TIMERS: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime', 'Date'],
};

const failed = (mayRetry: boolean, reason: RegExp): unknown =>
  expect.objectContaining({ kind: 'failed', mayRetry, reason: expect.stringMatching(reason) as string });

/** Writes pieces until the connection is closed. */
function flood(response: ServerResponse, piece: string): void {
  openStream(response);
  response.on('error', () => undefined);
  const more = (): void => {
    while (!response.destroyed) {
      if (!response.write(piece)) return void response.once('drain', more);
    }
  };
  more();
}

describe('an endpoint that refuses', () => {
  it.each([
    [400, false, /status 400\.$/],
    [401, false, /check AI_API_KEY\.$/],
    [403, false, /check AI_API_KEY\.$/],
    [404, false, /check AI_BASE_URL and the name of the model\.$/],
    [422, false, /status 422\.$/],
    [408, true, /status 408/],
    [409, true, /status 409/],
    [425, true, /status 425/],
    [429, true, /too busy/],
    [500, true, /status 500/],
    [503, true, /status 503/],
    [529, true, /status 529/],
  ])('with %d fails, may be tried again: %j', async (status, mayRetry, reason) => {
    standIn.endpoint.answer(status, { error: { message: 'no', type: 'x', code: null } });
    expect(await standIn.ask()).toEqual(failed(mayRetry, reason));
    expect(standIn.endpoint.ledger).toHaveLength(1);
  });

  it.each([
    [{ error: { message: 'This model\n has no tools.' } }, 'This model has no tools.'],
    [{ error: 'model "llama" not found' }, 'model "llama" not found'],
    [{ detail: [{ loc: ['body'], msg: 'field required' }] }, '[{"loc":["body"],"msg":"field required"}]'],
    [{ message: `Wrong key ${MODEL_KEY}` }, 'Wrong key …'],
    ['<html><body><h1>502 Bad Gateway</h1></body></html>', '502 Bad Gateway'],
    [{ error: { message: 'x'.repeat(5_000) } }, 'x'.repeat(1_000)],
    ['', undefined],
  ])('in its own words is told to admins: %j', async (body, words) => {
    standIn.endpoint.behave = (response) =>
      void response.writeHead(418).end(typeof body === 'string' ? body : JSON.stringify(body));
    const outcome = await standIn.ask();
    expect(outcome).toMatchObject({ kind: 'failed', mayRetry: false });
    expect((outcome as { words?: string }).words).toBe(words);
  });

  it('and says when to ask again is heard', async () => {
    standIn.endpoint.answer(429, {}, { 'retry-after': '7' });
    expect(await standIn.ask()).toMatchObject({ kind: 'failed', mayRetry: true, retryAfterMs: 7_000 });
  });

  it('shows nothing of the key, the dialog or an address in the reason, whatever it repeats', async () => {
    const reasons: string[] = [];
    const echo =
      (status: number): Behaviour =>
      (response, request) => {
        const text = `${MODEL_KEY} ${standIn.endpoint.url} ${JSON.stringify(request.headers)} ${request.body}`;
        const body = JSON.stringify({ error: { message: text, type: text, code: text, param: text } });
        if (status === 200) return void openStream(response).end(`data: ${body}\n\n`);
        response
          .writeHead(status, MODEL_KEY, { 'content-type': 'application/json', location: text.slice(0, 40) })
          .end(body);
      };
    for (const status of [200, 302, 400, 401, 500]) {
      standIn.endpoint.behave = echo(status);
      const outcome = await standIn.ask();
      reasons.push(outcome.kind === 'failed' ? outcome.reason : 'no failure');
      if (outcome.kind === 'failed') expect(outcome.words).not.toContain(MODEL_KEY);
    }
    expect(reasons.join('\n')).not.toMatch(/sk-very|127\.0\.0\.1|no failure|teeth|Bearer/);
  });

  it.each([401, 429])('with %d in the stream fails as with the status', async (code) => {
    standIn.endpoint.behave = script(words('Well, ') + `data: {"error":{"message":"x","code":${code}}}\n\n`);
    expect(await standIn.ask()).toEqual(failed(code === 429, /status/));
  });

  it('by a redirect is not followed', async () => {
    standIn.endpoint.behave = (response) => void response.writeHead(307, { location: '/v1/elsewhere' }).end();
    expect(await standIn.ask()).toEqual(failed(false, /redirects \(307\): set AI_BASE_URL/));
    expect(standIn.endpoint.ledger).toHaveLength(1);
  });
});

describe('an endpoint that breaks', () => {
  it.each(['a reset', 'an end without a word', 'no HTTP at all', 'an empty 200', 'garbage'])(
    'by %s is a failure that may pass',
    async (name) => {
      standIn.endpoint.behave = UNUSABLE[name]!;
      expect(await standIn.ask()).toMatchObject({ kind: 'failed', mayRetry: true });
    },
  );

  it('in the middle of a stream is a failure that may pass', async () => {
    standIn.endpoint.behave = (response) => {
      openStream(response).write(words('It costs '), () => response.socket?.resetAndDestroy());
    };
    expect(await standIn.ask()).toEqual(failed(true, /connection .* failed \(\w+\)/));
  });

  it.each([
    ['the end of the stream', words('It costs ')],
    ['an event that is no JSON', `${words('It costs ')}data: {"choices": [\n\n${saying('15,000.')}`],
    ['an event of another shape', `data: {"choices":"none"}\n\n${saying('15,000.')}`],
    ['nothing but comments', ': ping\n\n: ping\n\n'],
    [
      'a call without a name',
      event({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }) + event({}, 'tool_calls'),
    ],
  ])('by %s too early gives no half reply', async (_, stream) => {
    standIn.endpoint.behave = script(stream);
    expect(await standIn.ask({ tools: [recordingTool().tool] })).toMatchObject({
      kind: 'failed',
      mayRetry: true,
    });
  });

  it('by a web page is reported as what it is', async () => {
    standIn.endpoint.behave = (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Hi</title>');
    expect(await standIn.ask()).toEqual(failed(true, /no stream: check AI_BASE_URL/));
  });
});

describe('an endpoint without an end', () => {
  it.each([
    ['of thoughts', event({ reasoning_content: 'x'.repeat(500) }), /more than 300000 bytes/],
    ['of comments', `: ${'x'.repeat(500)}\n\n`, /more than 300000 bytes/],
    ['of one line', 'x'.repeat(5000), /more than 300000 bytes/],
    ['of one name', event({ tool_calls: [{ index: 0, function: { name: 'x'.repeat(5000) } }] }), /bytes/],
    ['of text', event({ content: 'Yes, it is so. ' }), /bytes/],
    ['of calls', event({ tool_calls: [{ function: { name: 'note', arguments: '{}' } }] }), /bytes/],
  ])('%s is stopped at the bound', async (_, piece, reason) => {
    standIn.endpoint.behave = (response) => flood(response, piece);
    const { given, tool } = recordingTool();
    expect(await standIn.ask({ tools: [tool] })).toEqual(failed(true, reason));
    expect(given).toEqual([]);
  });

  it('of 100 MB is not kept', async () => {
    standIn.endpoint.behave = UNUSABLE['100 MB']!;
    const before = process.memoryUsage().rss;
    expect(await standIn.ask()).toMatchObject({ kind: 'failed', mayRetry: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(30e6);
  });
});

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
  // The first request compiles the code that it runs through.
  beforeAll(() => standIn.ask());
  afterEach(() => jest.useRealTimers());

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
