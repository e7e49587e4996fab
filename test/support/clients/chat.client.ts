/** A request for a chat completion, complete enough to be taken. */
export const chat = (words: string, more: object = {}) => ({
  model: 'scripted',
  messages: [
    { role: 'system', content: 'You are the assistant of a shop.' },
    { role: 'user', content: words },
  ],
  ...more,
});

const STAGES = ['11111111-0000-7000-8000-000000000001', '11111111-0000-7000-8000-000000000002'];

/** The service's own tools, as a request offers them. */
export const OWN_TOOLS = {
  tools: [
    {
      type: 'function',
      function: {
        name: 'move_lead',
        description: 'Moves the lead.',
        parameters: {
          type: 'object',
          properties: { status_id: { type: 'string', enum: STAGES } },
          required: ['status_id'],
        },
      },
    },
    {
      type: 'function',
      function: {
        name: 'hand_over',
        description: 'Calls a person.',
        parameters: { type: 'object', properties: { reason: { type: 'string' } } },
      },
    },
  ],
};

export const SECOND_STAGE = STAGES[1] ?? '';

/** A conversation that continues after calls of tools and their results. */
export const told = (words: string, ...results: string[]) =>
  chat(words, {
    ...OWN_TOOLS,
    messages: [
      ...chat(words).messages,
      ...results.flatMap((content, index) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: `call_${index}`, type: 'function', function: { name: 'move_lead', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: `call_${index}`, content },
      ]),
    ],
  });

/** What a stream said, put together. */
export interface Streamed {
  /** Each event's JSON, without the one that ends the stream. */
  chunks: any[];
  text: string;
  calls: { id: string; name: string; arguments: string }[];
  finish: string | null;
  isDone: boolean;
}

/** Asks a model as any client of OpenAI's would, with nothing of the service between. */
export class ChatClient {
  /** @param url with /v1 */
  constructor(private readonly url: string) {}

  post(body: object | string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  }

  async json(body: object | string): Promise<any> {
    return (await this.post(body)).json();
  }

  async stream(body: object): Promise<Streamed> {
    const response = await this.post({ ...body, stream: true });
    return readStream(await response.text());
  }
}

function readStream(whole: string): Streamed {
  const events = whole.split('\n\n').filter((event) => event !== '');
  const chunks = events.filter((event) => event !== 'data: [DONE]').map(parseEvent);
  const streamed: Streamed = {
    chunks,
    text: '',
    calls: [],
    finish: null,
    isDone: events.at(-1) === 'data: [DONE]',
  };
  for (const { choices } of chunks)
    for (const { delta, finish_reason: finish } of choices) {
      streamed.text += delta.content ?? '';
      streamed.finish = finish ?? streamed.finish;
      for (const { index, id, function: made } of delta.tool_calls ?? []) {
        const call = (streamed.calls[index] ??= { id, name: made.name, arguments: '' });
        call.arguments += made.arguments;
      }
    }
  return streamed;
}

const parseEvent = (event: string): any => JSON.parse(event.replace(/^data: /, ''));
