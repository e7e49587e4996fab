import { isObject } from '@app/contracts/json-object';

type Body = Record<string, unknown>;

interface Message {
  role: string;
  content?: unknown;
}

/** Statuses by which servers refuse a part of a request. */
const REFUSES_PART = new Set([400, 404, 415, 422, 501]);

/** What a server refuses in a request, and the request without it. */
export interface Quirk {
  /** Of the words of its refusal. */
  words: RegExp;
  /** A further status by which it is refused. */
  status?: number;
  /** Whether the request has what is refused. */
  isIn: (body: Body) => boolean;
  without: (body: Body) => Body;
  /** What is known by the refusal: about the server, unless it says otherwise; of these `contents` alone, the next request has them again. */
  isOf?: 'model' | 'contents';
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

interface ContentPart {
  type?: string;
  text?: string;
}

const partsOf = ({ content }: Message): ContentPart[] =>
  Array.isArray(content) ? (content as ContentPart[]).filter(isObject) : [];

const hasPictures = (message: Message): boolean => partsOf(message).some(({ type }) => type === 'image_url');

/** The system's words become the beginning of the customer's first message. */
function withoutSystem(body: Body): Body {
  const messages = messagesOf(body);
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => String(content));
  const [first, ...rest] = messages.filter(({ role }) => role !== 'system');
  if (first?.role !== 'user') {
    const content = system.join('\n\n');
    return { ...body, messages: [{ role: 'user', content }, ...(first ? [first, ...rest] : [])] };
  }
  const content = Array.isArray(first.content)
    ? [{ type: 'text', text: system.join('\n\n') }, ...partsOf(first)]
    : [...system, String(first.content)].join('\n\n');
  return { ...body, messages: [{ ...first, content }, ...rest] };
}

const UNSEEN =
  'The pictures that are said to be attached could not be shown to you. You cannot see them: never guess what is on them.';

/** The customer's words without pictures, which the system's words take back. */
function withoutPictures(body: Body): Body {
  const messages = messagesOf(body).map((message) =>
    hasPictures(message)
      ? {
          ...message,
          content: partsOf(message)
            .flatMap(({ text }) => text ?? [])
            .join('\n'),
        }
      : message,
  );
  const [first, ...rest] = messages;
  return first?.role === 'system' || first?.role === 'user'
    ? { ...body, messages: [{ ...first, content: told(first) }, ...rest] }
    : { ...body, messages };
}

const told = ({ role, content }: Message): string =>
  role === 'system' ? `${String(content)}\n\n${UNSEEN}` : `${UNSEEN}\n\n${String(content)}`;

/** Schemas without the keywords that only strict servers know. */
function loose(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(loose);
  if (!isObject(value)) return value;
  const { additionalProperties: _, strict: __, $schema: ___, ...rest } = value;
  return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, loose(inner)]));
}

const SHOWS_PICTURES: Pick<Quirk, 'isIn' | 'without' | 'status'> = {
  isIn: (body) => messagesOf(body).some(hasPictures),
  without: withoutPictures,
  // llama.cpp: "image input is not supported - hint: … you may need to provide the mmproj".
  status: 500,
};
const OFFERS_TOOLS: Pick<Quirk, 'isIn' | 'without'> = {
  isIn: (body) => toolsOf(body).length > 0,
  without: ({ tools: _, tool_choice: __, ...body }) => body,
};

/**
 * How servers say that a model takes no pictures at all. The model is not shown any until the process ends, so these are
 * narrow: whatever else speaks of pictures is a refusal of those of one request.
 */
const TAKES_NO_PICTURES = new RegExp(
  [
    // "… does not support images", but not "… images larger than 5 MB", and not "… image format HEIC".
    String.raw`(?:not|n['’]t) support\w* (?:any |the )?(?:\bimages?(?:_url)?\b(?![/ ]*(?:larger|bigger|smaller|over|above|below|with|of|from|in|formats?|types?|sizes?|files?|\w+/)\b)|vision|visual|multi-?modal)`,
    // "This model does not accept images", but not "… did not accept the image".
    String.raw`(?:do(?:es)?(?: not|n['’]t)|can(?:not|['’]t)) (?:accept|take) (?:any )?(?:images|image (?:inputs?|contents?)|image_url)\b(?! (?:larger|bigger|smaller|over|above|below|beyond|exceeding|that|which|with|without|of|from|in|as)\b)`,
    String.raw`\b(?:images|image_url|image (?:inputs?|contents?)(?: modality)?|vision|multi-?modal(?: \w+)?)['"\x60]? (?:(?:is|are) (?:currently )?not (?:supported|enabled|available|allowed)|not (?:supported|enabled))\b`,
    String.raw`\bnot (?:an? )?(?:vision|visual|multi-?modal)\b`,
    // OpenAI: "image_url is only supported by certain models".
    String.raw`image_url\W{0,3} is only supported by`,
    // "Unknown content part type: image_url", but not "… type: image/heic".
    String.raw`un(?:supported|known|recognized|expected) content(?: part)?(?: type)?\W{1,4}image(?:_url|\b(?!\/))`,
    String.raw`unknown variant \W{0,2}image|invalid value: \W?image(?:_url)?\b`,
    String.raw`\bonly (?:the )?\W?text\W?(?: \w+)* (?:is|are) (?:supported|accepted|allowed)|\bonly (?:supports?|accepts?|takes?) text\b`,
    // OpenRouter, Ollama, vLLM, llama.cpp, Fireworks.
    String.raw`no endpoints found that support image|missing data required for image|at most 0 image|mmproj|combined_imgs`,
    // Strict gateways take a message's content as text alone.
    String.raw`\bcontent\b.{0,80}\b(?:str(?:ing)? type expected|(?:be|expected)(?: an?)?(?: valid)? str(?:ing)?\b)|sequence, expected a string`,
  ].join('|'),
  'is',
);

/** How servers say that a model knows no tools. Else one call that went wrong would take them from all accounts. */
const KNOWS_NO_TOOLS = new RegExp(
  [
    String.raw`(?:not|n['’]t) support\w* (?:any |the )?(?:\btools?\b|function)`,
    String.raw`\b(?:tools?|function)(?:[ _-]?(?:use|calls?|calling|choice))?['"\x60]? (?:is|are) (?:currently )?not (?:supported|enabled|available|allowed)`,
    String.raw`(?:unsupported|unknown|unrecognized|unexpected)[^.]{0,40}\btools\b`,
    String.raw`no endpoints found that support tool|enable-auto-tool-choice|\btools"?\]?,?.{0,20}extra inputs`,
  ].join('|'),
  'is',
);

/**
 * Known from public reports of servers and from their source: the first that fits the refusal and the request is
 * tried. The narrow ones come first.
 */
export const QUIRKS: Readonly<Record<string, Quirk>> = {
  // Azure and OpenAI: "Unsupported parameter: 'max_tokens' … Use 'max_completion_tokens' instead."
  newLimit: renamed('max_tokens', 'max_completion_tokens', /max_completion_tokens/i),
  // Older gateways: "Unrecognized request argument supplied: max_completion_tokens".
  oldLimit: renamed('max_completion_tokens', 'max_tokens', /max_completion_tokens/i),
  pictures: { ...SHOWS_PICTURES, words: TAKES_NO_PICTURES, isOf: 'model' },
  // OpenAI: "unsupported image. Please make sure your image is valid"; Gemini: "Unable to process input image. Please retry".
  thesePictures: { ...SHOWS_PICTURES, words: /image|\b(?:vision|visual|multi-?modal)\b/i, isOf: 'contents' },
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
  tools: { ...OFFERS_TOOLS, words: KNOWS_NO_TOOLS, isOf: 'model' },
  // Groq: "tool call validation failed".
  theseTools: { ...OFFERS_TOOLS, words: /\btools?\b|function.call/i, isOf: 'contents' },
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
  /** Models of one server differ in what they take. */
  private readonly knownOf = new Map<unknown, Set<string>>();

  /** The names of what a new request leaves out from the beginning. */
  begin({ model }: Body): Set<string> {
    return new Set([...this.known, ...(this.knownOf.get(model) ?? [])]);
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
   * @param refusal its status and its words
   * @returns the name of what was refused; null: nothing that could be left out
   */
  find(
    body: Body,
    { status, words }: { status: number; words: string },
    names: ReadonlySet<string>,
  ): string | null {
    const found = Object.entries(QUIRKS).find(
      ([name, quirk]) =>
        !names.has(name) &&
        (REFUSES_PART.has(status) || status === quirk.status) &&
        quirk.words.test(words) &&
        quirk.isIn(body),
    );
    return found ? found[0] : null;
  }

  /** Only of a request that was taken: a refusal may speak of tools because the customer does. */
  remember(names: ReadonlySet<string>, { model }: Body): void {
    for (const name of names) {
      const of = QUIRKS[name]?.isOf ?? 'server';
      if (of === 'server') this.known.add(name);
      if (of === 'model') this.knownOf.set(model, (this.knownOf.get(model) ?? new Set()).add(name));
    }
  }
}
