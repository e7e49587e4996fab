import type { ModelTool } from '@app/domain/agent/language-model.port';
import {
  bodyOf,
  calling,
  saying,
  script,
  toolAnswers,
  words,
} from '../../../../test/support/stand-ins/completion.script';
import { recordingTool, replied, setStandInModel } from '../../../../test/support/stand-ins/model.stand-in';

const standIn = setStandInModel();

const DEEP = '['.repeat(30_000) + ']'.repeat(30_000);

describe('a tool', () => {
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
