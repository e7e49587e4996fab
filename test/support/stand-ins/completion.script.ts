import type { ServerResponse } from 'node:http';
import type { Behaviour, SeenRequest } from './provider.stand-in';

/** One call of a tool, as the model writes it. */
export interface ScriptedCall {
  name: string;
  /** As text, so that it can be no JSON at all. */
  arguments: string;
}

const HEAD = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };

/** One event of the stream. */
export const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export const DONE = 'data: [DONE]\n\n';

export const words = (text: string): string =>
  text
    .split(/(?<= )/)
    .map((content) => event({ role: 'assistant', content }))
    .join('');

/** A whole answer that is this text. */
export const saying = (text: string, finish = 'stop'): string => words(text) + event({}, finish) + DONE;

/** A whole answer that asks for these calls, all at once. */
export const calling = (...calls: ScriptedCall[]): string =>
  calls
    .map(({ name, arguments: text }, index) =>
      event({
        tool_calls: [{ index, id: `call-${index}`, type: 'function', function: { name, arguments: text } }],
      }),
    )
    .join('') +
  event({}, 'tool_calls') +
  DONE;

export const openStream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** Answers the requests one after the other with these streams, and all further ones with the last. */
export function script(...answers: string[]): Behaviour {
  let asked = 0;
  return (response) => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    openStream(response).end(answer);
  };
}

/** The content of one request to the endpoint. */
export interface SeenBody {
  model: string;
  stream: boolean;
  max_tokens?: number;
  messages: { role: string; content?: string; tool_calls?: { function: ScriptedCall }[] }[];
  tools?: { function: { name: string } }[];
  tool_choice?: string;
}

export const bodyOf = (request: SeenRequest | undefined): SeenBody =>
  JSON.parse(request?.body ?? '{}') as SeenBody;

/** The results of tools in this request to the endpoint. */
export const toolAnswers = (request: SeenRequest | undefined): (string | undefined)[] =>
  bodyOf(request)
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
