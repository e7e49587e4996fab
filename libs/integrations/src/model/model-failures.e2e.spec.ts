import type { ServerResponse } from 'node:http';
import {
  event,
  openStream,
  saying,
  script,
  words,
} from '../../../../test/support/stand-ins/completion.script';
import { MODEL_KEY, recordingTool, setStandInModel } from '../../../../test/support/stand-ins/model.stand-in';
import { UNUSABLE, type Behaviour } from '../../../../test/support/stand-ins/provider.stand-in';

const ANSWER_BYTES = 300_000;
const standIn = setStandInModel({ answerBytes: ANSWER_BYTES });

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
