import { Readable } from 'node:stream';
import { TranscriptionFailedError, type Recording } from '@app/domain/media/transcriber.port';
import {
  StandInProvider,
  UNUSABLE,
  type SeenRequest,
} from '../../../../test/support/stand-ins/provider.stand-in';
import { OpenAiTranscriber } from './openai-transcriber';

const KEY = 'sk-very-secret';
let server: StandInProvider;
let transcriber: OpenAiTranscriber;

const recordingOf = (bytes: Buffer, mimeType = 'audio/ogg'): Recording => ({
  ...{ mimeType, size: bytes.length },
  open: () => Promise.resolve(Readable.from([bytes.subarray(0, 3), bytes.subarray(3)])),
});
const NOTE = recordingOf(Buffer.from('OggS and more'));

const ask = (recording = NOTE, signal = new AbortController().signal) =>
  transcriber.transcribe(recording, signal);

const failure = (recording?: Recording): Promise<TranscriptionFailedError> =>
  ask(recording).then(
    (heard) => {
      throw new Error(`it heard ${JSON.stringify(heard)}`);
    },
    (error: TranscriptionFailedError) => error,
  );

/** The fields of a form, and its file's name. */
async function formOf({ headers, body }: SeenRequest): Promise<Record<string, string>> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, value instanceof File ? `${value.name} ${value.type}` : value]),
  );
}

beforeAll(async () => {
  server = await StandInProvider.open();
});

beforeEach(() => {
  server.reset();
  transcriber = new OpenAiTranscriber({ baseUrl: `${server.url}/v1`, apiKey: KEY, name: 'whisper-1' });
});

afterEach(() => transcriber.onApplicationShutdown());
afterAll(() => server?.close());

it('asks once, with the fields before the file, by its length, and under a name that servers take', async () => {
  server.answer(200, { text: 'Two cups.', language: 'english' });
  expect(await ask()).toEqual({ text: 'Two cups.', language: 'en' });
  expect(server.ledger).toHaveLength(1);
  const [request] = server.ledger;
  expect(request).toMatchObject({
    ...{ method: 'POST', url: '/v1/audio/transcriptions' },
    headers: { authorization: `Bearer ${KEY}`, 'content-length': String(request?.body.length) },
  });
  expect(request?.headers).not.toHaveProperty('transfer-encoding');
  expect(Object.entries(await formOf(request!))).toEqual([
    ['model', 'whisper-1'],
    ['response_format', 'verbose_json'],
    ['file', 'audio.ogg audio/ogg'],
  ]);
});

it.each([
  ['audio/mpeg', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/aac', 'm4a'],
  ['audio/amr', 'mp3'],
  ['audio/3gpp', 'mp4'],
])('a file of type %s goes as .%s', async (type, ending) => {
  server.answer(200, { text: 'Two cups.' });
  await ask(recordingOf(Buffer.from('bytes'), type));
  expect((await formOf(server.ledger[0]!)).file).toBe(`audio.${ending} ${type}`);
});

it.each([
  ['/v1/audio/transcriptions', '/v1/audio/transcriptions'],
  ['/deployments/w/audio/transcriptions?api-version=1', '/deployments/w/audio/transcriptions?api-version=1'],
  ['/v1/', '/v1/audio/transcriptions'],
])('an address %s is called at %s', async (path, called) => {
  server.answer(200, { text: 'Two cups.' });
  const whole = new OpenAiTranscriber({ baseUrl: `${server.url}${path}`, apiKey: null, name: 'w' });
  await whole.transcribe(NOTE, new AbortController().signal);
  await whole.onApplicationShutdown();
  expect(server.ledger[0]?.url).toBe(called);
  expect(server.ledger[0]?.headers).not.toHaveProperty('authorization');
});

it('a server that refuses verbose_json is asked for json, and remembered once it has taken that', async () => {
  server.behave = (response, { body }) => {
    const isVerbose = body.includes('verbose_json');
    response.writeHead(isVerbose ? 400 : 200).end(isVerbose ? '{"error":{}}' : '{"text":"Two cups."}');
  };
  expect(await ask()).toEqual({ text: 'Two cups.', language: null });
  await ask();
  expect(server.ledger.map(({ body }) => body.includes('verbose_json'))).toEqual([true, false, false]);
});

it('a server that refuses the audio itself is not remembered', async () => {
  server.answer(400, { error: { message: 'Audio file might be corrupted or unsupported' } });
  expect(await failure()).toMatchObject({ mayRetry: false });
  server.reset();
  server.answer(200, { text: 'Two cups.' });
  await ask();
  expect(server.ledger[0]?.body).toContain('verbose_json');
});

it.each([
  [413, false],
  [401, false],
  [302, false],
  [429, true],
  [500, true],
  [503, true],
])('a status %i may pass: %s', async (status, mayRetry) => {
  server.answer(status, `what was said, and ${KEY}`, { 'retry-after': '7', location: '/elsewhere' });
  const { message, ...error } = await failure();
  expect(error).toMatchObject({ mayRetry, retryAfterMs: 7_000 });
  expect(message).toBe(`the server answered with the status ${status}`);
  expect(server.ledger).toHaveLength(1);
});

it.each(['a reset', 'an end without a word', 'a head without its body', 'no HTTP at all'])(
  '%s may pass',
  async (fault) => {
    server.behave = UNUSABLE[fault]!;
    expect(await failure()).toMatchObject({ mayRetry: true });
  },
);

it.each(['garbage', 'an empty 200', '100 MB'])('%s is a failure, without an end in sight', async (fault) => {
  server.behave = UNUSABLE[fault]!;
  expect(await failure()).toBeInstanceOf(TranscriptionFailedError);
});

it('bytes that cannot be opened are a failure of their own, and leave no connection', async () => {
  const gone = new TranscriptionFailedError('its bytes are gone', false);
  expect(await failure({ ...NOTE, open: () => Promise.reject(gone) })).toBe(gone);
  expect(server.ledger).toEqual([]);
});

it('an abort ends the request at once', async () => {
  server.behave = UNUSABLE['no answer']!;
  const stopping = new AbortController();
  const asked = ask(NOTE, stopping.signal);
  await new Promise((resolve) => setImmediate(resolve));
  stopping.abort();
  await expect(asked).rejects.toThrow(TranscriptionFailedError);
});

it('without a model nobody is asked', async () => {
  const none = new OpenAiTranscriber(null);
  expect(none.isOn).toBe(false);
  await expect(none.transcribe(NOTE, new AbortController().signal)).rejects.toThrow(/no model/);
});
