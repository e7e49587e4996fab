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
import type { Behaviour } from '../../../../test/support/stand-ins/provider.stand-in';

const standIn = setStandInModel();

const CALL = '<tool_call>{"name":"note","arguments":{"n":7}}</tool_call>';
const BROKEN_CALL = '<tool_call>{"name":"note","argum</tool_call>';

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
    for (let at = 0; at <= whole.length; at += 7) {
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
  const rolesOf = ({ messages }: SeenBody): string[] => messages.map(({ role }) => role);
  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      (body: SeenBody) => ['max_tokens' in body, 'max_completion_tokens' in body],
      [true, false],
      [false, true],
    ],
    ['max_tokens: Extra inputs are not permitted', (body: SeenBody) => 'max_tokens' in body, true, false],
    [
      'registry.ollama.ai/library/gemma does not support tools',
      (body: SeenBody) => 'tools' in body,
      true,
      false,
    ],
    [
      'System role not supported',
      rolesOf,
      ['system', 'user', 'assistant', 'user'],
      ['user', 'assistant', 'user'],
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

  it('takes no place of those that are under way', async () => {
    await standIn.fresh({ connections: 2 });
    standIn.endpoint.behave = refusing('The moon is too high.');
    for (let refused = 0; refused < 5; refused += 1)
      expect(await standIn.ask()).toMatchObject({ reason: expect.stringContaining('status 400') as string });
  });

  it('that we do not know is a failure, asked once', async () => {
    await standIn.fresh();
    standIn.endpoint.behave = refusing('The moon is too high.');
    expect(await standIn.ask()).toMatchObject({ kind: 'failed', mayRetry: false });
    expect(standIn.endpoint.ledger).toHaveLength(1);
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

it('an end is only an end where the server says so', async () => {
  standIn.endpoint.behave = script(words('Half a ') + DONE);
  expect(await standIn.ask()).toMatchObject({ kind: 'failed', mayRetry: true });
});
