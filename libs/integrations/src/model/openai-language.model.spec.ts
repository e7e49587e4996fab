import { bodyOf, event, openStream, saying, script, words } from '../../../../test/support/completion.script';
import { MODEL_KEY, MODEL_REQUEST, replied, setModelStand } from '../../../../test/support/model.stand';
import { OpenAiLanguageModel } from './openai-language.model';

const stand = setModelStand();

describe('a reply', () => {
  it('is what the model streams, and the model is told the instructions and the dialog', async () => {
    stand.endpoint.behave = script(saying('One is 15,000 tenge.'));
    expect(await stand.ask()).toEqual(replied('One is 15,000 tenge.'));
    expect(stand.endpoint.ledger).toMatchObject([
      { method: 'POST', url: '/v1/chat/completions', headers: { authorization: `Bearer ${MODEL_KEY}` } },
    ]);
    expect(bodyOf(stand.endpoint.ledger[0])).toMatchObject({
      model: 'house-model',
      stream: true,
      messages: [
        { role: 'system', content: 'You sell teeth.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: 'How much is one?' },
      ],
    });
    expect(bodyOf(stand.endpoint.ledger[0])).not.toHaveProperty('tools');
  });

  it('comes from the model that the request names', async () => {
    stand.endpoint.behave = script(saying('Yes.'));
    await stand.ask({ model: 'own-model' });
    expect(bodyOf(stand.endpoint.ledger[0]).model).toBe('own-model');
  });

  it('is understood without roles, with comments between, and cut into bytes anywhere', async () => {
    const stream = Buffer.from(
      `: hello\n\n${event({ content: 'Бір тіс ' })}: ping\n\n${event({ content: '😀 15 000 ₸.' })}${event({}, 'stop')}`,
    );
    stand.endpoint.behave = (response) => {
      openStream(response);
      let at = 0;
      const more = (): void => {
        if (at >= stream.length) return void response.end();
        response.write(stream.subarray(at, (at += 7)), () => setImmediate(more));
      };
      more();
    };
    expect(await stand.ask()).toEqual(replied('Бір тіс 😀 15 000 ₸.'));
  });

  it('asks for a bounded number of tokens', async () => {
    stand.endpoint.behave = script(saying('Yes.'));
    await stand.ask({ charactersMax: 1000 });
    expect(bodyOf(stand.endpoint.ledger[0]).max_tokens).toBe(2548);
  });

  it('that goes on past its characters is stopped and ends at a sentence', async () => {
    let closed = false;
    stand.endpoint.behave = (response) => {
      response.on('close', () => (closed = !response.writableFinished));
      openStream(response).write(words('First one. Second one! Third goes on and on and on'));
    };
    expect(await stand.ask({ charactersMax: 30 })).toEqual(replied('First one. Second one!'));
    await stand.ask({ messages: [{ role: 'user', text: 'x' }], charactersMax: 30 });
    expect(closed).toBe(true);
  });

  it('that ran out of tokens ends at a sentence', async () => {
    stand.endpoint.behave = script(saying('It costs 15,000. It takes an ho', 'length'));
    expect(await stand.ask()).toEqual(replied('It costs 15,000.'));
  });

  it('has no thoughts of the model in it', async () => {
    const thought = event({ reasoning_content: 'They want a price.' });
    stand.endpoint.behave = script(thought + saying('<think>So be it.</think>15,000.'));
    expect(await stand.ask()).toEqual(replied('15,000.'));
  });

  it('has nothing that the database refuses', async () => {
    stand.endpoint.behave = script(
      event({ content: 'a\u0000b' }) +
        'data: {"choices":[{"delta":{"content":"\\ud83d c"},"finish_reason":"stop"}]}\n\n',
    );
    expect(await stand.ask()).toEqual(replied('ab\ufffd c'));
  });

  it.each(['', '  \n '])('of %j is a failure that may pass', async (text) => {
    stand.endpoint.behave = script(saying(text));
    expect(await stand.ask()).toEqual({
      kind: 'failed',
      mayRetry: true,
      reason: 'The model answered without a text.',
    });
  });

  it('keeps the connection for the next request', async () => {
    stand.endpoint.behave = script(saying('Yes.'));
    for (let turn = 0; turn < 5; turn += 1) await stand.ask();
    expect(stand.endpoint.connections).toBeLessThanOrEqual(2);
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
      baseUrl: `${stand.endpoint.url}/v1`,
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
    stand.endpoint.behave = script(saying('Yes.'));
    const keyless = new OpenAiLanguageModel({ baseUrl: `${stand.endpoint.url}/v1`, apiKey: null, name: 'm' });
    expect(await keyless.reply(MODEL_REQUEST, new AbortController().signal)).toEqual(replied('Yes.'));
    expect(stand.endpoint.ledger[0]?.headers).not.toHaveProperty('authorization');
    await keyless.onApplicationShutdown();
  });
});
