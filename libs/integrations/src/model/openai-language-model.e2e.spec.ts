import { setImmediate } from 'node:timers/promises';
import { eventually, inTime } from '../../../../test/support/eventually';
import {
  bodyOf,
  calling,
  event,
  openStream,
  saying,
  script,
  words,
} from '../../../../test/support/stand-ins/completion.script';
import {
  MODEL_KEY,
  MODEL_REQUEST,
  recordingTool,
  replied,
  setStandInModel,
} from '../../../../test/support/stand-ins/model.stand-in';
import type { Behaviour } from '../../../../test/support/stand-ins/provider.stand-in';
import { asSpanOf, recordTraces } from '@app/contracts/trace-recorder';
import { OtlpRecorder } from '../tracing/otlp-recorder';
import { OpenAiLanguageModel } from './openai-language-model';

const standIn = setStandInModel();

describe('a reply', () => {
  it('is what the model streams, and the model gets the instructions and the dialog', async () => {
    standIn.endpoint.behave = script(saying('One is 15,000 tenge.'));
    expect(await standIn.ask()).toEqual(replied('One is 15,000 tenge.'));
    expect(standIn.endpoint.ledger).toMatchObject([
      { method: 'POST', url: '/v1/chat/completions', headers: { authorization: `Bearer ${MODEL_KEY}` } },
    ]);
    expect(bodyOf(standIn.endpoint.ledger[0])).toMatchObject({
      model: 'house-model',
      stream: true,
      messages: [
        { role: 'system', content: 'You sell teeth.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'How much is one?' },
      ],
    });
    expect(bodyOf(standIn.endpoint.ledger[0])).not.toHaveProperty('tools');
  });

  it('is asked for with its place in the trace where one is recorded, and with none otherwise', async () => {
    const recorder = new OtlpRecorder({
      ...{ url: 'http://127.0.0.1:1/v1/traces', headers: {}, timeoutMs: 100, serviceName: 'test' },
      sampler: { name: 'always_on', ratio: 1 },
    });
    recordTraces(recorder);
    standIn.endpoint.behave = script(saying('Yes.'));
    try {
      await asSpanOf(
        null,
        () => ({ name: 'process replies', kind: 'consumer' }),
        () => standIn.ask(),
      );
      await standIn.ask();
    } finally {
      recordTraces(null);
      await recorder.stop();
    }
    const sent = standIn.endpoint.ledger.map(({ headers }) => headers.traceparent);
    expect(sent).toEqual([expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/), undefined]);
  });

  it('comes from the model that the request names', async () => {
    standIn.endpoint.behave = script(saying('Yes.'));
    await standIn.ask({ model: 'own-model' });
    expect(bodyOf(standIn.endpoint.ledger[0]).model).toBe('own-model');
  });

  it('is understood without roles, with comments between, and cut into bytes anywhere', async () => {
    const stream = Buffer.from(
      `: hello\n\n${event({ content: 'Бір тіс ' })}: ping\n\n${event({ content: '😀 15 000 ₸.' })}${event({}, 'stop')}`,
    );
    standIn.endpoint.behave = (response) => {
      openStream(response);
      let at = 0;
      const more = (): void => {
        if (at >= stream.length) return void response.end();
        response.write(stream.subarray(at, (at += 7)), () => void setImmediate().then(more));
      };
      more();
    };
    expect(await standIn.ask()).toEqual(replied('Бір тіс 😀 15 000 ₸.'));
  });

  it('asks for a bounded number of tokens', async () => {
    standIn.endpoint.behave = script(saying('Yes.'));
    await standIn.ask({ charactersMax: 1000 });
    expect(bodyOf(standIn.endpoint.ledger[0]).max_tokens).toBe(2548);
  });

  it('that goes on past its characters ends at a sentence', async () => {
    standIn.endpoint.behave = script(
      saying(`First one. Second one! Third goes on${' and on'.repeat(1_000)}`),
    );
    expect(await standIn.ask({ charactersMax: 30 })).toEqual(replied('First one. Second one!'));
  });

  it('that has no end is stopped, asked again, and then a failure that no try mends', async () => {
    let closed = 0;
    standIn.endpoint.behave = (response) => {
      response.on('close', () => (closed += response.writableFinished ? 0 : 1));
      const goOn = (): void => {
        while (!response.destroyed && response.write(event({ content: 'It goes on. '.repeat(20) }))) continue;
      };
      openStream(response).on('drain', goOn);
      goOn();
    };
    expect(await standIn.ask({ charactersMax: 30 })).toMatchObject({ kind: 'failed', mayRetry: false });
    expect(standIn.endpoint.ledger).toHaveLength(3);
    await eventually(() => Promise.resolve(closed === 3), 5_000, 'a connection stayed open');
  });

  it('that ran out of tokens ends at a sentence where it is long enough', async () => {
    const whole = `${'It costs 15,000. '.repeat(6)}Come today!`;
    standIn.endpoint.behave = script(saying(`${whole} It takes an ho`, 'length'));
    expect(await standIn.ask()).toEqual(replied(whole));
    expect(standIn.endpoint.ledger).toHaveLength(1);
  });

  it('has no thoughts of the model in it', async () => {
    const thought = event({ reasoning_content: 'They want a price.' });
    standIn.endpoint.behave = script(thought + saying('<think>So be it.</think>15,000.'));
    expect(await standIn.ask()).toEqual(replied('15,000.'));
  });

  it('has nothing that the database refuses', async () => {
    standIn.endpoint.behave = script(
      event({ content: 'a\u0000b' }) +
        'data: {"choices":[{"delta":{"content":"\\ud83d c"},"finish_reason":"stop"}]}\n\n',
    );
    expect(await standIn.ask()).toEqual(replied('ab\ufffd c'));
  });

  it.each(['', '  \n '])('of %j is a failure that may pass', async (text) => {
    standIn.endpoint.behave = script(saying(text));
    expect(await standIn.ask()).toEqual({
      kind: 'failed',
      mayRetry: true,
      reason: 'The model answered without a text.',
    });
  });

  it('keeps the connection for the next request', async () => {
    standIn.endpoint.behave = script(saying('Yes.'));
    for (let round = 0; round < 5; round += 1) await standIn.ask();
    expect(standIn.endpoint.connections).toBeLessThanOrEqual(2);
  });
});

describe('without settings', () => {
  it('of an endpoint there is no model, and nothing to retry', async () => {
    const none = new OpenAiLanguageModel({ baseUrl: null, apiKey: null, name: null });
    expect(await none.reply(MODEL_REQUEST, new AbortController().signal)).toEqual({
      kind: 'failed',
      mayRetry: false,
      reason: 'No model is configured: set AI_BASE_URL.',
    });
    await none.onApplicationShutdown();
  });

  it('of a name there is none to ask for', async () => {
    const nameless = new OpenAiLanguageModel({
      baseUrl: `${standIn.endpoint.url}/v1`,
      apiKey: MODEL_KEY,
      name: null,
    });
    expect(await nameless.reply(MODEL_REQUEST, new AbortController().signal)).toMatchObject({
      kind: 'failed',
      mayRetry: false,
    });
    await nameless.onApplicationShutdown();
  });

  it('of a key none is sent', async () => {
    standIn.endpoint.behave = script(saying('Yes.'));
    const keyless = new OpenAiLanguageModel({
      baseUrl: `${standIn.endpoint.url}/v1`,
      apiKey: null,
      name: 'm',
    });
    expect(await keyless.reply(MODEL_REQUEST, new AbortController().signal)).toEqual(replied('Yes.'));
    expect(standIn.endpoint.ledger[0]?.headers).not.toHaveProperty('authorization');
    await keyless.onApplicationShutdown();
  });
});

describe('pictures', () => {
  const PICTURE = `data:image/jpeg;base64,${Buffer.from('a picture').toString('base64')}`;
  const SHOWN = { role: 'user' as const, text: '[image 1] A picture. It is attached.', images: [PICTURE] };
  const SHOWING = { messages: [...MODEL_REQUEST.messages, SHOWN] };

  beforeEach(() => standIn.fresh());

  interface Sent {
    messages: { role: string; content: unknown }[];
  }
  const sent = (): Sent[] => standIn.endpoint.ledger.map(({ body }) => JSON.parse(body) as Sent);
  const isShown = (): boolean[] => standIn.endpoint.ledger.map(({ body }) => body.includes('image_url'));

  /** Refuses them, as servers do. */
  function refusePictures(status: number, said: string): void {
    standIn.endpoint.behave = (response, { body }) => {
      if (body.includes('image_url')) response.writeHead(status).end(said);
      else openStream(response).end(saying('I cannot see it.'));
    };
  }

  it('go beside the words, as data addresses', async () => {
    standIn.endpoint.behave = script(saying('A cat.'));
    expect(await standIn.ask(SHOWING)).toEqual(replied('A cat.'));
    expect(sent()[0]?.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: SHOWN.text },
        { type: 'image_url', image_url: { url: PICTURE } },
      ],
    });
    expect(
      sent()[0]
        ?.messages.slice(1, -1)
        .every(({ content }) => typeof content === 'string'),
    ).toBe(true);
  });

  // In which words servers refuse them is shown beside `request-quirks.ts`.
  it('that a model takes none of are told in words from then on, and shown to another model', async () => {
    refusePictures(400, '{"error":{"message":"image_url is only supported by certain models."}}');
    expect(await standIn.ask(SHOWING)).toEqual(replied('I cannot see it.'));
    const [, taken] = sent();
    expect(taken?.messages.at(-1)?.content).toBe(SHOWN.text);
    expect(taken?.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/You sell teeth[^]*could not be shown to you/) as unknown,
    });
    await standIn.ask(SHOWING);
    await standIn.ask({ ...SHOWING, model: 'one-that-sees' });
    expect(isShown()).toEqual([true, false, false, true, false]);
    await standIn.ask();
    expect(JSON.stringify(sent().at(-1))).not.toContain('could not be shown');
  });

  it('of which one was refused are shown again', async () => {
    refusePictures(400, '{"message":"At most 1 image(s) may be provided in one request."}');
    expect(await standIn.ask(SHOWING)).toEqual(replied('I cannot see it.'));
    await standIn.ask(SHOWING);
    expect(isShown()).toEqual([true, false, true, false]);
  });

  it('before a model without a system role have the rules before the words of the same message', async () => {
    standIn.endpoint.behave = (response, { body }) => {
      if (body.includes('"system"')) response.writeHead(400).end('System role not supported');
      else openStream(response).end(saying('A cat.'));
    };
    expect(await standIn.ask({ messages: [SHOWN] })).toEqual(replied('A cat.'));
    expect(sent()[1]?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: expect.stringContaining('You sell teeth') as unknown },
          { type: 'text', text: SHOWN.text },
          { type: 'image_url', image_url: { url: PICTURE } },
        ],
      },
    ]);
  });

  it('are not taken to be refused by a server that fails for a moment', async () => {
    refusePictures(500, 'Internal error');
    expect(await standIn.ask(SHOWING)).toMatchObject({ kind: 'failed', mayRetry: true });
    expect(standIn.endpoint.ledger).toHaveLength(1);
  });
});

describe('an endpoint that takes its time', () => {
  /** Drops come every 20 ms: on a busy machine, too, none comes so late that the silence ends what the whole shall end. */
  const [FIRST_BYTE_MS, SILENCE_MS, WHOLE_MS] = [1_000, 800, 2_500];
  const CLOSED_WITHIN_MS = 300;
  const bounded = setStandInModel({
    ...{ firstByteMs: FIRST_BYTE_MS, silenceMs: SILENCE_MS, wholeMs: WHOLE_MS, connections: 20 },
  });
  // The first request compiles the code that it runs through, which uses up part of the limits.
  beforeAll(() => bounded.ask());

  const dripping =
    (drop: string): Behaviour =>
    (response) => {
      openStream(response);
      const drip = setInterval(() => response.write(drop), 20);
      response.on('close', () => clearInterval(drip));
    };
  const [FOR_NOTHING, FOR_SILENCE, FOR_THE_WHOLE] = [
    /sent nothing for 1 seconds/,
    /silent/,
    /no whole reply within 2.5 seconds/,
  ];
  const CASES: readonly [string, number, RegExp, Behaviour][] = [
    ['before anything', FIRST_BYTE_MS, FOR_NOTHING, () => undefined],
    [
      'before the body, after its headers',
      ...([FIRST_BYTE_MS, FOR_NOTHING] as const),
      (response) => openStream(response).flushHeaders(),
    ],
    [
      'in the middle of the stream',
      ...([SILENCE_MS, FOR_SILENCE] as const),
      (response) => void openStream(response).write(words('It ')),
    ],
    ['by dripping text', WHOLE_MS, FOR_THE_WHOLE, dripping(event({ content: 'a' }))],
    ['by dripping comments', WHOLE_MS, FOR_THE_WHOLE, dripping(': ping\n\n')],
    ['by dripping single bytes', WHOLE_MS, FOR_THE_WHOLE, dripping('d')],
    ['in a tool', WHOLE_MS, FOR_THE_WHOLE, script(calling({ name: 'note', arguments: '{}' }))],
  ];

  it('is given up at its limit and not before, and its connection is closed with it', async () => {
    const closed = new Map<string, Promise<number>>();
    bounded.endpoint.behave = (response, request) => {
      const { model } = bodyOf(request);
      closed.set(model, new Promise((resolve) => response.on('close', () => resolve(performance.now()))));
      CASES.find(([name]) => name === model)?.[3](response, request);
    };
    // It does not heed its signal.
    const tool = { ...recordingTool().tool, call: () => new Promise<string>(() => undefined) };
    const given = await Promise.all(
      CASES.map(async ([name, limitMs]) => {
        const began = performance.now();
        // A timer counts from the event loop's time, which may be older than the clock's.
        await setImmediate();
        const outcome = await bounded.ask({ model: name, tools: [tool] });
        const ended = performance.now();
        const closedAfter = ((await closed.get(name)) ?? Infinity) - ended;
        return [name, outcome, ended - began >= limitMs - 5, closedAfter < inTime(CLOSED_WITHIN_MS)];
      }),
    );
    expect(given).toEqual(
      CASES.map(([name, , reason]) => [
        name,
        { kind: 'failed', mayRetry: true, reason: expect.stringMatching(reason) as string },
        true,
        true,
      ]),
    );
  });
});
