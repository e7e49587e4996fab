import { randomUUID } from 'node:crypto';
import type { Answer } from '../../support/clients/api.client';
import { cloudBody, CloudNumber, postCloud } from '../../support/stand-ins/cloud.webhooks';
import { refuse } from '../../support/stand-ins/scripted.provider';
import { RowLock } from '../../support/faults/row.lock';
import { AccountFixture } from '../../support/database/fixture';
import { newPhone, newPhones, setSendScene } from '../../support/scenes/send.scene';
import { uuidOf } from '../../support/database/thread.uuid';

/** Characters: of a text, as WhatsApp has none longer, and of what a card shows of it. */
const TEXT_MAX = 4_096;
const PREVIEW_MAX = 500;

const scene = setSendScene();

describe('a customer whose number changes while a message for the old one is being stored', () => {
  /** Sends while the dialog is held, gives the dialog another number, and lets go. */
  async function sendOver(phone: string, send: () => Promise<Answer>): Promise<Answer> {
    const former = (await scene.send({ phone })).body.data.thread_id;
    const lock = await RowLock.take(scene.database, former);
    const sent = send();
    await lock.waiters(1);
    const next = newPhone();
    await lock.setFacts(`phone = '${next}', contact = '${next}'`);
    await scene.database.pool.query('DELETE FROM thread_addresses WHERE address = $1', [phone]);
    await lock.release();
    return sent;
  }

  it('is sent a single one in a dialog of the number asked for', async () => {
    const phone = newPhone();
    const { status, body } = await sendOver(phone, () => scene.send({ phone }));
    expect([status, body.data]).toMatchObject([200, { phone, status: 'sent' }]);
    expect((await scene.api.getLead(body.data.thread_id)).body.data).toMatchObject({ phone });
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
  });

  it('is sent to as one of a list, whose total and quota are those asked for', async () => {
    const phones = newPhones(3);
    const used = await scene.account.quotaUsed();
    const { body } = await sendOver(phones[1] as string, () =>
      scene.send(phones.map((phone) => ({ phone }))),
    );
    expect(body.data).toMatchObject({ total: 3, sent: 3 });
    expect((body.data.results as { phone: string }[]).map(({ phone }) => phone)).toEqual(phones);
    expect(await scene.account.quotaUsed()).toBe(used + 4);
  });
});

describe('a recipient that is named by its dialog', () => {
  const threadOf = async (phone: string): Promise<string> =>
    (await scene.send({ phone })).body.data.thread_id as string;

  /** A dialog whose customer hides the phone. */
  async function hidden(channel = 'waba_coexistence'): Promise<{ threadId: string; userId: string }> {
    const userId = `KZ.${Date.now()}${Math.floor(Math.random() * 1e6)}`;
    const threadId = await scene.account.addThread({});
    await scene.database.pool.query(
      'UPDATE threads SET phone = NULL, contact = $2, user_id = $2, channel = $3 WHERE id = $1',
      [uuidOf(threadId), userId, channel],
    );
    return { threadId, userId };
  }

  it('is sent to as its phone is, or by the user id where it has none', async () => {
    const phone = newPhone();
    const threadId = await threadOf(phone);
    const { status, body } = await scene.send({ thread_id: threadId });
    expect([status, body.data]).toMatchObject([200, { thread_id: threadId, phone, status: 'sent' }]);
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
    const other = await hidden();
    const { body: list } = await scene.send([{ phone }, { thread_id: other.threadId, params: ['a'] }]);
    expect(list.data).toMatchObject({ total: 2, sent: 2 });
    expect(list.data.results).toMatchObject([
      { phone, thread_id: threadId },
      { phone: null, thread_id: other.threadId },
    ]);
    expect(scene.provider.sendsTo(other.userId).map(({ body: sent }) => sent)).toMatchObject([
      { recipient: other.userId },
    ]);
  });

  it('is not found where the caller sees no such dialog, and then nothing is sent', async () => {
    const stranger = await AccountFixture.create(scene.database.pool);
    const others = [await stranger.addThread(), `thread_${randomUUID()}`, 'thread_x'];
    const answers = await Promise.all(others.map((threadId) => scene.send({ thread_id: threadId })));
    expect(new Set(answers.map(({ text }) => text.replace(/"request_id":"[^"]*"/, ''))).size).toBe(1);
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      others.map(() => [404, 'THREAD_NOT_FOUND']),
    );
    const phone = newPhone();
    const list = await scene.send([{ phone }, ...others.map((threadId) => ({ thread_id: threadId }))]);
    expect([list.status, list.body.error]).toMatchObject([
      404,
      { code: 'THREAD_NOT_FOUND', details: [1, 2, 3].map((place) => ({ path: `to[${place}].thread_id` })) },
    ]);
    expect(scene.provider.sendsTo(phone)).toEqual([]);
  });

  it('is refused with its place where the channel sends to phones only', async () => {
    await scene.account.connect('waba', { sender: '77270000077' });
    const { threadId } = await hidden('waba');
    const { status, body } = await scene.send([{ thread_id: threadId }], { channel: 'waba' });
    expect([status, body.error]).toMatchObject([
      422,
      { code: 'VALIDATION_ERROR', details: [{ path: 'to[0].thread_id' }] },
    ]);
    const wrong = await scene.send({ thread_id: threadId });
    expect([wrong.status, wrong.body.error]).toMatchObject([422, { details: [{ path: 'to.thread_id' }] }]);
  });

  it('is the same as its phone where duplicates are skipped', async () => {
    const phone = newPhone();
    const threadId = await threadOf(phone);
    const { body } = await scene.send([{ phone }, { thread_id: threadId }], { skip_duplicates: true });
    expect(body.data).toMatchObject({ total: 2, sent: 1, failed: 1 });
    expect(body.data.results[1]).toMatchObject({ error: 'DUPLICATE', thread_id: threadId });
  });
});

describe('a sending in several lists', () => {
  /** A dialog, and two further addresses that lead to it, neither of which its card shows. */
  async function knownByThree(): Promise<{ threadId: string; phones: [string, string] }> {
    const threadId = (await scene.send({ phone: newPhone() })).body.data.thread_id as string;
    const phones: [string, string] = [newPhone(), newPhone()];
    await scene.database.pool.query(
      `INSERT INTO thread_addresses (account_id, address, bot_id, channel, thread_id)
       SELECT account_id, unnest($2::text[]), bot_id, channel, id FROM threads WHERE id = $1`,
      [uuidOf(threadId), phones],
    );
    return { threadId, phones };
  }
  const part = async (to: object[], earlier: string[]): Promise<Answer['body']['data']> => {
    const { status, body } = await scene.send(to, { earlier_batch_ids: earlier });
    expect([status, body]).toMatchObject([200, { ok: true }]);
    return body.data;
  };

  it('sends once to a dialog, also within one of them, by whichever of its addresses and with whatever values', async () => {
    const [same, other] = [await knownByThree(), newPhone()];
    const [first, second] = same.phones;
    const one = await part([{ phone: first, params: ['a'] }, { phone: other }], []);
    const two = await part([{ phone: second, params: ['b'] }], [one.batch_id]);
    const within = await knownByThree();
    const twice = within.phones.map((phone, n) => ({ phone, params: [`${n}`] }));
    expect(await part(twice, [])).toMatchObject({ sent: 1, failed: 1 });
    expect(within.phones.map((phone) => scene.provider.sendsTo(phone).length)).toEqual([1, 0]);
    const three = await part(
      [{ thread_id: same.threadId }, { phone: other }, { phone: newPhone() }],
      [one.batch_id, two.batch_id],
    );
    expect([one, two, three].map(({ sent, failed }) => [Number(sent), Number(failed)])).toEqual([
      [2, 0],
      [0, 1],
      [1, 2],
    ]);
    expect(two.results).toMatchObject([{ error: 'DUPLICATE', thread_id: same.threadId }]);
    expect([first, second].map((phone) => scene.provider.sendsTo(phone).length)).toEqual([1, 0]);
  });

  it('sends by another address where the first message failed', async () => {
    const [first, second] = (await knownByThree()).phones;
    scene.provider.on(first, refuse(400, 131026));
    const one = await part([{ phone: first }], []);
    expect(one).toMatchObject({ sent: 0, failed: 1 });
    expect(await part([{ phone: second }], [one.batch_id])).toMatchObject({ sent: 1 });
  });

  it('holds back no message to one customer: it is sent, and kept as sent', async () => {
    const phone = newPhone();
    const { batch_id: earlier } = await part([{ phone }], []);
    const { status, body } = await scene.send({ phone }, { earlier_batch_ids: [earlier] });
    expect([status, body.data.status]).toEqual([200, 'sent']);
    const kept = await scene.api.getMessage(body.data.id as string);
    expect(kept.body.data.status).toBe('sent');
    expect(scene.provider.sendsTo(phone)).toHaveLength(2);
  });

  it('names lists of its own number only, and else sends nothing', async () => {
    const phone = newPhone();
    const elsewhere = await scene.account.addBatch(await scene.account.addBot());
    const stranger = await (await AccountFixture.create(scene.database.pool)).addBatch();
    const { batch_id: own } = await part([{ phone: newPhone() }], []);
    for (const unknown of [elsewhere, stranger, randomUUID(), 'x']) {
      const { status, body } = await scene.send([{ phone }], { earlier_batch_ids: [own, unknown] });
      expect([status, body.error?.code]).toEqual([404, 'BATCH_NOT_FOUND']);
    }
    expect(scene.provider.sendsTo(phone)).toEqual([]);
  });
});

it('the dialogs that a list opens are all in the pages of a list by activity, at once', async () => {
  const phones = newPhones(25);
  expect((await scene.send(phones.map((phone) => ({ phone })))).status).toBe(200);
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = (await scene.api.getThreads({ sort: 'activity', limit: 10, cursor })).body;
    listed.push(...(data.threads as { phone: string }[]).map(({ phone }) => phone));
    cursor = (data as { next_cursor: string | null }).next_cursor ?? undefined;
  } while (cursor !== undefined);
  expect(listed.filter((phone) => phones.includes(phone)).toSorted()).toEqual(phones);
});

describe('the text of a message', () => {
  const last = async (threadId: string): Promise<string> => {
    const { rows } = await scene.database.pool.query<{ text: string }>(
      'SELECT last_message_text AS text FROM threads WHERE id = $1',
      [uuidOf(threadId)],
    );
    return rows[0]?.text ?? '';
  };

  it('is cut where it is shown, once in full and shorter on the card, and sent as it is', async () => {
    const phone = newPhone();
    const params = Array.from({ length: 3 }, () => '💬'.repeat(16_000));
    for (const round of ['opened', 'open already']) {
      const { body } = await scene.send({ phone, params });
      const { text } = (await scene.api.getMessage(body.data.id)).body.data as { text: string };
      expect([round, text.length <= TEXT_MAX, /^order_ready: (💬)+…$/u.test(text)]).toEqual([
        round,
        true,
        true,
      ]);
      const preview = await last(body.data.thread_id);
      expect([round, [...preview].length, preview.at(-1)]).toEqual([round, PREVIEW_MAX, '…']);
    }
    const sent = JSON.stringify(scene.provider.sendsTo(phone)[0]?.body);
    expect(sent.match(/💬/gu)).toHaveLength(48_000);
  });

  it('is cut on the card also where a person wrote it', async () => {
    const threadId = await scene.account.addThread({ phone: newPhone() });
    const words = 'слово '.repeat(600).trim();
    const { body } = await scene.api.sendText(threadId, words);
    expect((await scene.api.getMessage(body.data.id)).body.data.text).toBe(words);
    expect(await last(threadId)).toBe(`${words.slice(0, PREVIEW_MAX - 1)}…`);
  });
});

describe('a failure that the provider reports after it took the message', () => {
  const report = async (id: string): Promise<void> => {
    const errors = [{ code: 131026, title: 'Message undeliverable' }];
    const number = new CloudNumber(scene.sender);
    const change = number.status(`wamid.${id}`, 'failed', { errors, biz_opaque_callback_data: id });
    expect((await postCloud(scene.server, cloudBody([change]))).status).toBe(200);
    await scene.untilStatus(id, 'failed');
  };

  it('has its number in get-batch, and nothing of the acceptance, or of what left it unknown, as the provider’s answer', async () => {
    const [accepted, unknown] = newPhones(2) as [string, string];
    scene.provider.on(unknown, (response) => void response.writeHead(500).end('{"error":{"code":2}}'));
    const { body } = await scene.send([{ phone: accepted }, { phone: unknown }]);
    const results = body.data.results as { id: string; provider_response: unknown }[];
    expect(results[1]?.provider_response).toEqual({ error: { code: 2 } });
    for (const { id } of results) await report(id);
    const { body: now } = await scene.api.getBatch(body.data.batch_id);
    const failed = { status: 'failed', error: 'PROVIDER_ERROR', provider_code: 131026 };
    expect(now.data.results).toMatchObject(results.map(() => ({ ...failed, provider_response: null })));
  });

  it('nor in a replay of a call whose process ended before it answered', async () => {
    const phone = newPhone();
    const again = () => scene.send({ phone }, {}, { headers: { 'Idempotency-Key': 'unanswered' } });
    const { body } = await again();
    await scene.database.pool.query(`UPDATE idempotency_keys SET answer = NULL WHERE key = 'unanswered'`);
    await report(body.data.id);
    const replayed = await again();
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([502, 'true']);
    expect(replayed.body.provider_response).toBeNull();
  });
});

describe('the providers’ answers in the answer to a list', () => {
  it('are the first whole ones within a MiB; of further ones the error stays', async () => {
    const phones = newPhones(20);
    const body = JSON.stringify({ error: { code: 131009, message: 'x'.repeat(60_000) } });
    for (const phone of phones)
      scene.provider.on(phone, (response) => void response.writeHead(400).end(body));
    const headers = { 'Idempotency-Key': 'large-answers' };
    const first = await scene.send(
      phones.map((phone) => ({ phone })),
      {},
      { headers },
    );
    const results = first.body.data.results as { error: string; provider_response: unknown }[];
    const shown = results.map(({ provider_response: response }) => response !== null);
    const whole = Math.floor(1_048_576 / body.length);
    expect(shown).toEqual(phones.map((_, index) => index < whole));
    expect(new Set(results.map(({ error }) => error))).toEqual(new Set(['PROVIDER_ERROR']));
    expect(first.text.length).toBeLessThan(1_048_576 + 20 * 1_000);
    const { rows } = await scene.database.pool.query<{ size: number }>(
      `SELECT octet_length(answer) AS size FROM idempotency_keys WHERE key = 'large-answers'`,
    );
    expect(rows[0]?.size).toBeLessThan(1_048_576 + 20 * 1_000);
  });
});

describe('a list of a bot that has another agent now', () => {
  it('is seen by the agents of all its dialogs and by the bot, not by the bot’s new agent', async () => {
    const botId = await scene.account.addBot();
    await scene.account.connect('waba_coexistence', { botId });
    const byBot = scene.apiAt(0, await scene.account.addKey({ botIds: [botId], assistantIds: [] }));
    const phones = newPhones(2);
    const order = { bot_id: botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const sendTo = async (given: string[]): Promise<string> => {
      const { body } = await byBot.sendTemplate({ ...order, to: given.map((phone) => ({ phone })) });
      return String(body.data.batch_id);
    };
    const before = await sendTo(phones.slice(0, 1));
    const next = await scene.account.addAssistant();
    await scene.database.pool.query('UPDATE bots SET assistant_id = $2 WHERE id = $1', [botId, next]);
    const mixed = await sendTo(phones);
    const { assistantId: former } = scene.account;
    const seenBy = async (assistantIds: string[]): Promise<number[]> => {
      const api = scene.apiAt(0, await scene.account.addKey({ botIds: [], assistantIds }));
      return [(await api.getBatch(before)).status, (await api.getBatch(mixed)).status];
    };
    expect(await seenBy([next])).toEqual([404, 404]);
    expect(await seenBy([former])).toEqual([200, 404]);
    expect(await seenBy([former, next])).toEqual([200, 200]);
    expect([(await byBot.getBatch(before)).status, (await byBot.getBatch(mixed)).status]).toEqual([200, 200]);
  });
});
