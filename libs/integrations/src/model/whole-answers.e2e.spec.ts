import {
  bodyOf,
  calling,
  DONE,
  event,
  openStream,
  saying,
  script,
  toolAnswers,
  words,
  type SeenBody,
} from '../../../../test/support/stand-ins/completion.script';
import { MODEL_FAMILIES } from '../../../../test/support/stand-ins/model.families';
import { recordingTool, replied, setStandInModel } from '../../../../test/support/stand-ins/model.stand-in';
import type { ModelTool } from '@app/domain/agent/language-model.port';
import type { Behaviour } from '../../../../test/support/stand-ins/provider.stand-in';

const standIn = setStandInModel();

const CALL = '<tool_call>{"name":"note","arguments":{"n":7}}</tool_call>';
const BROKEN_CALL = '<tool_call>{"name":"note","argum</tool_call>';

const DEEP = '['.repeat(30_000) + ']'.repeat(30_000);

/** Answers one after the other, each of which may be refused first. */
function inTurn(...behaviours: Behaviour[]): Behaviour {
  let asked = 0;
  return (response, request) => behaviours[Math.min(asked++, behaviours.length - 1)]?.(response, request);
}

const refusing =
  (message: string, status = 400): Behaviour =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message } }));

describe('a server of the kind', () => {
  it.each(MODEL_FAMILIES)('$of is understood', async ({ body, type, text, calls = [] }) => {
    const { given, tool } = recordingTool();
    let asked = 0;
    standIn.endpoint.behave = (response) => {
      asked += 1;
      if (asked > 1) return void openStream(response).end(saying('Noted.'));
      response.writeHead(200, { 'content-type': type ?? 'text/event-stream' }).end(body);
    };
    const outcome = await standIn.ask({ tools: [tool] });
    const said = [text, ...(calls.length > 0 ? ['Noted.'] : [])].filter((part) => part !== '').join('\n\n');
    expect(outcome).toEqual(replied(said));
    expect(given).toEqual(calls);
  });
});

describe('an answer that is of no use', () => {
  it.each([
    ['a call that cannot be understood', saying(BROKEN_CALL)],
    ['JSON without a text', saying('{"status": "ok"}')],
    ['an end by abort', saying('One is 15,', 'abort')],
    ['an end by a filter', saying('One is', 'content_filter')],
    ['an end of a short text by its length', saying('One is 15,000. It', 'length')],
  ])('by %s is asked for again, with a word about it', async (_, answer) => {
    standIn.endpoint.behave = script(answer, saying('It is 15,000.'));
    expect(await standIn.ask({ tools: [recordingTool().tool] })).toEqual(replied('It is 15,000.'));
    const [first, second] = standIn.endpoint.ledger.map((request) => bodyOf(request).messages);
    expect(second?.slice(1)).toEqual(first?.slice(1));
    expect(second?.[0]?.content?.length).toBeGreaterThan(first?.[0]?.content?.length ?? 0);
  });

  it('three times is a failure that no try mends', async () => {
    standIn.endpoint.behave = script(saying(BROKEN_CALL));
    expect(await standIn.ask({ tools: [recordingTool().tool] })).toMatchObject({
      kind: 'failed',
      mayRetry: false,
    });
    expect(standIn.endpoint.ledger).toHaveLength(3);
  });

  it('after a tool was called is asked for again without a second call', async () => {
    const { given, tool } = recordingTool();
    standIn.endpoint.behave = script(
      calling({ name: 'note', arguments: '{"n":7}' }),
      saying('Not', 'abort'),
      saying('Noted.'),
    );
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Noted.'));
    expect(given).toEqual([{ n: 7 }]);
    expect(toolAnswers(standIn.endpoint.ledger[2])).toEqual(['answer 1']);
  });

  it('cut at any byte says nothing to a customer', async () => {
    const whole = Buffer.from(
      event({ content: '<think>A secret.' }) + event({ content: '</think>Hello' }) + words(`. ${CALL}`),
    );
    for (let at = 0; at <= whole.length; at += 31) {
      standIn.endpoint.behave = (response) => void openStream(response).end(whole.subarray(0, at));
      expect(await standIn.ask({ tools: [recordingTool().tool] })).toMatchObject({ kind: 'failed' });
    }
  });
});

describe('thoughts without their opening mark', () => {
  const THOUGHT = 'They want to know the price, so I look at what was said. '.repeat(80);

  it('are taken out however long they are', async () => {
    standIn.endpoint.behave = script(saying(`${THOUGHT}</think>Hello.`));
    expect(await standIn.ask()).toEqual(replied('Hello.'));
  });

  it('that come to the end of the length are asked again for less', async () => {
    standIn.endpoint.behave = script(saying(THOUGHT, 'length'), saying('Hello.'));
    expect(await standIn.ask()).toEqual(replied('Hello.'));
    expect(standIn.endpoint.ledger).toHaveLength(2);
  });
});

describe('a call that is written as text', () => {
  it('of a tool that does not exist is told to the model, which is asked again', async () => {
    standIn.endpoint.behave = script(
      saying('<tool_call>{"name":"refund","arguments":{}}</tool_call>'),
      saying('I cannot do that.'),
    );
    const { given, tool } = recordingTool();
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('I cannot do that.'));
    expect(given).toEqual([]);
    expect(toolAnswers(standIn.endpoint.ledger[1])).toEqual(['Refused: there is no such tool.']);
  });

  it('counts against the calls of the reply', async () => {
    const { given, tool } = recordingTool();
    standIn.endpoint.behave = script(saying(CALL.repeat(2).replace(/7(?=.*7)/, '8')), saying('Done.'));
    expect(await standIn.ask({ tools: [tool], toolCallsMax: 1 })).toEqual(replied('Done.'));
    expect(given).toHaveLength(1);
  });

  it('where no tool may be called is passed by', async () => {
    standIn.endpoint.behave = script(saying(`Hello.${CALL}`));
    expect(await standIn.ask()).toEqual(replied('Hello.'));
  });
});

describe('what a server refuses in a request', () => {
  // In which words, and what is asked instead, is shown beside `request-quirks.ts`.
  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      (body: SeenBody) => ['max_tokens' in body, 'max_completion_tokens' in body],
      [true, false],
      [false, true],
    ],
    [
      'registry.ollama.ai/library/gemma does not support tools',
      (body: SeenBody) => 'tools' in body,
      true,
      false,
    ],
  ])('is left out, once and from then on: %s', async (message, seen, before, after) => {
    await standIn.fresh();
    standIn.endpoint.behave = inTurn(refusing(message), script(saying('Yes.')));
    const { tool } = recordingTool();
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Yes.'));
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Yes.'));
    expect(standIn.endpoint.ledger.map((request) => seen(bodyOf(request)))).toEqual([before, after, after]);
  });

  it('is not left out where the agent itself sets it', async () => {
    await standIn.fresh();
    standIn.endpoint.behave = refusing('Unsupported value: temperature does not support 0.2.');
    const options = { temperature: 0.2, max_tokens: null, extra: { top_k: 5 } };
    expect(await standIn.ask({ options })).toMatchObject({ kind: 'failed', mayRetry: false });
    const [body, ...more] = standIn.endpoint.ledger.map((request) => JSON.parse(request.body) as object);
    expect(more).toEqual([]);
    expect(body).toMatchObject({ temperature: 0.2, extra: { top_k: 5 }, stream: true });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it('is not remembered where the request without it is refused, too', async () => {
    await standIn.fresh();
    standIn.endpoint.behave = refusing('The words "tools" and "system" of this message are not allowed.');
    const { tool } = recordingTool();
    expect(await standIn.ask({ tools: [tool] })).toMatchObject({ kind: 'failed', mayRetry: false });
    standIn.endpoint.behave = script(saying('Yes.'));
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Yes.'));
    const last = bodyOf(standIn.endpoint.ledger.at(-1));
    expect([last.messages[0]?.role, 'tools' in last]).toEqual(['system', true]);
  });

  it('at once by many requests is left out by each', async () => {
    await standIn.fresh();
    standIn.endpoint.behave = (response, request) =>
      'tools' in bodyOf(request)
        ? refusing('does not support tools')(response, request)
        : script(saying('Yes.'))(response, request);
    const { tool } = recordingTool();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => standIn.ask({ tools: [tool] })));
    expect(outcomes).toEqual(outcomes.map(() => replied('Yes.')));
  });

  it('that we do not know is a failure, asked once, and takes no place of those that are under way', async () => {
    await standIn.fresh({ connections: 2 });
    standIn.endpoint.behave = refusing('The moon is too high.');
    const failure = {
      kind: 'failed',
      mayRetry: false,
      reason: expect.stringContaining('status 400') as string,
    };
    for (let refused = 1; refused <= 5; refused += 1) {
      expect(await standIn.ask()).toMatchObject(failure);
      expect(standIn.endpoint.ledger).toHaveLength(refused);
    }
  });

  it('one thing after the other is left out, and not for ever', async () => {
    await standIn.fresh();
    standIn.endpoint.behave = refusing(
      'max_tokens, tools, tool_choice and the system role are not supported',
    );
    expect(await standIn.ask({ tools: [recordingTool().tool] })).toMatchObject({ kind: 'failed' });
    expect(standIn.endpoint.ledger.length).toBeLessThanOrEqual(6);
  });
});

describe('a tool', () => {
  beforeAll(() => standIn.fresh());

  it('is called with what the model gave, and its answer comes back to the model', async () => {
    const { given, tool } = recordingTool();
    standIn.endpoint.behave = script(calling({ name: 'note', arguments: '{"n":7}' }), saying('Noted.'));
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Noted.'));
    expect(given).toEqual([{ n: 7 }]);
    expect(bodyOf(standIn.endpoint.ledger[0]).tools).toMatchObject([
      { function: { name: 'note', description: 'It notes.' } },
    ]);
    expect(toolAnswers(standIn.endpoint.ledger[1])).toEqual(['answer 1']);
  });

  it('is called once for each of parallel calls, one after the other', async () => {
    const [first, second] = [recordingTool('first'), recordingTool('second')];
    let running = 0;
    const slow = (tool: ModelTool): ModelTool => ({
      ...tool,
      call: async (input, signal) => {
        expect((running += 1)).toBe(1);
        await new Promise(setImmediate);
        running -= 1;
        return tool.call(input, signal);
      },
    });
    standIn.endpoint.behave = script(
      calling(
        { name: 'first', arguments: '{"n":1}' },
        { name: 'second', arguments: '{"n":2}' },
        { name: 'first', arguments: '' },
      ),
      saying('Done.'),
    );
    expect(await standIn.ask({ tools: [slow(first.tool), slow(second.tool)] })).toEqual(replied('Done.'));
    expect([first.given, second.given]).toEqual([[{ n: 1 }, {}], [{ n: 2 }]]);
  });

  it.each([
    ['at once', (call: string[]) => [calling(...call.map((text) => ({ name: 'note', arguments: text })))]],
    ['one by one', (call: string[]) => call.map((text) => calling({ name: 'note', arguments: text }))],
  ])(
    'called six times %s, where five are allowed, is called five times and the sixth is refused',
    async (_, answers) => {
      const { given, tool } = recordingTool();
      const six = Array.from({ length: 6 }, (_unused, n) => `{"n":${n}}`);
      standIn.endpoint.behave = script(...answers(six), saying('Enough.'));
      expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Enough.'));
      expect(given).toHaveLength(5);
      expect(toolAnswers(standIn.endpoint.ledger.at(-1)).at(-1)).toMatch(/^Refused: no more tools/);
      expect(bodyOf(standIn.endpoint.ledger.at(-1)).tool_choice).toBe('none');
    },
  );

  it('called in words where no call is allowed any more is neither called nor told', async () => {
    const { given, tool } = recordingTool();
    const six = Array.from({ length: 6 }, () => ({ name: 'note', arguments: '{"n": 7}' }));
    standIn.endpoint.behave = script(calling(...six), saying('Enough.\nnote(n=7)\nGoodbye.'));
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Enough.\n\nGoodbye.'));
    expect(given).toHaveLength(5);
  });

  it('called without end fails the request, in a bounded number of steps', async () => {
    const { given, tool } = recordingTool();
    standIn.endpoint.behave = script(calling({ name: 'note', arguments: '{}' }));
    expect(await standIn.ask({ tools: [tool] })).toMatchObject({ kind: 'failed', mayRetry: true });
    expect(given).toHaveLength(5);
    expect(standIn.endpoint.ledger).toHaveLength(7);
  });

  it('is not offered where no call is allowed', async () => {
    standIn.endpoint.behave = script(saying('Yes.'));
    await standIn.ask({ tools: [recordingTool().tool], toolCallsMax: 0 });
    expect(bodyOf(standIn.endpoint.ledger[0])).not.toHaveProperty('tools');
  });

  it.each([
    ['arguments that are no JSON', { name: 'note', arguments: `{"n": ${'x'.repeat(50_000)}` }, /no JSON/],
    ['arguments as deep as they may be', { name: 'note', arguments: DEEP }, /no JSON/],
    ['a name that does not exist', { name: `drop table;${'x'.repeat(50_000)}`, arguments: '{}' }, /no such/],
    ['the name of a property of objects', { name: 'constructor', arguments: '{}' }, /no such/],
  ])('asked for with %s is not called, and the model gets a short error', async (_, call, words) => {
    const { given, tool } = recordingTool();
    standIn.endpoint.behave = script(calling(call), saying('Sorry.'));
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Sorry.'));
    expect(given).toEqual([]);
    expect(toolAnswers(standIn.endpoint.ledger[1])).toEqual([expect.stringMatching(words)]);
    expect(standIn.endpoint.ledger[1]?.body.length).toBeLessThan(4000);
  });

  it('asked for with 1 MB of arguments is not called, and the stream is stopped there', async () => {
    const { given, tool } = recordingTool();
    standIn.endpoint.behave = script(
      calling({ name: 'note', arguments: JSON.stringify({ n: 'x'.repeat(1e6) }) }),
      saying('Yes.'),
    );
    expect(await standIn.ask({ tools: [tool] })).toMatchObject({ kind: 'failed', mayRetry: true });
    expect(given).toEqual([]);
    expect(standIn.endpoint.ledger).toHaveLength(1);
  });

  it('that throws says only that it failed', async () => {
    const tool = { ...recordingTool().tool, call: () => Promise.reject(new Error('at 10.0.0.7')) };
    standIn.endpoint.behave = script(calling({ name: 'note', arguments: '{}' }), saying('Sorry.'));
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('Sorry.'));
    expect(toolAnswers(standIn.endpoint.ledger[1])).toEqual(['The tool failed.']);
  });

  it('called at the end of a text leaves that text as the reply when nothing is added to it', async () => {
    const { tool } = recordingTool();
    standIn.endpoint.behave = script(
      words('I have noted it.') + calling({ name: 'note', arguments: '{}' }),
      saying(''),
    );
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('I have noted it.'));
  });

  it('called after a first text has the text behind it as the reply', async () => {
    const { tool } = recordingTool();
    standIn.endpoint.behave = script(
      words('One moment.') + calling({ name: 'note', arguments: '{}' }),
      saying('It is free.'),
    );
    expect(await standIn.ask({ tools: [tool] })).toEqual(replied('It is free.'));
  });
});

it('an end is only an end where the server says so', async () => {
  standIn.endpoint.behave = script(words('Half a ') + DONE);
  expect(await standIn.ask()).toMatchObject({ kind: 'failed', mayRetry: true });
});
