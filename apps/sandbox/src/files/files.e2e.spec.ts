import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../../test/support/eventually';
import { CLOUD, GUPSHUP, setSandboxScene } from '../../../../test/support/scenes/sandbox.scene';
import { sampleOf } from './file-kinds';

const scene = setSandboxScene({ readAfterMs: null });

const bearer = { authorization: `Bearer ${CLOUD.token}` };
const graph = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${scene.sandbox.url}/v26.0/${path}`, { headers: bearer, redirect: 'manual', ...init });

const json = async (answer: Response): Promise<any> => answer.json();

async function upload(bytes: Buffer, type: string, name = 'a.bin'): Promise<{ status: number; body: any }> {
  const form = new FormData();
  form.set('messaging_product', 'whatsapp');
  form.set('type', type);
  form.set('file', new File([new Uint8Array(bytes)], name, { type }));
  const answer = await graph(`${CLOUD.sender}/media`, { method: 'POST', body: form });
  return { status: answer.status, body: await answer.json() };
}

const write = (act: object, sender: string, phone: string): { id: string } =>
  scene.sandbox.customer.write({ sender, phone, ...act });

const cloudInbound = (id: string): Promise<any> =>
  scene.receiver.until(
    () =>
      scene.receiver
        .changes()
        .flatMap(({ value }) => (value.messages ?? []) as { id: string }[])
        .find((message) => message.id === id),
    'the webhook of the message',
  );

const gupshupInbound = (id: string): Promise<any> =>
  scene.receiver.until(
    () => scene.receiver.bodies().find(({ payload }) => payload?.id === id),
    'the event of the message',
  );

/** The last message of a chat, as the phone shows it. */
const lastShown = async (sender: string, phone: string): Promise<any> => {
  const query = new URLSearchParams({ sender, phone }).toString();
  const answer = await fetch(`${scene.sandbox.url}/handset/api/chat?${query}`);
  const { messages } = (await answer.json()) as { messages: unknown[] };
  return messages.at(-1);
};

describe('files at Meta', () => {
  it('are uploaded, described with an address, fetched with the token, and deleted', async () => {
    const { bytes } = sampleOf('document');
    const { status, body } = await upload(bytes, 'application/pdf', 'price.pdf');
    expect({ status, id: typeof body.id }).toEqual({ status: 200, id: 'string' });
    const told = await json(await graph(body.id));
    expect(told).toEqual({
      messaging_product: 'whatsapp',
      url: expect.stringContaining('/whatsapp_business/attachments/?mid='),
      mime_type: 'application/pdf',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      file_size: String(bytes.length),
      id: body.id,
    });
    const got = await fetch(told.url, { headers: bearer });
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await fetch(told.url)).status).toBe(401);
    const expired = String(told.url).replace(/ext=\d+/, 'ext=1');
    expect((await fetch(expired, { headers: bearer })).status).toBe(404);
    const id = body.id as string;
    expect(await json(await graph(id, { method: 'DELETE' }))).toEqual({ success: true });
    expect((await graph(body.id)).status).toBe(400);
  });

  it.each([
    ['of a type that WhatsApp does not take', Buffer.from('PK'), 'application/zip', 100],
    ['of no bytes', Buffer.alloc(0), 'image/png', 131053],
    ['one byte over the limit of its kind', Buffer.alloc(5 * 1024 * 1024 + 1), 'image/png', 131053],
  ])('are refused where they are %s', async (_what, bytes, type, code) => {
    const { status, body } = await upload(bytes, type);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code });
  });

  it('reach the phone by their id, with caption and name, and not by the id of nothing', async () => {
    const phone = '+77010000021';
    write({ text: 'Здравствуйте' }, CLOUD.sender, phone);
    const { body } = await upload(sampleOf('document').bytes, 'application/pdf');
    const send = (content: object) =>
      scene.cloud({ messaging_product: 'whatsapp', to: phone, type: 'document', document: content });
    expect((await send({ id: body.id, caption: 'Цены', filename: 'цены.pdf' })).status).toBe(200);
    const shown = await lastShown(CLOUD.sender, phone);
    expect(shown).toMatchObject({ media: 'document', text: 'Цены', file: { name: 'цены.pdf' } });
    const file = await fetch(`${scene.sandbox.url}/handset/api/files/${shown.file.id}`);
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect((await send({ id: '123' })).status).toBe(400);
    const sticker = { id: body.id, caption: 'no' };
    expect(
      (await scene.cloud({ messaging_product: 'whatsapp', to: phone, type: 'sticker', sticker })).status,
    ).toBe(400);
  });
});

describe("a customer's file", () => {
  it.each([
    ['image', 'image', { caption: 'Вот' }],
    ['video', 'video', { caption: 'Вот' }],
    ['audio', 'audio', { voice: false }],
    ['voice', 'audio', { voice: true, mime_type: 'audio/ogg; codecs=opus' }],
    ['document', 'document', { filename: 'document.pdf', caption: 'Вот' }],
    ['sticker', 'sticker', { animated: false }],
  ])('of the kind %s comes by both providers and can be fetched', async (kind, type, payload) => {
    const caption = 'caption' in payload ? 'Вот' : undefined;
    const { id } = write({ file: { kind, caption } }, CLOUD.sender, '+77010000022');
    const inbound = await cloudInbound(id);
    expect(inbound).toMatchObject({ type, [type]: payload });
    const told = await json(await graph(inbound[type].id));
    const fromMeta = Buffer.from(await (await fetch(told.url, { headers: bearer })).arrayBuffer());
    const hash = createHash('sha256').update(fromMeta).digest('base64');
    expect(hash).toBe(inbound[type].sha256);

    const other = write({ file: { kind, caption } }, GUPSHUP.sender, '+77010000022');
    const event = await gupshupInbound(other.id);
    const gupshupType = kind === 'document' ? 'file' : type;
    expect(event.payload).toMatchObject({
      type: gupshupType,
      payload: { url: expect.stringContaining(scene.sandbox.url), ...(caption && { caption }) },
    });
    const fromGupshup = await fetch(event.payload.payload.url);
    expect(Buffer.from(await fromGupshup.arrayBuffer()).equals(fromMeta)).toBe(true);
  });

  it('can be sent as bytes, and with a fault of its provider for a number of times', async () => {
    const query = new URLSearchParams({
      sender: GUPSHUP.sender,
      phone: '+77010000023',
      kind: 'image',
      act: 'missing',
      act_times: '1',
    });
    const bytes = sampleOf('image').bytes;
    const answer = await fetch(`${scene.sandbox.url}/handset/api/files?${query.toString()}`, {
      method: 'POST',
      body: new Uint8Array(bytes),
    });
    const { id }: any = await answer.json();
    const event = await gupshupInbound(id);
    const { url } = event.payload.payload;
    expect((await fetch(url)).status).toBe(404);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  it.each(['cut', 'overstated', 'reset'])('breaks off where its provider does %s', async (act) => {
    const { id } = write({ file: { kind: 'image', act } }, CLOUD.sender, '+77010000024');
    const inbound = await cloudInbound(id);
    const told = await json(await graph(inbound.image.id));
    await expect(fetch(told.url, { headers: bearer }).then((got) => got.arrayBuffer())).rejects.toThrow();
  });

  it('is refused with an unknown kind or fault', async () => {
    for (const file of [{ kind: 'gif' }, { kind: 'image', act: 'no' }, { kind: 'image', act_times: 0 }]) {
      const answer = await fetch(`${scene.sandbox.url}/handset/api/messages`, {
        method: 'POST',
        body: JSON.stringify({ sender: CLOUD.sender, phone: '+77010000025', file }),
      });
      expect(answer.status).toBe(400);
    }
  });
});

describe('files that Gupshup fetches', () => {
  let host: Server;
  let address: string;

  beforeAll(async () => {
    host = createServer(({ url }, response) => {
      if (url === '/photo')
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(sampleOf('image').bytes);
      else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
      else if (url === '/large')
        response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.alloc(5 * 1024 * 1024 + 1));
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  });

  afterAll(() => host.close());

  const send = async (phone: string, path: string) => {
    write({ text: 'x' }, GUPSHUP.sender, phone);
    const message = JSON.stringify({ type: 'image', originalUrl: `${address}${path}`, caption: 'Фото' });
    expect((await scene.gupshup('msg', { destination: phone.slice(1), message })).status).toBe(200);
  };
  const untilShown = (phone: string, isSo: (message: any) => boolean): Promise<any> =>
    eventually(
      async () => {
        const last = (await lastShown(GUPSHUP.sender, phone)) as unknown;
        return isSo(last) && last;
      },
      8_000,
      'the message on the phone',
    );

  it('are on the phone after that', async () => {
    await send('+77010000031', '/photo');
    const shown = await untilShown('+77010000031', ({ state }) => state === 'delivered');
    expect(shown).toMatchObject({ text: 'Фото', file: { mime_type: 'image/jpeg' } });
  });

  it.each([
    ['+77010000032', '/nothing', 1010],
    ['+77010000033', '/page', 131053],
    ['+77010000034', '/large', 1011],
  ])('fail later: %s %s', async (phone, path, code) => {
    await send(phone, path);
    const shown = await untilShown(phone, ({ state }) => state === 'failed');
    expect(shown).toMatchObject({ error_code: code, file: null });
  });
});
