import { eventually } from '../../../../test/support/eventually';
import {
  bodyOf,
  event,
  openStream,
  saying,
  script,
  words,
} from '../../../../test/support/stand-ins/completion.script';
import {
  MODEL_KEY,
  MODEL_REQUEST,
  replied,
  setStandInModel,
} from '../../../../test/support/stand-ins/model.stand-in';
import { asSpanOf, recordTraces } from '@app/contracts/trace.recorder';
import { OtlpRecorder } from '../tracing/otlp.recorder';
import { OpenAiLanguageModel } from './openai-language.model';

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
        response.write(stream.subarray(at, (at += 7)), () => setImmediate(more));
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
        while (!response.destroyed && response.write(words('It goes on. '))) continue;
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
