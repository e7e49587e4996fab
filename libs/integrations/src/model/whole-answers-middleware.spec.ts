import type { LanguageModelMiddleware } from 'ai';
import { wholeAnswers } from './whole-answers-middleware';

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type Options = Parameters<WrapStream>[0];
type Result = Awaited<ReturnType<WrapStream>>;
type Part = Result['stream'] extends ReadableStream<infer Each> ? Each : never;

const ended = (unified: 'stop' | 'other' | 'tool-calls'): Part => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
});
const saying = (delta: string, end: 'stop' | 'other' = 'stop'): Part[] => [
  { type: 'text-delta', id: '1', delta },
  ended(end),
];
const calling = (...tools: string[]): Part[] => [
  ...tools.map((toolName, n) => ({
    ...{ type: 'tool-call' as const, toolCallId: `${n}`, toolName, input: '{}' },
  })),
  ended('tool-calls'),
];

/** The steps of one reply, which a model answers with one answer after the other. */
function reply(...answers: (Part[] | AsyncIterable<Part>)[]): {
  step: (mayCall?: boolean) => Promise<unknown[]>;
  asked: () => number;
} {
  const { wrapStream } = wholeAnswers(1_000, 10_000);
  let asked = 0;
  const doStream = (): Promise<Result> => {
    const parts = answers[Math.min(asked++, answers.length - 1)] ?? [];
    return Promise.resolve({ stream: ReadableStream.from(parts) });
  };
  return {
    asked: () => asked,
    step: async (mayCall = true) => {
      const options = {
        doStream,
        model: { doStream },
        params: {
          prompt: [],
          tools: [{ type: 'function', name: 'note', inputSchema: {} }],
          toolChoice: { type: mayCall ? 'auto' : 'none' },
        },
      };
      const result = await wrapStream?.(options as unknown as Options);
      const parts: Part[] = [];
      for await (const part of result?.stream ?? []) parts.push(part);
      return parts.flatMap<unknown>((part) => {
        if (part.type === 'text-delta') return [part.delta];
        if (part.type === 'tool-call') return [{ call: part.toolName }];
        return part.type === 'error' ? [{ failed: (part.error as Error).message }] : [];
      });
    },
  };
}

it('passes a text on as it goes out: with the marks of the messenger, and no mark of a machine that Markdown hid', async () => {
  const { step } = reply(saying('\\<think\\>the secret\\</think\\>**Hello**, *Dana*.'));
  expect(await step()).toEqual(['*Hello*, _Dana_.']);
});

it('makes a call of one whose marks Markdown hid', async () => {
  const { step } = reply(saying('\\<tool\\_call\\>{"name":"note","arguments":{}}\\</tool\\_call\\>'));
  expect(await step()).toEqual([{ call: 'note' }]);
});

const FAILED = { failed: expect.any(String) as string };

describe('a text', () => {
  it('after calls of tools has three requests, as any text', async () => {
    const { step, asked } = reply(
      ...[calling('note'), calling('note'), calling('note', 'refund'), calling('note')],
      ...[saying('It', 'other'), saying('It is', 'other'), saying('It is 7.')],
    );
    for (let call = 0; call < 4; call += 1) expect(await step()).toContainEqual({ call: 'note' });
    expect(await step()).toEqual(['It is 7.']);
    expect(asked()).toBe(7);
  });

  it('is asked for three times at most, whatever of it was a call of no tool', async () => {
    const { step, asked } = reply(
      ...[calling('refund'), saying('It', 'other'), saying('It is', 'other'), saying('It is 7.')],
    );
    expect(await step()).toEqual([{ call: 'refund' }]);
    expect(await step()).toEqual([FAILED]);
    expect(asked()).toBe(3);
  });
});

describe('a text that has no end', () => {
  /** Pieces of a text, which is ended by nothing or by these parts. */
  async function* going(text: string, ...ending: Part[]): AsyncGenerator<Part> {
    for (const delta of text.match(/.{1,1000}/gs) ?? []) yield { type: 'text-delta', id: '1', delta };
    yield* ending;
  }
  const THOUGHTS = 'They think. '.repeat(1_600);

  it('never goes out, however long it is: the model is asked again', async () => {
    const { step, asked } = reply(going(`${THOUGHTS}</think>Hello.`, ended('stop')), saying('It is 7.'));
    expect(await step()).toEqual(['It is 7.']);
    expect(asked()).toBe(2);
  });

  it('is stopped where it is, and the third is a failure', async () => {
    let stopped = 0;
    async function* endless(): AsyncGenerator<Part> {
      try {
        for (;;) yield* going('It goes on. ');
      } finally {
        stopped += 1;
      }
    }
    const { step, asked } = reply(endless(), endless(), endless());
    expect(await step()).toEqual([FAILED]);
    expect([asked(), stopped]).toEqual([3, 3]);
  });

  it('is awaited as long as nothing of it is for the customer', async () => {
    const { step, asked } = reply(going(`<think>${THOUGHTS}</think>Hello.`, ended('stop')));
    expect(await step()).toEqual(['Hello.']);
    expect(asked()).toBe(1);
  });

  it('is none that has its end, a little longer than a reply may be', async () => {
    const hello = 'Hello. '.repeat(160).trim();
    const { step, asked } = reply(
      going(`<think>${THOUGHTS.slice(0, 18_900)}</think>${hello}`, ended('stop')),
    );
    expect(await step()).toEqual([hello]);
    expect(asked()).toBe(1);
  });
});

describe('calls of no tool', () => {
  it('are told to the model twice, and the third is a failure', async () => {
    const { step, asked } = reply(calling('refund'));
    expect(await step()).toEqual([{ call: 'refund' }]);
    expect(await step()).toEqual([{ call: 'refund' }]);
    expect(await step()).toEqual([FAILED]);
    expect(asked()).toBe(3);
  });

  it('are like calls where none is allowed any more', async () => {
    const { step, asked } = reply(calling('note'));
    expect(await step(false)).toEqual([{ call: 'note' }]);
    expect(await step(false)).toEqual([{ call: 'note' }]);
    expect(await step(false)).toEqual([FAILED]);
    expect(asked()).toBe(3);
  });

  it('take nothing from a text that stands beside the last of them', async () => {
    const beside = [...saying('It is 7.').slice(0, 1), ...calling('refund')];
    const { step } = reply(saying('It', 'other'), saying('It is', 'other'), beside);
    expect(await step()).toEqual(['It is 7.', { call: 'refund' }]);
  });

  it('count anew after a call of a tool', async () => {
    const { step } = reply(
      ...[calling('refund'), calling('refund'), calling('note')],
      ...[calling('refund'), calling('refund'), saying('It is 7.')],
    );
    for (let call = 0; call < 5; call += 1) expect(await step()).toHaveLength(1);
    expect(await step()).toEqual(['It is 7.']);
  });
});
