import { isObject } from '@app/contracts/json.object';

type Body = Record<string, unknown>;

interface Message {
  role: string;
  content?: unknown;
}

/** What a server refuses in a request, and the request without it. */
interface Quirk {
  /** Of the words of its refusal. */
  words: RegExp;
  /** Whether the request has what is refused. */
  isIn: (body: Body) => boolean;
  without: (body: Body) => Body;
}

const field = (name: string, words: RegExp): Quirk => ({
  words,
  isIn: (body) => name in body,
  without: ({ [name]: _, ...body }) => body,
});

const renamed = (from: string, to: string, words: RegExp): Quirk => ({
  words,
  isIn: (body) => from in body,
  without: ({ [from]: value, ...body }) => ({ ...body, [to]: value }),
});

const messagesOf = ({ messages }: Body): Message[] =>
  Array.isArray(messages) ? (messages as Message[]) : [];
const toolsOf = ({ tools }: Body): Body[] => (Array.isArray(tools) ? tools.filter(isObject) : []);

/** The system's words become the beginning of the customer's first message. */
function withoutSystem(body: Body): Body {
  const messages = messagesOf(body);
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => String(content));
  const [first, ...rest] = messages.filter(({ role }) => role !== 'system');
  const isUser = first?.role === 'user' && typeof first.content === 'string';
  const content = [...system, ...(isUser ? [first.content] : [])].join('\n\n');
  return {
    ...body,
    messages: [{ role: 'user', content }, ...(isUser ? rest : first ? [first, ...rest] : [])],
  };
}

/** Schemas without the keywords that only strict servers know. */
function loose(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loose);
  if (!isObject(value)) return value;
  const { additionalProperties: _, strict: __, $schema: ___, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, loose(inner)]));
}

/**
 * Known from public reports of servers and from their source: the first that fits the refusal and the request is
 * tried. The narrow ones come first.
 */
const QUIRKS: Readonly<Record<string, Quirk>> = {
  // Azure and OpenAI: "Unsupported parameter: 'max_tokens' … Use 'max_completion_tokens' instead."
  newLimit: renamed('max_tokens', 'max_completion_tokens', /max_completion_tokens/i),
  // Older gateways: "Unrecognized request argument supplied: max_completion_tokens".
  oldLimit: renamed('max_completion_tokens', 'max_tokens', /max_completion_tokens/i),
  noLimit: field('max_tokens', /max_tokens/i),
  streamOptions: field('stream_options', /stream_options/i),
  parallelCalls: field('parallel_tool_calls', /parallel_tool_calls/i),
  temperature: field('temperature', /temperature/i),
  strictSchemas: {
    words: /additionalProperties|\bstrict\b|\$schema/i,
    isIn: (body) => /"(?:additionalProperties|strict|\$schema)":/.test(JSON.stringify(toolsOf(body))),
    without: (body) => ({ ...body, tools: loose(toolsOf(body)) }),
  },
  toolChoice: field('tool_choice', /tool_choice|tool choice/i),
  // Ollama: "… does not support tools".
  tools: {
    words: /\btools?\b|function.call/i,
    isIn: (body) => toolsOf(body).length > 0,
    without: ({ tools: _, tool_choice: __, ...body }) => body,
  },
  // Templates of Gemma and of old Mistral: "System role not supported", "roles must alternate".
  systemRole: {
    words: /\bsystem\b|roles? must alternate|only user(?:,| and) assistant/i,
    isIn: (body) => messagesOf(body).some(({ role }) => role === 'system'),
    without: withoutSystem,
  },
};

/** What a server has refused so far, for all further requests to it. */
export class RequestQuirks {
  private readonly known = new Set<string>();

  /** The names of what a new request leaves out from the beginning. */
  begin(): Set<string> {
    return new Set(this.known);
  }

  /** A request without what the names say. */
  fit(body: Body, names: ReadonlySet<string>): Body {
    let fitted = body;
    for (const name of names) {
      const quirk = QUIRKS[name];
      if (quirk?.isIn(fitted)) fitted = quirk.without(fitted);
    }
    return fitted;
  }

  /**
   * @param body as it was sent, without what the names say
   * @param words of the refusal
   * @returns the name of what was refused; null: nothing that could be left out
   */
  find(body: Body, words: string, names: ReadonlySet<string>): string | null {
    const found = Object.entries(QUIRKS).find(
      ([name, quirk]) => !names.has(name) && quirk.words.test(words) && quirk.isIn(body),
    );
    return found ? found[0] : null;
  }

  /** Only of a request that was taken: a refusal may speak of tools because the customer does. */
  remember(names: ReadonlySet<string>): void {
    for (const name of names) this.known.add(name);
  }
}
