import { randomUUID } from 'node:crypto';
import type { LanguageModelMiddleware } from 'ai';
import { readForPeople, readMachineText } from './machine-text/machine-text';
import { ModelFailure } from './model-failure';
import { sentencesOf } from './reply-draft';
import type { WrittenCall } from './machine-text/written-calls';

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type Params = Parameters<WrapStream>[0]['params'];
type Stream = Awaited<ReturnType<WrapStream>>['stream'];
type Part = Stream extends ReadableStream<infer Each> ? Each : never;
type Finish = Extract<Part, { type: 'finish' }>;
type Call = Extract<Part, { type: 'tool-call' }>;

/** Most requests for one text. */
const REQUESTS_MAX = 3;
/** A text that was stopped at its length goes out up to its last sentence if that leaves so many characters. */
const LEAST_CUT = 80;

/** Why an answer is of no use, and what the model is told when it is asked again. */
interface Useless {
  reason: string;
  hint: string;
}

const BROKEN: Useless = {
  reason: 'The model wrote a call of a tool, or JSON, that cannot be understood.',
  hint: 'Your last answer could not be read. Answer in plain words for the customer, without JSON, tags or code. To call a tool, use the tool calls of this interface.',
};
const NO_TOOLS: Useless = {
  reason: 'The model called a tool where it may call none.',
  hint: 'You may call no tools now. Answer the customer in plain words.',
};
const NO_SUCH_TOOLS = 'The model called only tools that it may not call, or that do not exist.';
const TOO_LONG: Useless = {
  reason: 'The model came to the end of its length.',
  hint: 'Your last answer was too long and was lost. Answer in at most three short sentences.',
};
const NOT_WHOLE: Useless = {
  reason: 'The model ended its answer before it was whole.',
  hint: 'Your last answer was cut off. Answer again, briefly.',
};

/** One answer as a model streamed it. */
interface Answer {
  written: string;
  calls: Call[];
  finish: Finish | null;
  /** Whether it went on and on until it was stopped. */
  isStopped: boolean;
  hasFailed: boolean;
}

/** The tools by name, which a model may know without being allowed to call them now. */
interface Callable {
  tools: ReadonlySet<string>;
  mayCall: boolean;
}

interface Whole {
  text: string;
  calls: Call[];
  /** Whether some of the calls were written as text. */
  hasWrittenCalls: boolean;
}

/** Calls in their own form and as text may be the same call: it is made once. */
function allCalls(calls: readonly Call[], written: readonly WrittenCall[]): Call[] {
  const keyOf = (name: string, input: string): string => {
    try {
      return `${name} ${JSON.stringify(JSON.parse(input))}`;
    } catch {
      return `${name} ${input}`;
    }
  };
  const made = new Set(calls.map(({ toolName, input }) => keyOf(toolName, input)));
  const further = written
    .filter(({ name, input }) => !made.has(keyOf(name, input)))
    .map(({ name, input }) => ({
      type: 'tool-call' as const,
      toolCallId: randomUUID(),
      toolName: name,
      input,
    }));
  return [...calls, ...further];
}

function judge(
  { finish, isStopped, written, calls }: Answer,
  { tools, mayCall }: Callable,
  charactersMax: number,
): Whole | Useless {
  if (isStopped) return TOO_LONG;
  const read = readForPeople(written, tools);
  if (read.isBroken) return BROKEN;
  if (!mayCall && read.calls.length > 0 && read.text === '') return NO_TOOLS;
  switch (finish?.finishReason.unified) {
    case 'stop':
    case 'tool-calls':
      return {
        text: read.text,
        // A model that calls where it may not is told so by the SDK; a call in words is passed by.
        calls: mayCall ? allCalls(calls, read.calls) : calls,
        hasWrittenCalls: mayCall && read.calls.length > 0,
      };
    case 'length': {
      const text = sentencesOf(read.text);
      const isCalling = read.calls.length > 0 || calls.length > 0;
      // A text without an end that is longer than any reply may be thoughts, whose closing mark has not come.
      const isReply = text.length >= LEAST_CUT && read.text.length <= charactersMax;
      return isReply && !isCalling ? { text, calls, hasWrittenCalls: false } : TOO_LONG;
    }
    default:
      return NOT_WHOLE;
  }
}

/** The same request with a word about the last answer. The last message stays the customer's. */
function askAgain(params: Params, { hint }: Useless): Params {
  const [first, ...rest] = params.prompt;
  return first?.role === 'system'
    ? { ...params, prompt: [{ ...first, content: `${first.content}\n\n${hint}` }, ...rest] }
    : { ...params, prompt: [{ role: 'system', content: hint }, ...params.prompt] };
}

/**
 * Lets only whole answers through, without anything that only machines read. Calls that were written as text become
 * calls, and the text beside them stays. What is of no use is asked for again.
 * @param charactersMax of a reply
 * @param writtenMax an answer beyond that whose text is longer than any reply is of a model that does not end by itself:
 * it is stopped, unless it ends within the length of one more. What has no end may be thoughts, whose closing mark has
 * not come, so none of it goes out.
 */
export function wholeAnswers(charactersMax: number, writtenMax: number): LanguageModelMiddleware {
  /** For the text that is to come. */
  let requestsLeft = REQUESTS_MAX;
  let beside = '';

  const passText = (text: string, pass: (part: Part) => void): void => {
    const whole = beside === '' || text.startsWith(beside) ? text : `${beside}\n\n${text}`.trim();
    if (whole === '') return;
    const id = randomUUID();
    pass({ type: 'text-start', id });
    pass({ type: 'text-delta', id, delta: whole });
    pass({ type: 'text-end', id });
  };

  /** @param pass takes what need not wait for the end */
  async function receive(
    stream: Stream,
    tools: ReadonlySet<string>,
    pass: (part: Part) => void,
  ): Promise<Answer> {
    const answer: Answer = { written: '', calls: [], finish: null, isStopped: false, hasFailed: false };
    let longest = writtenMax;
    let isLong = false;
    for await (const part of stream) {
      switch (part.type) {
        case 'text-delta': {
          answer.written += part.delta;
          if (answer.written.length <= longest) break;
          if (readMachineText(answer.written, tools).text.length <= charactersMax) {
            longest = answer.written.length + writtenMax;
            break;
          }
          // Leaving the stream closes the connection.
          answer.isStopped = isLong;
          if (isLong) return answer;
          isLong = true;
          longest = answer.written.length + charactersMax;
          break;
        }
        case 'text-start':
        case 'text-end':
          break;
        case 'tool-call':
          answer.calls.push(part);
          break;
        case 'finish':
          answer.finish = part;
          break;
        default:
          answer.hasFailed ||= part.type === 'error';
          pass(part);
      }
    }
    return answer;
  }

  return {
    specificationVersion: 'v4',
    async wrapStream({ doStream, model, params }) {
      const tools = new Set(params.tools?.map(({ name }) => name));
      const callable = { tools, mayCall: tools.size > 0 && params.toolChoice?.type !== 'none' };
      requestsLeft -= 1;
      const begun = await doStream();
      async function work(pass: (part: Part) => void): Promise<void> {
        let answer = await receive(begun.stream, tools, pass);
        let judged = judge(answer, callable, charactersMax);
        while (!answer.hasFailed && 'hint' in judged && requestsLeft > 0) {
          requestsLeft -= 1;
          const again = await model.doStream(askAgain(params, judged));
          answer = await receive(again.stream, tools, pass);
          judged = judge(answer, callable, charactersMax);
        }
        if (answer.hasFailed) return;
        if ('hint' in judged) throw new ModelFailure(judged.reason, false);
        // A call that is made brings another text. Where none is, the next step asks for the same one again.
        if (callable.mayCall && judged.calls.some(({ toolName }) => tools.has(toolName)))
          requestsLeft = REQUESTS_MAX;
        else if (judged.calls.length > 0 && requestsLeft <= 0 && judged.text === '')
          throw new ModelFailure(NO_SUCH_TOOLS, false);
        passText(judged.text, pass);
        if (judged.hasWrittenCalls && judged.text !== '') beside = `${beside}\n\n${judged.text}`.trim();
        for (const call of judged.calls) pass(call);
        if (!answer.finish) return;
        const { finish } = answer;
        pass(
          judged.hasWrittenCalls
            ? { ...finish, finishReason: { unified: 'tool-calls', raw: undefined } }
            : finish,
        );
      }
      const stream: Stream = new ReadableStream<Part>({
        async start(controller) {
          await work((part) => controller.enqueue(part)).catch((error: unknown) =>
            controller.enqueue({ type: 'error', error }),
          );
          controller.close();
        },
      });
      return { ...begun, stream };
    },
  };
}
