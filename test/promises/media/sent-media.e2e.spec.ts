import { randomUUIDv7 } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Channel } from '@app/contracts/message.words';
import { bytesOfAnswer } from '../../support/clients/answer.bytes';
import { AccountFixture, CREDENTIAL } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { image, opus, PDF } from '../../support/media.samples';
import { setMediaScene, type ShownMedia } from '../../support/scenes/media.scene';

const scene = setMediaScene({
  environment: { PROVIDER_TIMEOUT_MS: '4000', PUBLIC_URL: 'https://leadline.example' },
});
beforeAll(() => scene.account.connect('waba'));
let phone = 77_015_560_000;

const openDialog = async (): Promise<{ phone: string; threadId: string }> => {
  const digits = String((phone += 1));
  return {
    phone: `+${digits}`,
    threadId: await scene.account.addThread({ phone: `+${digits}`, waitingMinutes: 1 }),
  };
};
const sendsTo = (to: string) => scene.files.sends.filter((message) => message.to === to);
const messagesOf = async (threadId: string): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE thread_id = $1',
    [uuidOf(threadId)],
  );
  return rows[0]?.n ?? 0;
};
const api = () => scene.apiAt(0, scene.manyCallsKey);

describe('a file with a caption', () => {
  it('is given to Meta once and sent by its id once, and the message shows it', async () => {
    const { phone: to, threadId } = await openDialog();
    const bytes = await image('jpeg', 50, 40);
    const media = await scene.uploaded({ bytes, name: 'Дом \\"1\\".jpg' });
    const { status, body } = await api().sendFile(threadId, media.id, 'Вот фото');
    expect([status, body.data]).toMatchObject([200, { thread_id: threadId, status: 'sent' }]);
    const given = scene.files.taken.at(-1)!;
    expect(given).toMatchObject({
      name: 'Дом "1".jpg',
      authorization: `Bearer ${CREDENTIAL}`,
      fields: { messaging_product: 'whatsapp', type: 'image/jpeg' },
      type: 'image/jpeg',
    });
    expect(given.bytes).toEqual(bytes);
    expect(sendsTo(to)).toEqual([
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to,
        biz_opaque_callback_data: body.data.id,
        type: 'image',
        image: { id: given.id, caption: 'Вот фото' },
      },
    ]);
    const { data: message } = (await api().getMessage(body.data.id)).body;
    expect(message).toMatchObject({
      role: 'OPERATOR',
      type: 'image',
      text: 'Вот фото',
      status: 'sent',
      media,
    });
    const listed = await api().getMessages({ thread_id: threadId });
    expect(listed.body.data.messages).toContainEqual(expect.objectContaining({ media }));
    expect((await api().getLead(threadId)).body.data.message_handler).toBe('OPERATOR');
  });

  it('is sent as a document with its name', async () => {
    const { phone: to, threadId } = await openDialog();
    const media = await scene.uploaded({ bytes: PDF, name: 'Прайс.pdf' });
    const { body } = await api().sendFile(threadId, media.id, 'Цены');
    expect(body).toMatchObject({ ok: true, data: { status: 'sent' } });
    const { id } = scene.files.taken.at(-1)!;
    const document = { id, caption: 'Цены', filename: 'Прайс.pdf' };
    expect(sendsTo(to)).toMatchObject([{ type: 'document', document }]);
    expect((await api().getMessage(body.data.id)).body.data).toMatchObject({ text: 'Цены', media });
  });

  it('of a customer is passed on to another, and a voice message stays one', async () => {
    const { phone: to, threadId } = await openDialog();
    const bytes = opus(4);
    const voice = { type: 'audio', voice: true, mimeType: 'audio/ogg; codecs=opus', bytes };
    const received = await scene.stored(voice);
    const { body } = await api().sendFile(threadId, received.id);
    expect(body.ok).toBe(true);
    const given = scene.files.taken.at(-1)!;
    expect(given.bytes).toEqual(bytes);
    expect(sendsTo(to)).toMatchObject([{ type: 'audio', audio: { id: given.id, voice: true } }]);
    expect((await api().getMessage(body.data.id as string)).body.data).toMatchObject({ text: '' });
  });
});

describe('nothing is stored or sent', () => {
  const refused = async (media: unknown, text: unknown, expected: object): Promise<void> => {
    const { phone: to, threadId } = await openDialog();
    const { body } = await api().sendFile(threadId, media, text);
    expect(body.error).toMatchObject(expected);
    expect([sendsTo(to).length, await messagesOf(threadId)]).toEqual([0, 0]);
    expect((await api().getLead(threadId)).body.data.message_handler).toBe('AI');
  };
  const invalid = (path: string) => ({ status: 422, code: 'VALIDATION_ERROR', details: [{ path }] });

  it('without text and file, or with an empty id', async () => {
    await refused(undefined, undefined, invalid('text'));
    await refused('', 'text', invalid('media_id'));
  });

  it('with a caption of a voice message, or of more than 1,024 characters', async () => {
    await refused((await scene.uploaded({ bytes: opus(2) })).id, 'words', invalid('text'));
    await refused((await scene.uploaded({ bytes: PDF })).id, 'я'.repeat(1_025), invalid('text'));
  });

  it('with a file of another account, byte for byte as with one that does not exist', async () => {
    const foreign = await AccountFixture.create(scene.database.pool);
    const theirs = await scene.uploaded({ bytes: PDF }, foreign.key);
    const { threadId } = await openDialog();
    const unattached = await scene.account.addKey({
      assistantIds: [await scene.account.addAssistant()],
      botIds: [],
    });
    const missing = bytesOfAnswer(await api().sendFile(threadId, randomUUIDv7(), 'words'));
    expect(missing).toContain('MEDIA_NOT_FOUND');
    for (const id of [theirs.id, 'malformed', `${theirs.id} `])
      expect(bytesOfAnswer(await api().sendFile(threadId, id, 'words'))).toBe(missing);
    const { body } = await scene.apiAt(0, unattached).sendFile(threadId, theirs.id);
    expect(body.error.code).toBe('THREAD_NOT_FOUND');
  });

  it('with a file that is gone, or still comes', async () => {
    const gone = await scene.uploaded({ bytes: PDF });
    await scene.database.pool.query(
      `UPDATE media SET state = 'gone', sha256 = NULL, size = NULL, mime_type = NULL WHERE id = $1`,
      [gone.id],
    );
    await refused(gone.id, undefined, { status: 410, code: 'MEDIA_GONE' });
    const message = await scene.sendFile({ bytes: PDF, behave: () => undefined });
    const loading = await scene.mediaIn('loading', message);
    await refused(loading.id, undefined, { status: 409, code: 'MEDIA_LOADING' });
  });

  it('where the provider does not take the file, and its words are passed on', async () => {
    const { id } = await scene.uploaded({ bytes: PDF });
    const error = {
      error: { message: 'Unsupported type', code: 100, error_data: { details: 'No such type' } },
    };
    scene.files.uploadFaults.push((response) => void response.writeHead(400).end(JSON.stringify(error)));
    await refused(id, 'words', { status: 502, code: 'PROVIDER_ERROR' });
    expect(scene.files.uploadFaults).toEqual([]);
  });

  it('where its answer to the file is lost twice', async () => {
    const { id } = await scene.uploaded({ bytes: PDF });
    const lose = (response: { destroy(): unknown }) => void response.destroy();
    scene.files.uploadFaults.push(lose, lose);
    await refused(id, 'words', { status: 502, code: 'PROVIDER_ERROR' });
    expect(scene.files.uploadFaults).toEqual([]);
  });

  it('where the agent was taken from the caller while the file was given', async () => {
    const { phone: to, threadId } = await openDialog();
    const key = await scene.account.addKey();
    const { id } = await scene.uploaded({ bytes: PDF }, key);
    const caller = scene.apiAt(0, key);
    const takeAway = async (): Promise<void> => {
      const begun = performance.now();
      await scene.database.pool.query(
        `UPDATE api_keys SET assistant_ids = ARRAY[$1::uuid] WHERE key_hash = sha256(convert_to($2, 'UTF8'))`,
        [await scene.account.addAssistant(), key],
      );
      const isTaken = async () =>
        (await caller.getLead(threadId)).status === 404 && performance.now() - begun > 1_000;
      await eventually(isTaken, 5_000, 'it still sees the dialog');
    };
    scene.files.uploadFaults.push(
      (response) => void takeAway().finally(() => response.writeHead(503).end('<html>')),
    );
    const { status, body } = await caller.sendFile(threadId, id, 'words');
    expect([status, body.error?.code]).toEqual([404, 'THREAD_NOT_FOUND']);
    expect([sendsTo(to).length, await messagesOf(threadId)]).toEqual([0, 0]);
  });
});

describe('a provider that fails', () => {
  it('is given the file again after a lost answer, and asked to send it once', async () => {
    const { phone: to, threadId } = await openDialog();
    const { id } = await scene.uploaded({ bytes: PDF });
    const before = scene.files.taken.length;
    scene.files.uploadFaults.push((response) => void response.writeHead(503).end('<html>'));
    expect((await api().sendFile(threadId, id)).body).toMatchObject({ ok: true, data: { status: 'sent' } });
    expect([scene.files.taken.length - before, sendsTo(to).length]).toEqual([1, 1]);
  });

  it('and whose answer to the message is lost, leaves it unknown and is not asked again', async () => {
    const { phone: to, threadId } = await openDialog();
    const { id } = await scene.uploaded({ bytes: PDF });
    scene.files.sendFaults.push((response) => void response.destroy());
    const { status, body } = await api().sendFile(threadId, id, 'words');
    expect([status, body.error.code]).toEqual([502, 'PROVIDER_ERROR']);
    const { rows } = await scene.database.pool.query<{ status: string; media_id: string }>(
      'SELECT status, media_id FROM messages WHERE thread_id = $1',
      [uuidOf(threadId)],
    );
    expect(rows).toEqual([{ status: 'unknown', media_id: id }]);
    // What waits at the number goes out before what comes later.
    expect((await api().sendFile((await openDialog()).threadId, id)).status).toBe(200);
    expect(sendsTo(to)).toHaveLength(1);
  });
});

describe('a disk that takes or gives no files', () => {
  const UNAVAILABLE = { ok: false, error: { code: 'UNAVAILABLE', status: 503 } };
  const CHANNELS = ['waba_coexistence', 'waba'] as const;

  /** As root, a folder that is a file is the fault that can be had anywhere. */
  async function withFileAt(path: string, act: () => Promise<void>): Promise<void> {
    await rm(path, { recursive: true, force: true });
    await writeFile(path, '');
    try {
      await act();
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Nothing was stored or sent, and no takeover began. */
  async function nothingSent(channel: Channel, media: ShownMedia, expected: object): Promise<Headers> {
    const threadId = await scene.account.addThread({ channel, waitingMinutes: 1 });
    const [given, sent] = [scene.files.taken.length, scene.files.sends.length];
    const { body, headers } = await api().sendFile(threadId, media.id, 'Цены');
    expect([channel, body]).toMatchObject([channel, expected]);
    expect([scene.files.taken.length, scene.files.sends.length]).toEqual([given, sent]);
    const { rows } = await scene.database.pool.query('SELECT 1 FROM messages WHERE media_id = $1', [
      media.id,
    ]);
    expect(rows).toEqual([]);
    expect((await api().getLead(threadId)).body.data.message_handler).toBe('AI');
    return headers;
  }

  it('where files come in, or are kept, makes uploads 503 until it does again', async () => {
    for (const place of ['.incoming', scene.account.id]) {
      await withFileAt(join(scene.folder, place), async () => {
        const refused = await scene.uploads().upload({ bytes: PDF });
        expect([place, refused.body]).toMatchObject([place, UNAVAILABLE]);
        expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      });
      expect([place, (await scene.uploads().upload({ bytes: PDF })).status]).toEqual([place, 200]);
    }
  });

  it('makes reading and sending 503', async () => {
    const media = await scene.uploaded({ bytes: PDF });
    await withFileAt(join(scene.folder, scene.account.id), async () => {
      const read = await scene.read(media.url);
      expect([read.status, await read.json()]).toMatchObject([503, UNAVAILABLE]);
      for (const channel of CHANNELS) {
        const headers = await nothingSent(channel, media, UNAVAILABLE);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
    });
  });

  it('that has lost a file makes sending it 410', async () => {
    const media = await scene.uploaded({ bytes: Buffer.concat([PDF, Buffer.from('lost')]) });
    const [path = ''] = (await scene.keptFiles()).filter((kept) => kept.endsWith(media.sha256 ?? '-'));
    await rm(path);
    for (const channel of CHANNELS)
      await nothingSent(channel, media, { ok: false, error: { code: 'MEDIA_GONE', status: 410 } });
  });
});
