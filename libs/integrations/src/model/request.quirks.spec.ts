import { RequestQuirks } from './request.quirks';

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
