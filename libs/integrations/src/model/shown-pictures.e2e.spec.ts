import { MODEL_REQUEST, replied, setStandInModel } from '../../../../test/support/stand-ins/model.stand-in';
import { saying } from '../../../../test/support/stand-ins/completion.script';

const model = setStandInModel();
const PICTURE = `data:image/jpeg;base64,${Buffer.from('a picture').toString('base64')}`;
const SHOWING = {
  messages: [
    ...MODEL_REQUEST.messages,
    { role: 'user' as const, text: '[image 0123abcd] A picture came. It is attached.', images: [PICTURE] },
  ],
};

interface Sent {
  messages: { role: string; content: unknown }[];
}

const sent = (): Sent[] => model.endpoint.ledger.map(({ body }) => JSON.parse(body) as Sent);

/** Refuses pictures, as servers do. */
function refusePictures(status: number, words: string): void {
  model.endpoint.behave = (response, { body }) => {
    if (body.includes('image_url')) response.writeHead(status).end(words);
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(saying('I cannot see it.'));
  };
}

beforeEach(() => model.fresh());

it('a picture goes beside the words, as a data address', async () => {
  model.endpoint.answer(200, saying('A cat.'), { 'content-type': 'text/event-stream' });
  expect(await model.ask(SHOWING)).toEqual(replied('A cat.'));
  expect(sent()[0]?.messages.at(-1)).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: '[image 0123abcd] A picture came. It is attached.' },
      { type: 'image_url', image_url: { url: PICTURE } },
    ],
  });
  expect(
    sent()[0]
      ?.messages.slice(1, -1)
      .every(({ content }) => typeof content === 'string'),
  ).toBe(true);
});

it.each([
  [
    'OpenAI',
    400,
    '{"error":{"message":"Invalid content type. image_url is only supported by certain models."}}',
  ],
  ['DeepSeek', 422, 'Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`'],
  ['vLLM', 400, '{"message":"llama-3 is not a multimodal model"}'],
  ['llama.cpp', 500, '{"error":{"message":"image input is not supported - hint: provide the mmproj"}}'],
  ['Fireworks', 400, '{"error":{"message":"Cannot preprocess image len(combined_imgs) = 1"}}'],
  ['a strict gateway', 422, '{"detail":[{"loc":["body","messages",1,"content"],"msg":"str type expected"}]}'],
])(
  '%s refuses pictures: the model is told in words, and nothing is asked twice again',
  async (_, status, words) => {
    refusePictures(status, words);
    expect(await model.ask(SHOWING)).toEqual(replied('I cannot see it.'));
    const [refused, taken] = sent();
    expect(JSON.stringify(refused)).toContain('image_url');
    expect(taken?.messages.at(-1)?.content).toBe('[image 0123abcd] A picture came. It is attached.');
    expect(taken?.messages[0]).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/You sell teeth[^]*could not be shown to you/) as unknown,
    });
    await model.ask(SHOWING);
    expect(model.endpoint.ledger).toHaveLength(3);
    await model.ask();
    expect(JSON.stringify(sent().at(-1))).not.toContain('could not be shown');
  },
);

it('another model of the same server is asked with pictures', async () => {
  refusePictures(400, 'image_url is not supported');
  await model.ask(SHOWING);
  await model.ask({ ...SHOWING, model: 'one-that-sees' });
  expect(sent().map((body) => JSON.stringify(body).includes('image_url'))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it.each([
  [
    'OpenAI',
    '{"error":{"message":"You uploaded an unsupported image. Please make sure your image is valid."}}',
  ],
  ['a limit of bytes', '{"error":{"message":"messages.1.content.1.image: image exceeds 5 MB maximum"}}'],
  [
    'a content filter',
    '{"error":{"code":"content_filter","message":"The image was blocked by our policy."}}',
  ],
  ['vLLM', '{"message":"At most 1 image(s) may be provided in one request."}'],
  ['a server that cannot decode it', '{"error":"failed to decode image"}'],
])('%s refuses one picture: the next one is shown again', async (_, words) => {
  refusePictures(400, words);
  expect(await model.ask(SHOWING)).toEqual(replied('I cannot see it.'));
  await model.ask(SHOWING);
  expect(sent().map((body) => JSON.stringify(body).includes('image_url'))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('a model without a system role gets the rules before the words of the same message', async () => {
  model.endpoint.behave = (response, { body }) => {
    if (body.includes('"system"')) response.writeHead(400).end('System role not supported');
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).end(saying('A cat.'));
  };
  const only = { messages: [{ role: 'user' as const, text: '[image 1] A picture.', images: [PICTURE] }] };
  expect(await model.ask(only)).toEqual(replied('A cat.'));
  expect(sent()[1]?.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: expect.stringContaining('You sell teeth') as unknown },
        { type: 'text', text: '[image 1] A picture.' },
        { type: 'image_url', image_url: { url: PICTURE } },
      ],
    },
  ]);
});

it('a server that fails for a moment is not taken to refuse pictures', async () => {
  refusePictures(500, 'Internal error');
  expect(await model.ask(SHOWING)).toMatchObject({ kind: 'failed', mayRetry: true });
  expect(model.endpoint.ledger).toHaveLength(1);
});
