import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel } from '@app/contracts/message.words';
import { fileLinks } from '../../../apps/server/src/media/file.links';
import { UploadClient } from '../../support/clients/upload.client';
import { newPhone } from '../../support/scenes/send.scene';
import { setSandboxSendingScene } from '../../support/scenes/sandbox-sending.scene';
import { SECRETS } from '../../support/programs/server.process';
import { image, MP3, opus, PDF } from '../../support/media.samples';

const folder = mkdtempSync(join(tmpdir(), 'leadline-media-'));
const scene = setSandboxSendingScene({ environment: { MEDIA_DIR: folder } });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILES = [
  ['image', () => image('jpeg'), 'фото.jpg', 'Фото'],
  ['document', () => PDF, 'Прайс.pdf', 'Цены'],
  ['audio', () => MP3, 'a.mp3', undefined],
  ['voice', () => opus(2), 'a.ogg', undefined],
  ['sticker', () => image('webp'), 'a.webp', undefined],
] as const;

const upload = async (bytes: Buffer, name: string) =>
  (await new UploadClient(scene.server.url, { 'X-API-Key': scene.account.key }).upload({ bytes, name })).body
    .data.media as { id: string };

const sendTo = async (channel: Channel, mediaId: string, text?: string) => {
  const phone = newPhone();
  const threadId = await scene.customerWrites(channel, phone);
  return { phone, threadId, answer: await scene.api.sendFile(threadId, mediaId, text) };
};

describe.each<Channel>(['waba_coexistence', 'waba'])('by %s', (channel) => {
  it.each(FILES)('%s reaches the customer’s phone as it was uploaded', async (kind, make, name, text) => {
    const bytes = await make();
    const { id } = await upload(bytes, name);
    const { phone, answer } = await sendTo(channel, id, text);
    expect(answer.body).toMatchObject({ ok: true, data: { status: 'sent' } });
    await scene.untilStatus(answer.body.data.id, ['delivered', 'read']);
    const message = (await scene.chatOf(channel, phone)).at(-1);
    // As the provider calls it: Gupshup has no voice messages.
    const media = (channel === 'waba' && { document: 'file', voice: 'audio' }[kind as string]) || kind;
    expect(message).toMatchObject({ media, text: text ?? '', file: { size: bytes.length } });
    expect(await scene.fileOnPhone(message?.file?.id ?? '')).toEqual(bytes);
  });
});

describe('the address that Gupshup gets', () => {
  const linkTo = (id: string, now?: () => number): string =>
    fileLinks(scene.server.url, SECRETS.SESSION_SECRET, now).linkOf({ accountId: scene.account.id, id }) ??
    '';
  const read = (address: string) => fetch(address);

  it('needs no key and is the file, but only while it is kept', async () => {
    const bytes = await image('png');
    const { id } = await upload(bytes, 'a.png');
    const answer = await read(linkTo(id));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    await scene.database.pool.query(
      `UPDATE media SET state = 'gone', sha256 = NULL, size = NULL, mime_type = NULL WHERE id = $1`,
      [id],
    );
    expect((await read(linkTo(id))).status).toBe(410);
  });

  it('ends after an hour', async () => {
    const { id } = await upload(PDF, 'a.pdf');
    const agoMs = (minutes: number) => () => Date.now() - minutes * 60_000;
    expect((await read(linkTo(id, agoMs(59)))).status).toBe(200);
    expect((await read(linkTo(id, agoMs(60)))).status).toBe(404);
  });

  it('is of no use when anything of it is changed', async () => {
    const { id } = await upload(PDF, 'a.pdf');
    const address = linkTo(id);
    const token = address.split('/').at(-1) ?? '';
    const changed = [...token].map(
      (letter, at) => `${token.slice(0, at)}${letter === 'A' ? 'Q' : 'A'}${token.slice(at + 1)}`,
    );
    for (const other of [
      ...changed,
      'x',
      token.slice(1),
      `${token}A`,
      encodeURIComponent(`${token}\u0000`),
    ]) {
      const refused = await read(address.replace(token, other));
      expect([other, refused.status]).toEqual([other, 404]);
      expect(await refused.json()).toMatchObject({ error: { code: 'MEDIA_NOT_FOUND' } });
    }
  });

  it('is not kept with the message', async () => {
    const { id } = await upload(PDF, 'a.pdf');
    const { answer } = await sendTo('waba', id);
    const { rows } = await scene.database.pool.query<{ kept: string }>(
      'SELECT row_to_json(m)::text AS kept FROM messages m WHERE id = $1',
      [answer.body.data.id],
    );
    expect(rows[0]?.kept).not.toContain('/files/');
  });
});
