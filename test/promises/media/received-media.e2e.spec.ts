import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { image, opus, padded, PDF } from '../../support/media.samples';
import { QUICK_READERS } from '../../support/programs/test.limits';
import { setMediaScene } from '../../support/scenes/media.scene';
import { CloudNumber, postGupshup } from '../../support/stand-ins/cloud.webhooks';

/** Readers have little time. */
const scene = setMediaScene({ environment: QUICK_READERS });
const inLongMode = IS_LONG ? it : () => undefined;

const MIB = 1024 * 1024;

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A picture whose webhook Gupshup passes on as Meta sent it (version 3). */
async function passedOnByGupshup(id: string, url: string | undefined) {
  const { number, files, server, account } = scene;
  files.files.set(id, { bytes: await image('png') });
  const content = { type: 'image', image: { id, url, mime_type: 'image/png', caption: 'Вот' } };
  const { value } = number.message({ phone: '77015550102' }, content, { id: `wamid.${id}` });
  const entry = [{ id: '800000000000001', changes: [{ field: 'messages', value }] }];
  await postGupshup(server, account.botId, { object: 'whatsapp_business_account', entry });
  await scene.taken();
  const message = await scene.messageOf(`wamid.${id}`);
  return { message, media: (state: string) => scene.mediaIn(state, message) };
}

beforeAll(() => scene.account.connect('waba'));

describe('a file that a customer sends', () => {
  it('is fetched, described, and read whole', async () => {
    const bytes = await image('jpeg', 120, 80);
    const messageId = await scene.sendFile({ type: 'image', bytes, mimeType: 'image/jpeg', caption: 'Вот' });
    const media = await scene.mediaIn('stored', messageId);
    expect(media).toEqual({
      id: expect.any(String) as string,
      ...{ kind: 'image', mime_type: 'image/jpeg', file_name: null, size: bytes.length },
      ...{ width: 120, height: 80, seconds: null, sha256: sha256Of(bytes), state: 'stored' },
      transcript: null,
      url: `/api/v1/messages/media/${media.id}`,
    });
    const { data: message } = (await scene.api.getMessage(messageId)).body;
    expect(message).toMatchObject({ type: 'image', text: 'Вот', media });
    const listed = await scene.api.getMessages({ thread_id: message.thread_id });
    expect(listed.body.data.messages).toContainEqual(expect.objectContaining({ media }));
    const threads = await scene.api.getThreads({ messages_limit: 5 });
    expect(threads.body.data.threads[0].messages).toContainEqual(expect.objectContaining({ media }));
    const answer = await scene.read(media.url);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename=image-${media.id}.jpg`,
      'accept-ranges': 'bytes',
      etag: `"${media.sha256}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'private, no-cache',
    });
  });

  it('that is a voice message is one, and its length is known', async () => {
    const voice = { type: 'audio', voice: true, mimeType: 'audio/ogg; codecs=opus', bytes: opus(7.2) };
    expect(await scene.stored(voice)).toMatchObject({ kind: 'voice', mime_type: 'audio/ogg', seconds: 8 });
  });

  it('by Gupshup in Meta’s format is fetched by its address, not by its id', async () => {
    const { message, media } = await passedOnByGupshup('photo-1', `${scene.files.url}/bytes/photo-1`);
    expect(await media('stored')).toMatchObject({ kind: 'image', mime_type: 'image/png' });
    expect(scene.files.asked('photo-1').map(({ path }) => path)).toEqual(['/bytes/photo-1']);
    expect((await scene.api.getMessage(message)).body.data.text).toBe('Вот');
  });

  it('by Gupshup without an address has failed at once', async () => {
    const { media } = await passedOnByGupshup('photo-2', undefined);
    const { id } = await media('failed');
    const { rows } = await scene.database.pool.query('SELECT error, attempts FROM media WHERE id = $1', [id]);
    expect(rows).toEqual([{ error: expect.stringContaining('address') as string, attempts: 0 }]);
    expect(scene.files.asked('photo-2')).toEqual([]);
  });

  it('has a preview if it is an image, and 422 if not', async () => {
    const media = await scene.stored({ type: 'image', bytes: await image('png', 1_600, 900) });
    const preview = await scene.read(`${media.url}?preview=1`);
    expect(preview.headers.get('content-type')).toBe('image/webp');
    const { default: sharp } = await import('sharp');
    const size = await sharp(Buffer.from(await preview.arrayBuffer())).metadata();
    expect(size).toMatchObject({ format: 'webp', width: 640, height: 360 });
    const pdf = await scene.stored({ bytes: PDF });
    const refused = await scene.read(`${pdf.url}?preview=1`);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ error: { code: 'MEDIA_NO_PREVIEW' } });
  });

  it('is read in parts and not again when it is known', async () => {
    const { url, sha256 } = await scene.stored({ bytes: Buffer.from('0123456789') });
    const part = async (range: string, more = {}) => {
      const answer = await scene.read(url, { range, ...more });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', '']);
    expect(await part('bytes=2-4', { 'if-range': '"other"' })).toEqual([200, null, '0123456789']);
    expect(await part('bytes=2-4', { 'if-range': `"${sha256}"` })).toEqual([206, 'bytes 2-4/10', '234']);
    const again = await scene.read(url, { 'if-none-match': `"${sha256}"` });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is read to its end only by who takes it fast enough in all', async () => {
    const { url } = await scene.uploaded({ bytes: padded(PDF, 32 * MIB) });
    const { hostname, port } = new URL(scene.server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.once('readable', () => undefined);
    socket.write(`GET ${url} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${scene.manyCallsKey}\r\n\r\n`);
    let taken = 0;
    const taking = setInterval(() => (taken += (socket.read() as Buffer | null)?.length ?? 0), 60);
    try {
      await eventually(async () => socket.destroyed || socket.readableEnded, 25_000, 'it is still served');
      expect(taken).toBeGreaterThan(0);
      expect(taken).toBeLessThan(32 * MIB);
    } finally {
      clearInterval(taking);
      socket.destroy();
    }
  });
});

describe('a file of a customer', () => {
  it('that is larger than WhatsApp takes of its kind is kept all the same', async () => {
    const bytes = padded(await image('jpeg'), 5 * MIB + 1);
    const kept = { kind: 'image', size: bytes.length, sha256: sha256Of(bytes) };
    expect(await scene.stored({ type: 'image', bytes })).toMatchObject(kept);
  });

  inLongMode('may have 100 MiB, and with a byte more it has failed for good', async () => {
    const largest = padded(PDF, 100 * MIB);
    const message = await scene.sendFile({ bytes: largest, size: null });
    const larger = await scene.sendFile({ bytes: padded(PDF, 100 * MIB + 1), size: null });
    const media = await scene.mediaIn('stored', message, 40_000);
    expect(media).toMatchObject({ size: 100 * MIB, sha256: sha256Of(largest) });
    const { url } = await scene.mediaIn('failed', larger, 40_000);
    expect((await scene.read(url)).status).toBe(410);
  });

  it('that has no bytes is kept as an empty document', async () => {
    const empty = { type: 'image', bytes: Buffer.alloc(0), mimeType: 'image/jpeg' };
    const media = await scene.stored(empty);
    expect(media).toMatchObject({ kind: 'document', mime_type: 'application/octet-stream', size: 0 });
    const answer = await scene.read(media.url);
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '0',
      '',
    ]);
    expect((await scene.read(media.url, { range: 'bytes=0-' })).status).toBe(416);
  });

  it('has a name of characters alone, without folders, by either provider', async () => {
    const given = { bytes: PDF, fileName: '../a\0b/𝒜\ud800\u202e\0😀.pdf' };
    const { message, event } = scene.gupshupFileOf(given);
    await scene.tellGupshup(event);
    for (const id of [await scene.sendFile(given), await scene.messageOf(message)])
      expect(await scene.mediaIn('stored', id)).toMatchObject({
        kind: 'document',
        file_name: '𝒜\ufffd\ufffd😀.pdf',
      });
  });
});

it('a file for which the account has no room is downloaded once, and again when there is room', async () => {
  const account = await AccountFixture.create(scene.database.pool);
  const key = await account.addKey({ limitLeads: 100_000, limitGeneral: 100_000 });
  const setQuota = (sql: string) =>
    scene.database.pool.query(`UPDATE accounts SET media_quota_bytes = ${sql} WHERE id = $1`, [account.id]);
  await scene.uploaded({ bytes: PDF }, key);
  await setQuota('(SELECT bytes FROM media_usage WHERE account_id = $1)');
  const number = new CloudNumber(await account.connect());
  const { id, message, change } = scene.fileOf({ bytes: Buffer.alloc(100_000, 1) }, number);
  await scene.tell(change);
  const messageId = await scene.messageOf(message);
  /** Has it tried again at once. @returns how often it was tried in vain. */
  const tries = async (): Promise<number> => {
    const { rows } = await scene.database.pool.query<{ attempts: number }>(
      `UPDATE media SET due_at = clock_timestamp()
        WHERE account_id = $1 AND state = 'loading' AND lease_token IS NULL RETURNING attempts`,
      [account.id],
    );
    return rows[0]?.attempts ?? 0;
  };
  const downloads = () => scene.files.asked(id).filter(({ path }) => path.startsWith('/bytes/')).length;
  await eventually(async () => (await tries()) >= 3, 30_000, 'it was not tried again');
  expect(downloads()).toBe(1);
  await setQuota('NULL');
  await tries();
  expect(await scene.mediaIn('stored', messageId, 30_000, key)).toMatchObject({ size: 100_000 });
  expect(downloads()).toBe(2);
});
