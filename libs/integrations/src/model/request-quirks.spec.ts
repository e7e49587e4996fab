import { QUIRKS, RequestQuirks } from './request-quirks';

const CALLING = {
  model: 'm',
  tools: [{ type: 'function', function: { name: 'note', parameters: {} } }],
  messages: [{ role: 'user', content: 'Hello' }],
};
const SHOWING = {
  model: 'm',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:' } },
      ],
    },
  ],
};

type Afterwards = 'never left out' | 'sent again' | 'sent no more';

/** What becomes of a part of a request when a server refuses it once and then takes the request without it. */
function afterRefusal(body: { model: string }, status: number, words: string): Afterwards {
  const quirks = new RequestQuirks();
  const names = quirks.begin(body);
  const found = quirks.find(body, { status, words }, names);
  if (found === null) return 'never left out';
  names.add(found);
  expect(quirks.fit(body, names)).not.toEqual(body);
  quirks.remember(names, body);
  expect(quirks.begin({ ...body, model: 'another' })).toEqual(new Set());
  return quirks.begin(body).size === 0 ? 'sent again' : 'sent no more';
}

/** What a server refuses: its words, the request, and what it is asked instead. */
interface Refused {
  words: string;
  asked: Record<string, unknown>;
  instead: Record<string, unknown>;
}

const SYSTEM = { role: 'system', content: 'You sell.' };
const USER = { role: 'user', content: 'Hello' };
const tool = (parameters: object, more: object = {}): object => ({
  type: 'function',
  function: { name: 'note', parameters, ...more },
});

const REFUSED: Readonly<Record<string, Refused>> = {
  newLimit: {
    words:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    asked: { max_tokens: 9 },
    instead: { max_completion_tokens: 9 },
  },
  oldLimit: {
    words: 'Unrecognized request argument supplied: max_completion_tokens',
    asked: { max_completion_tokens: 9 },
    instead: { max_tokens: 9 },
  },
  noLimit: {
    words: 'max_tokens: Extra inputs are not permitted',
    asked: { max_tokens: 9 },
    instead: {},
  },
  streamOptions: {
    words: 'Unrecognized request argument supplied: stream_options',
    asked: { stream: true, stream_options: { include_usage: true } },
    instead: { stream: true },
  },
  parallelCalls: {
    words: "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
    asked: { parallel_tool_calls: false, tools: [tool({})] },
    instead: { tools: [tool({})] },
  },
  temperature: {
    words:
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    asked: { temperature: 0.2 },
    instead: {},
  },
  strictSchemas: {
    words: `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
    asked: {
      tools: [
        tool(
          {
            $schema: 'http://json-schema.org/draft-07/schema#',
            properties: { at: { type: 'object', additionalProperties: false } },
            additionalProperties: false,
          },
          { strict: true },
        ),
      ],
    },
    instead: { tools: [tool({ properties: { at: { type: 'object' } } })] },
  },
  toolChoice: {
    words: 'The tool_choice parameter does not support being set to none in thinking mode',
    asked: { tool_choice: 'none', tools: [tool({})] },
    instead: { tools: [tool({})] },
  },
  tools: {
    words: 'registry.ollama.ai/library/gemma3:4b does not support tools',
    asked: { tool_choice: 'auto', tools: [tool({})] },
    instead: {},
  },
  theseTools: {
    words: "tool call validation failed: attempted to call tool 'notes' which was not in request.tools",
    asked: { tool_choice: 'auto', tools: [tool({})] },
    instead: {},
  },
  pictures: {
    words: 'image_url is only supported by certain models.',
    asked: SHOWING,
    instead: {
      model: 'm',
      messages: [{ role: 'user', content: expect.stringMatching(/never guess.+See$/s) }],
    },
  },
  thesePictures: {
    words: 'You uploaded an unsupported image. Please make sure your image is valid.',
    asked: SHOWING,
    instead: {
      model: 'm',
      messages: [{ role: 'user', content: expect.stringMatching(/never guess.+See$/s) }],
    },
  },
  systemRole: {
    words: 'System role not supported',
    asked: { messages: [SYSTEM, USER] },
    instead: { messages: [{ role: 'user', content: 'You sell.\n\nHello' }] },
  },
};

describe('what a server may refuse', () => {
  it('has a case each', () => {
    expect(Object.keys(REFUSED).sort()).toEqual(Object.keys(QUIRKS).sort());
  });

  it.each(Object.entries(REFUSED))('is found by its words and left out: %s', (name, { words, ...bodies }) => {
    const quirks = new RequestQuirks();
    const found = quirks.find(bodies.asked, { status: 400, words }, new Set());
    expect(found).toBe(name);
    const instead = quirks.fit(bodies.asked, new Set([name]));
    expect(instead).toEqual(bodies.instead);
    expect(quirks.find(bodies.asked, { status: 500, words: 'Internal error' }, new Set())).toBeNull();
  });

  it.each(Object.entries(QUIRKS))(
    'is remembered for the server, or for what it is of: %s',
    (name, { isOf }) => {
      const quirks = new RequestQuirks();
      quirks.remember(new Set([name]), { model: 'm' });
      const isKnown = ['m', 'another'].map((model) => quirks.begin({ model }).has(name));
      expect(isKnown).toEqual([isOf !== 'contents', isOf === undefined]);
    },
  );

  it('under both names of the limit is a limit at all', () => {
    const quirks = new RequestQuirks();
    const names = new Set<string>();
    const bodies = ['newLimit', 'oldLimit', 'noLimit'].map((name) => {
      const { words } = REFUSED[name]!;
      const found = quirks.find(quirks.fit({ max_tokens: 9 }, names), { status: 400, words }, names);
      names.add(found ?? 'nothing');
      return quirks.fit({ max_tokens: 9 }, names);
    });
    expect(bodies).toEqual([{ max_completion_tokens: 9 }, { max_tokens: 9 }, {}]);
  });
});

describe('pictures', () => {
  it.each([
    [400, 'Invalid content type. image_url is only supported by certain models.'],
    [422, 'Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`'],
    [400, 'llama-3 is not a multimodal model'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    [400, 'Cannot preprocess image len(combined_imgs) = 1'],
    [400, 'At most 0 image(s) may be provided in one request.'],
    [404, 'No endpoints found that support image input'],
    [400, "This model doesn't support the image content block"],
    [400, 'The model does not support vision'],
    [400, 'this model does not support images'],
    [400, 'Image input modality is not enabled for models/gemma-3-1b-it'],
    [500, 'this model is missing data required for image input'],
    [400, 'Unsupported content type: image_url'],
    [400, "content type 'image_url' is not supported"],
    [400, "Invalid value: 'image_url'. Supported values are: 'text'."],
    [400, 'image input not supported'],
    [400, 'image_url not supported'],
    [400, 'Unknown content part type: image_url'],
    [400, 'This model does not accept images'],
    [422, "Unrecognized content type: 'image'"],
    [400, "The model can't take image inputs"],
    [400, 'Only text is supported'],
    [400, 'This model only supports text input'],
    [422, '{"detail":[{"loc":["body","messages",1,"content"],"msg":"str type expected"}]}'],
    [
      422,
      '{"detail":[{"type":"string_type","loc":["body","messages",0,"content"],"msg":"Input should be a valid string"}]}',
    ],
    [400, "Invalid type for 'messages[1].content': expected a string, but got an array instead."],
    [400, "'content' must be a string"],
    [400, 'invalid type: sequence, expected a string at line 1 column 90'],
  ])('are shown to the model no more where it takes none: %i %s', (status, words) => {
    expect(afterRefusal(SHOWING, status, words)).toBe('sent no more');
  });

  it.each([
    [
      400,
      'Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    ],
    [400, 'cannot identify image file <_io.BytesIO object at 0x7f>'],
    [
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens, 1105 of them image tokens.",
    ],
    [400, 'You uploaded an unsupported image. Please make sure your image is valid.'],
    [400, 'messages.1.content.1.image: image exceeds 5 MB maximum'],
    [400, 'The image was blocked by our policy.'],
    [400, 'At most 1 image(s) may be provided in one request.'],
    [400, 'At most 10 image(s) may be provided in one request.'],
    [400, 'This model does not support images larger than 2,048 px'],
    [400, 'The model does not support image format HEIC'],
    [400, 'image/heic is not supported'],
    [400, 'Unknown content type: image/heic'],
    [400, 'This model does not accept images larger than 5 MB'],
    [400, 'This model does not accept images that exceed 20 megapixels'],
    [400, 'The server did not accept the image: it is too large'],
    [400, 'The image cannot be decoded'],
    [400, 'Image too large'],
    [400, 'Image format not supported'],
    [400, 'image_url not available: the download failed'],
    [400, 'This image is not supported'],
    [400, 'Invalid image_url: could not be fetched'],
    [500, 'CUDA out of memory while the image was encoded'],
    [500, 'The vision encoder is overloaded'],
  ])('are shown again with the next request where these were refused: %i %s', (status, words) => {
    expect(afterRefusal(SHOWING, status, words)).toBe('sent again');
  });

  it.each([
    [500, 'You have reached your provisioned capacity'],
    [400, 'Invalid division of the request'],
    [500, 'Internal error'],
    [503, 'The image model is overloaded'],
    [400, 'messages[3].tool_calls[0].function.arguments: expected a string, but got an object'],
  ])('are left where the refusal is about something else: %i %s', (status, words) => {
    expect(afterRefusal(SHOWING, status, words)).toBe('never left out');
  });
});

describe('tools', () => {
  it.each([
    [400, 'registry.ollama.ai/library/gemma3:4b does not support tools'],
    [404, 'No endpoints found that support tool use'],
    [400, 'tools is not supported in this model'],
    [400, 'Function calling is not enabled for models/gemma-3-27b-it'],
    [400, 'Unsupported parameter: tools'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [
      422,
      '{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}',
    ],
  ])('are offered to the model no more where it knows none: %i %s', (status, words) => {
    expect(afterRefusal(CALLING, status, words)).toBe('sent no more');
  });

  it.each([
    [400, "tool call validation failed: attempted to call tool 'notes' which was not in request.tools"],
    [400, 'Failed to parse tool call arguments as JSON'],
    [400, 'This request has too many tokens: 9,000 of messages, 400 of tools'],
  ])('are offered again with the next request where this one was refused: %i %s', (status, words) => {
    expect(afterRefusal(CALLING, status, words)).toBe('sent again');
  });
});
