import type {
  ChannelConnection,
  FileToGive,
  GivenFile,
} from '@app/domain/messages/dispatch/message-sender.port';
import { StandInProvider, UNUSABLE } from '../../../../test/support/stand-ins/provider.stand-in';
import { MediaGoneError } from '@app/domain/media/media.errors';
import { StoreUnavailableError } from '@app/domain/media/media-store.port';
import { CloudFileUpload } from './cloud-file-upload';

const TOKEN = 'EAABsecretTokenOfOurs';
const CONNECTION: ChannelConnection = {
  ...{ accountId: 'a', botId: 'b', channel: 'waba_coexistence', sender: '100000000000001' },
  ...{ settings: {}, credential: TOKEN },
};

const fileOf = (...chunks: string[]): FileToGive => ({
  ...{ name: 'Прайс "1".pdf', mimeType: 'application/pdf', size: chunks.join('').length, link: null },
  open: () => Promise.resolve(bytesOf(chunks)),
  requireBytes: () => Promise.resolve(),
});

async function* bytesOf(chunks: readonly string[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
}

let standIn: StandInProvider;

beforeAll(async () => {
  standIn = await StandInProvider.open();
});
beforeEach(() => standIn.reset());
afterAll(() => standIn.close());

const upload = (file = fileOf('%PDF-', '1.4'), milliseconds = 1_000): Promise<GivenFile> =>
  new CloudFileUpload(`${standIn.url}/graph`, 'v26.0').upload(
    CONNECTION,
    file,
    AbortSignal.timeout(milliseconds),
  );

it('gives the file as a form of a known length, and answers with Meta’s id', async () => {
  standIn.answer(200, { id: '1037543291543636' });
  expect(await upload()).toEqual({
    kind: 'given',
    media: { id: '1037543291543636', filename: 'Прайс "1".pdf' },
  });
  const [{ method, url, headers, body }] = standIn.ledger as [(typeof standIn.ledger)[number]];
  expect([method, url, headers.authorization]).toEqual([
    'POST',
    '/graph/v26.0/100000000000001/media',
    `Bearer ${TOKEN}`,
  ]);
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
  const form = await new Response(body, {
    headers: { 'content-type': headers['content-type'] ?? '' },
  }).formData();
  expect([form.get('messaging_product'), form.get('type')]).toEqual(['whatsapp', 'application/pdf']);
  const file = form.get('file') as File;
  expect([file.name, file.type, await file.text()]).toEqual(['Прайс "1".pdf', 'application/pdf', '%PDF-1.4']);
});

it.each(Object.keys(UNUSABLE))('fails after %s, and may be tried again', async (name) => {
  standIn.behave = UNUSABLE[name]!;
  expect(await upload(undefined, 300)).toMatchObject({
    kind: 'failed',
    code: 'PROVIDER_ERROR',
    isFinal: false,
  });
  expect(standIn.ledger).toHaveLength(1);
});

it('fails for good where Meta refuses the file, in its words and without our token', async () => {
  standIn.answer(400, { error: { code: 131053, message: `Media upload error ${TOKEN}` } });
  const refused = await upload();
  expect(refused).toMatchObject({ kind: 'failed', isFinal: true, providerCode: 131053 });
  expect(JSON.stringify(refused)).not.toContain(TOKEN);
});

it('says when to come again where Meta asks for a pause', async () => {
  standIn.answer(429, { error: { code: 80007, message: 'Slow down' } }, { 'retry-after': '7' });
  expect(await upload()).toMatchObject({ kind: 'failed', isFinal: true, retryAfterSeconds: 7 });
});

it('throws what our own store says, which is no fault of the provider', async () => {
  const gone = new MediaGoneError();
  await expect(upload({ ...fileOf('1234'), open: () => Promise.reject(gone) })).rejects.toBe(gone);
  const broken = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from('12'));
    throw Object.assign(new Error('the disk broke'), { code: 'EIO' });
  };
  const half = upload({ ...fileOf('1234'), open: () => Promise.resolve(broken()) });
  await expect(half).rejects.toThrow(StoreUnavailableError);
  expect(standIn.ledger).toEqual([]);
});

it('fails where our own bytes are not as many as announced', async () => {
  expect(await upload({ ...fileOf('1234'), size: 3 })).toMatchObject({ kind: 'failed', isFinal: false });
  expect(await upload({ ...fileOf('1234'), size: 5 })).toMatchObject({ kind: 'failed', isFinal: false });
  expect(standIn.ledger).toEqual([]);
});

it('fails where nothing listens', async () => {
  const gone = await StandInProvider.open();
  const { url } = gone;
  await gone.close();
  const uploads = new CloudFileUpload(url, 'v26.0');
  expect(await uploads.upload(CONNECTION, fileOf('x'), AbortSignal.timeout(1_000))).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('ECONNREFUSED') as string,
  });
});
