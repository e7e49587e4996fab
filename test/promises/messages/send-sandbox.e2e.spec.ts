import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAGIC_NUMBERS, type MagicName } from '@app/contracts/magic-numbers';
import type { Channel } from '@app/contracts/message.words';
import type { BatchResult } from '@app/domain/messages/batches/batch-answer.presenter';
import { fileLinks } from '../../../apps/server/src/media/file-links';
import { UploadClient } from '../../support/clients/upload.client';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { CLOUD_SENDER, setSandboxSendingScene, VISIT_ID } from '../../support/scenes/sandbox-sending.scene';
import { newPhone, newPhones } from '../../support/scenes/send.scene';
import { image, MP3, opus, PDF } from '../../support/media.samples';
import { SECRETS } from '../../support/programs/server.process';

const MANY = IS_LONG ? 500 : 30;
const ARRIVED = ['delivered', 'read'];

const folder = mkdtempSync(join(tmpdir(), 'leadline-media-'));
const scene = setSandboxSendingScene({ environment: { PROVIDER_TIMEOUT_MS: '3000', MEDIA_DIR: folder } });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const taken = (channel: Channel, phone: string) =>
  scene.sandbox.ledger
    .list({ phone })
    .filter((entry) => entry.channel === channel && entry.outcome.startsWith('taken'));

describe('by Gupshup', () => {
  it('one message arrives once, with its values in their order, and its states come as events', async () => {
    const phone = newPhone();
    const to = { phone, params: ['Айгуль', 'в 15:30'] };
    const { status, body } = await scene.send('waba', to, { template_id: VISIT_ID });
    expect([status, body.data.status, body.data.phone]).toEqual([200, 'sent', phone]);
    expect(body.data.message_id).toMatch(/\S/);
    await scene.untilStatus(body.data.id, ['read']);
    expect(taken('waba', phone)).toHaveLength(1);
    expect(JSON.stringify(taken('waba', phone))).toContain('Здравствуйте, Айгуль! Ждём вас в 15:30.');
    const { body: lead } = await scene.api.getLead(body.data.thread_id);
    expect(lead.data).toMatchObject({ phone, channel: 'WABA' });
  });

  it('a list arrives once at each, and one that is refused takes nothing from the others', async () => {
    const phones = newPhones(8);
    const wrong = phoneOf('wrong-number');
    const { status, body } = await scene.send(
      'waba',
      [...phones, wrong].map((phone) => ({ phone })),
    );
    expect([status, body.data.sent, body.data.failed]).toEqual([200, phones.length, 1]);
    const results = body.data.results as BatchResult[];
    expect(results.at(-1)).toMatchObject({ phone: wrong, status: 'failed' });
    for (const { id } of results.slice(0, -1)) await scene.untilStatus(String(id), ['read']);
    for (const phone of phones) expect(taken('waba', phone)).toHaveLength(1);
  });
});

it(`${MANY} recipients of a list have it on their phones, each once`, async () => {
  const phones = newPhones(MANY);
  const { status, body } = await scene.send(
    'waba_coexistence',
    phones.map((phone) => ({ phone })),
  );
  expect([status, body.data.sent]).toEqual([200, MANY]);
  const counts = new Map(phones.map((phone) => [phone, taken('waba_coexistence', phone).length]));
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
  await eventually(
    async () => {
      const { rows } = await scene.database.pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM messages WHERE account_id = $1 AND batch_id = $2 AND status = 'read'`,
        [scene.account.id, body.data.batch_id],
      );
      return rows[0]?.n === MANY;
    },
    30_000,
    'not all were read',
  );
});

const FILES = [
  ['image', () => image('jpeg'), 'фото.jpg', 'Фото'],
  ['document', () => PDF, 'Прайс.pdf', 'Цены'],
  ['audio', () => MP3, 'a.mp3', ''],
  ['voice', () => opus(2), 'a.ogg', ''],
  ['sticker', () => image('webp'), 'a.webp', ''],
] as const;

const upload = async (bytes: Buffer, name: string): Promise<string> => {
  const client = new UploadClient(scene.server.url, { 'X-API-Key': scene.account.key });
  const { body } = await client.upload({ bytes, name });
  return (body.data.media as { id: string }).id;
};

it.each<Channel>(['waba_coexistence', 'waba'])(
  'by %s files of each kind reach the customer’s phone as they were uploaded',
  async (channel) => {
    const phone = newPhone();
    const threadId = await scene.customerWrites(channel, phone);
    for (const [kind, make, name, text] of FILES) {
      const bytes = await make();
      const { body } = await scene.api.sendFile(threadId, await upload(bytes, name), text || undefined);
      expect([kind, body]).toMatchObject([kind, { ok: true, data: { status: 'sent' } }]);
      const { id } = body.data as { id: string };
      await scene.untilStatus(id, ARRIVED);
      const message = (await scene.chatOf(channel, phone)).at(-1);
      // As the provider calls it: Gupshup has no voice messages.
      const media = (channel === 'waba' && { document: 'file', voice: 'audio' }[kind as string]) || kind;
      expect(message).toMatchObject({ media, text, file: { size: bytes.length } });
      expect(await scene.fileOnPhone(message?.file?.id ?? '')).toEqual(bytes);
      const { rows } = await scene.database.pool.query<{ kept: string }>(
        'SELECT row_to_json(m)::text AS kept FROM messages m WHERE id = $1',
        [id],
      );
      // The address that Gupshup gets.
      expect(rows[0]?.kept).not.toContain('/files/');
    }
  },
);

it('the address that Gupshup gets needs no key, is the file while it is kept, and none when it is changed', async () => {
  const bytes = await image('png');
  const id = await upload(bytes, 'a.png');
  const file = { accountId: scene.account.id, id };
  const address = fileLinks(scene.server.url, SECRETS.SESSION_SECRET).linkOf(file) ?? '';
  const answer = await fetch(address);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
  const hourAgo = fileLinks(scene.server.url, SECRETS.SESSION_SECRET, () => Date.now() - 3_600_000);
  for (const other of [`${address}A`, `${address}%00`, hourAgo.linkOf(file) ?? '']) {
    const refused = await fetch(other);
    expect([other, refused.status]).toEqual([other, 404]);
    expect(await refused.json()).toMatchObject({ error: { code: 'MEDIA_NOT_FOUND' } });
  }
  await scene.database.pool.query(
    `UPDATE media SET state = 'gone', sha256 = NULL, size = NULL, mime_type = NULL WHERE id = $1`,
    [id],
  );
  expect((await fetch(address)).status).toBe(410);
});

const phoneOf = (name: MagicName): string => MAGIC_NUMBERS.find((magic) => magic.name === name)?.phone ?? '';

/** What a caller is answered, and what the message is in the end. */
type Ending = readonly [answer: 200 | 502, states: readonly string[]];

/**
 * Where the answer was lost, the later states show the outcome: the Cloud API's have our reference, Gupshup's do not.
 */
const REFUSED: Ending = [502, ['failed']];
const FAILED_LATER: Ending = [200, ['failed']];
const UNKNOWN: Ending = [502, ['unknown']];
const KNOWN_LATER: Ending = [502, ARRIVED];
const SENT: Ending = [200, ARRIVED];

const OUTCOMES: Record<MagicName, Record<Channel, Ending>> = {
  undeliverable: both(FAILED_LATER),
  'marketing-cap': both(FAILED_LATER),
  'opted-out': both(FAILED_LATER),
  experiment: both(FAILED_LATER),
  'billing-later': both(FAILED_LATER),
  'billing-at-once': both(REFUSED),
  'wrong-number': both(REFUSED),
  'server-error': { waba_coexistence: KNOWN_LATER, waba: UNKNOWN },
  'server-error-not-taken': both(UNKNOWN),
  hang: { waba_coexistence: KNOWN_LATER, waba: UNKNOWN },
  reset: { waba_coexistence: KNOWN_LATER, waba: UNKNOWN },
  garbage: { waba_coexistence: KNOWN_LATER, waba: UNKNOWN },
  huge: { waba_coexistence: KNOWN_LATER, waba: UNKNOWN },
  redirect: { waba_coexistence: KNOWN_LATER, waba: UNKNOWN },
  'without-id': { waba_coexistence: KNOWN_LATER, waba: UNKNOWN },
  throttled: both(REFUSED),
  'throttled-without-time': both(REFUSED),
  'pair-limit': { waba_coexistence: REFUSED, waba: FAILED_LATER },
  'delivered-skipped': both([200, ['read']]),
  'states-reversed': both([200, ['read']]),
  'states-doubled': both(SENT),
  'state-before-answer': both(SENT),
  'failed-after-sent': both(FAILED_LATER),
  'only-sent': both([200, ['sent']]),
  'never-read': both([200, ['delivered']]),
  'opted-out-at-once': { waba_coexistence: REFUSED, waba: FAILED_LATER },
};

function both(ending: Ending): Record<Channel, Ending> {
  return { waba_coexistence: ending, waba: ending };
}

/** These let their number pause, so they come last. */
const PAUSING: MagicName[] = ['throttled', 'throttled-without-time'];

const NAMES = MAGIC_NUMBERS.map(({ name }) => name);

it.each(['waba_coexistence', 'waba'] as const)(
  'by %s each magic phone has its outcome in the service',
  async (channel) => {
    const answered = new Map<MagicName, number>();
    const ask = async (name: MagicName): Promise<void> => {
      const [answer] = OUTCOMES[name][channel];
      const sent = await eventually(
        async () => {
          const tried = await scene.send(channel, { phone: phoneOf(name) });
          // A paused number asks no provider. The provider's refusal shows its answer.
          const paused = tried.status === 502 && tried.body.provider_response === null && answer === 502;
          return (!paused || !PAUSING.includes(name)) && tried;
        },
        10_000,
        'the number stayed in its pause',
      );
      answered.set(name, sent.status);
    };
    await Promise.all(NAMES.filter((name) => !PAUSING.includes(name)).map(ask));
    for (const name of PAUSING) await ask(name);
    const ends = NAMES.map(async (name) => {
      const states = OUTCOMES[name][channel][1];
      const { error } = await scene.untilStatus(await scene.newestTo(phoneOf(name), channel), states);
      const code = states.includes('failed') ? (error?.provider_code ?? null) : null;
      return { name, answer: answered.get(name), code };
    });
    const expected = MAGIC_NUMBERS.map((magic) => {
      const [answer, states] = OUTCOMES[magic.name][channel];
      const code = states.includes('failed') && 'code' in magic ? magic.code[channel] : null;
      return { name: magic.name, answer, code };
    });
    expect(await Promise.all(ends)).toEqual(expected);
  },
);

it('another AI on the number takes a dialog, which is followed until it is passed back, or our message takes it', async () => {
  const phone = newPhone();
  const id = await scene.customerWrites('waba_coexistence', phone);
  const play = async (path: string, act: object): Promise<number> => {
    const answer = await fetch(`${scene.sandbox.url}/handset/api/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sender: CLOUD_SENDER, phone, ...act }),
    });
    return answer.status;
  };
  const isElsewhere = (expected: boolean): Promise<unknown> =>
    eventually(
      async () => {
        const { body } = await scene.api.getThreads({ phones: [phone] });
        return body.data.threads[0].conducted_elsewhere === expected;
      },
      15_000,
      `conducted_elsewhere did not become ${expected}`,
    );
  expect(await play('standby-echoes', { text: 'Рано' })).toBe(400);
  expect(await play('handovers', { to: 'elsewhere' })).toBe(200);
  await isElsewhere(true);
  await play('messages', { text: 'Есть доставка?' });
  await play('standby-echoes', { text: 'Да, бесплатно.' });
  const said = await eventually(
    async () => {
      const { body } = await scene.api.getMessages({ thread_id: id });
      const texts = (body.data.messages as { role: string; text: string }[]).map(
        ({ role, text }) => `${role} ${text}`,
      );
      return texts.length >= 3 && texts;
    },
    15_000,
    'what was said on standby was not heard',
  );
  expect([...said].sort()).toEqual(['SYSTEM Да, бесплатно.', 'USER Есть доставка?', 'USER Привет']);
  await isElsewhere(true);
  expect(await play('handovers', { to: 'us' })).toBe(200);
  await isElsewhere(false);
  await play('handovers', { to: 'elsewhere' });
  await isElsewhere(true);
  expect((await scene.api.sendText(id, 'Мы здесь.')).status).toBe(200);
  await isElsewhere(false);
});
