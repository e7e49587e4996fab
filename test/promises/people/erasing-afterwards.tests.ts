import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import { findIn, type ErasureScene } from '../../support/scenes/erasure.scene';
import { accept, refuse } from '../../support/stand-ins/scripted.provider';
import { CloudNumber, cloudBody, postGupshup, secondsAgo } from '../../support/stand-ins/cloud.webhooks';

/** A number that nobody has connected. */
const STRANGERS = new CloudNumber('300000000000017');

/** What comes of erased customers later. */
export function testAfterwards(scene: ErasureScene): void {
  let lastPhone = 77016770000;
  const somePhone = (): string => String((lastPhone += 1));

  /** A message of ours to an erased customer, by what its provider called it. */
  interface ErasedMessage {
    phone: string;
    threadId: string;
    id: string;
    providerId: string;
    whatsappId: string;
  }

  const tellGupshup = async (body: object): Promise<void> => {
    const { status } = await postGupshup(scene.server, scene.account.botId, body);
    expect(status).toBe(200);
    await scene.taken();
  };

  const gupshup = (type: string, payload: object): object => ({
    ...{ app: 'ClinicApp', timestamp: Date.now(), version: 2, type, payload },
  });

  /** Who writes STOP is answered by nobody. */
  async function writeBy(channel: Channel, phone: string): Promise<void> {
    if (channel === 'waba_coexistence') return scene.tell(scene.number.message({ phone }, 'STOP'));
    const sender = { phone, name: 'Aida', country_code: '7', dial_code: phone.slice(1) };
    const message = { id: `in-${phone}`, source: phone, type: 'text', payload: { text: 'STOP' }, sender };
    await tellGupshup(gupshup('message', message));
  }

  async function eraseAfterSending(channel: Channel): Promise<ErasedMessage> {
    const phone = somePhone();
    await writeBy(channel, phone);
    const { id: threadId } = await scene.dialog(`+${phone}`);
    // An id of Meta has the phone in it.
    const whatsappId = `wamid.${Buffer.from(phone).toString('base64')}.${randomUUIDv7()}`;
    const providerId = channel === 'waba' ? randomUUIDv7() : whatsappId;
    const id = randomUUIDv7();
    await scene.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, text, status, provider_id, whatsapp_id)
     SELECT account_id, $2, id, bot_id, channel, 'SYSTEM', 'ours', 'sent', $3, $4 FROM threads WHERE id = $1`,
      ...[threadId, id, providerId, channel === 'waba' ? whatsappId : null],
    );
    expect((await scene.erase(`thread_${threadId}`)).status).toBe(200);
    return { phone, threadId, id, providerId, whatsappId };
  }

  /** What is left of the dialogs. Figures are counted from it meanwhile. */
  async function rowsOf(messages: readonly ErasedMessage[]): Promise<string[]> {
    const { rows } = await scene.everything();
    const its = rows.filter(
      ({ table, row }) =>
        ['threads', 'messages', 'events'].includes(table) &&
        messages.some(({ threadId }) => row.includes(threadId)),
    );
    return its.map(({ table, row }) => `${table} ${row}`).toSorted();
  }

  const errors = [{ code: 131_026, title: 'cannot be reached' }];

  /** As Meta tells of a message of ours. */
  function cloudReport(
    { phone, providerId }: ErasedMessage,
    status: string,
    reference?: string,
  ): ReturnType<CloudNumber['change']> {
    const told = {
      ...{ id: providerId, status, timestamp: String(secondsAgo(0)), recipient_id: phone },
      ...{ biz_opaque_callback_data: reference, errors: status === 'failed' ? errors : undefined },
    };
    const contacts = [{ wa_id: phone, profile: { name: 'Aida' } }];
    return scene.number.change('messages', { contacts, statuses: [told] });
  }

  beforeAll(() => scene.account.connect('waba', { sender: '77270000001' }));

  it('reports of each provider about messages to erased customers change nothing and are not kept', async () => {
    const [byMeta, referred, unknown, ofGupshup, byItsId, inMetasFormat] = [
      await eraseAfterSending('waba_coexistence'),
      await eraseAfterSending('waba_coexistence'),
      await eraseAfterSending('waba_coexistence'),
      await eraseAfterSending('waba'),
      await eraseAfterSending('waba'),
      await eraseAfterSending('waba'),
    ];
    const all = [byMeta, referred, unknown, ofGupshup, byItsId, inMetasFormat];
    const before = await rowsOf(all);
    await scene.tell(cloudReport(byMeta, 'failed'), cloudReport(referred, 'read', referred.id));
    const payload = { code: 1002, reason: `${ofGupshup.phone} is no number` };
    const failed = { id: ofGupshup.whatsappId, gsId: ofGupshup.providerId, type: 'failed', payload };
    await tellGupshup(gupshup('message-event', { ...failed, destination: ofGupshup.phone }));
    // Without its own id.
    const delivered = { id: byItsId.whatsappId, type: 'delivered', payload: { ts: 1 } };
    await tellGupshup(gupshup('message-event', { ...delivered, destination: byItsId.phone }));
    const { phone, providerId, whatsappId } = inMetasFormat;
    const ids = { id: providerId, gs_id: providerId, meta_msg_id: whatsappId };
    const status = { ...ids, status: 'read', timestamp: secondsAgo(0), recipient_id: phone };
    const value = { messaging_product: 'whatsapp', statuses: [status] };
    await tellGupshup({ gs_app_id: 'app', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] });
    // By our reference one is known when marks of messages are kept no more.
    await scene.query('DELETE FROM webhook_marks');
    await scene.tell(cloudReport(unknown, 'read', unknown.id));
    const words = all.flatMap((message) => [message.phone, message.providerId, message.whatsappId]);
    expect(await scene.tracesOf(...words)).toEqual([]);
    expect(await rowsOf(all)).toEqual(before);
    expect(await scene.query('SELECT 1 FROM parked_states')).toEqual([]);
  });

  it('a webhook with such a report is taken in as to other customers, and what could not be is taken in again', async () => {
    const message = await eraseAfterSending('waba_coexistence');
    const [other, rejected, stranger] = [somePhone(), somePhone(), somePhone()];
    await scene.tell(
      cloudReport(message, 'read'),
      scene.number.message({ phone: other }, 'STOP'),
      scene.number.change('messages', {
        contacts: [{ wa_id: rejected }],
        // Without an id it cannot be taken in.
        messages: [{ from: rejected, timestamp: String(secondsAgo(0)), type: 'text', text: { body: 'x' } }],
      }),
      STRANGERS.message({ phone: stranger }, 'STOP'),
    );
    const kept = await scene.everything();
    for (const text of [message.phone, message.providerId]) expect(findIn(kept, text)).toEqual([]);
    expect((await scene.dialog(`+${other}`)).opted_out).toBe(true);
    expect(findIn(kept, other)).toContain('webhook_deliveries');
    expect(findIn(kept, rejected)).toEqual(expect.arrayContaining(['webhook_deliveries', 'webhook_rejects']));
    expect(await scene.query(`SELECT 1 FROM webhook_deliveries WHERE state <> 'done'`)).toEqual([]);
    const { account } = scene;
    await scene.query(
      `INSERT INTO bot_channels (account_id, bot_id, channel, sender, settings)
     VALUES ($1, $2, 'waba_coexistence', $3, '{}') ON CONFLICT DO NOTHING`,
      ...[account.id, await account.addBot(), STRANGERS.phoneNumberId],
    );
    const [reject] = await scene.query<{ id: string }>(
      `SELECT id FROM webhook_rejects WHERE position($1::bytea IN item) > 0`,
      Buffer.from(stranger),
    );
    const { body } = await scene.admin.admin('POST', `webhook-rejects/${reject?.id}/retry`, {});
    expect(body.data).toMatchObject({ taken_in: true });
    expect((await scene.dialog(`+${stranger}`)).opted_out).toBe(true);
  });

  it('a message that comes again is not kept, whoever wrote it and wherever', async () => {
    const phone = somePhone();
    const ids = ['theirs', 'echoed', 'past'].map((what) => `wamid.${what}.${phone}`) as [
      string,
      string,
      string,
    ];
    const changes = [
      scene.number.message({ phone, name: 'Aida' }, 'STOP', { id: ids[0] }),
      scene.number.echo({ phone }, 'written in the app', ids[1]),
      scene.number.history({ phone }, [{ text: 'long ago', at: secondsAgo(60 * 86_400), id: ids[2] }]),
    ];
    await scene.tell(...changes);
    const { id } = await scene.dialog(`+${phone}`);
    expect(await scene.messages(id)).toHaveLength(3);
    expect((await scene.erase(`thread_${id}`)).status).toBe(200);
    for (const change of changes) await scene.tellRaw(cloudBody([change]));
    expect(await scene.tracesOf(phone)).toEqual([]);
  });

  it('a message that is changed or taken back after its customer was erased brings nothing of them back', async () => {
    const { phone, providerId } = await eraseAfterSending('waba_coexistence');
    const contacts = [{ wa_id: phone, profile: { name: 'Aida' } }];
    const edit = {
      original_message_id: providerId,
      message: { type: 'text', text: { body: 'written anew' } },
    };
    const both = [
      { type: 'edit', edit },
      { type: 'revoke', revoke: { original_message_id: providerId } },
    ];
    const head = (): object => ({ id: `wamid.${randomUUIDv7()}`, timestamp: String(secondsAgo(0)) });
    for (const change of both) {
      const messages = [{ ...head(), from: phone, ...change }];
      await scene.tell(scene.number.change('messages', { contacts, messages }));
      const message_echoes = [{ ...head(), to: phone, ...change }];
      await scene.tell(scene.number.change('smb_message_echoes', { message_echoes }));
    }
    expect(await scene.tracesOf(phone, 'written anew')).toEqual([]);
  });

  describe('the dialog of an erased customer', () => {
    const phone = somePhone();
    let threadId: string;

    beforeAll(async () => {
      await scene.tell(
        scene.number.message({ phone, name: 'Sayan' }, 'Hello', { id: 'wamid.erased-before' }),
      );
      threadId = `thread_${(await scene.dialog(`+${phone}`)).id}`;
      await scene.untilSaid({ phone }, 1);
      expect((await scene.erase(threadId)).status).toBe(200);
    });

    it('boards and lists show the skeleton, closed', async () => {
      const { body } = await scene.api.getThreads({ assistant_id: scene.account.assistantId, limit: 100 });
      const shown = (body.data.threads as { thread_id: string }[]).find(
        (thread) => thread.thread_id === threadId,
      );
      expect(shown).toMatchObject({
        ...{ phone: null, customer_name: null, erased_at: expect.any(String) },
        ...{ ai_enabled: false, opted_out: true, unread_count: 0, waiting: false, attention: null },
      });
      const history = await scene.api.getHistory({ thread_id: threadId });
      expect(history.body.data.entries[0]).toMatchObject({ type: 'erased', actor: { type: 'key' } });
    });

    it('the audit says who erased it, and erasing again answers the same and adds no entry', async () => {
      const first = await scene.erase(threadId);
      const second = await scene.erase(threadId);
      expect([second.status, second.body.data]).toEqual([200, first.body.data]);
      const sql = `SELECT action, subject_id, actor_type, after FROM audit_entries WHERE subject_id = $1`;
      const id = threadId.replace('thread_', '');
      const messages = (await scene.query('SELECT 1 FROM messages WHERE thread_id = $1', id)).length;
      expect(await scene.query(sql, id)).toEqual([
        { action: 'thread.erase', subject_id: id, actor_type: 'key', after: { messages, files: 0 } },
      ]);
    });

    it('nobody writes there: texts, names and notes are refused, and the agent cannot be switched on', async () => {
      const text = await scene.api.sendText(threadId, 'Hello?');
      expect([text.status, text.body.error.code]).toEqual([409, 'THREAD_ERASED']);
      for (const refused of [
        await scene.api.setName(threadId, 'Sayan'),
        await scene.api.addNote(threadId, 'Sayan'),
        await scene.api.setAi(threadId, true),
        await scene.api.call('messages/mark-read', {
          thread_id: threadId,
          up_to: threadId.slice('thread_'.length),
        }),
      ])
        expect([refused.status, refused.body.error.code]).toEqual([409, 'THREAD_ERASED']);
    });

    it('a webhook that comes again changes nothing, and a later message opens another dialog', async () => {
      const opened = async (): Promise<number> =>
        (await scene.query('SELECT 1 FROM threads WHERE phone = $1', `+${phone}`)).length;
      await scene.tell(scene.number.message({ phone }, 'Hello', { id: 'wamid.erased-before' }));
      expect(await opened()).toBe(0);
      await scene.tell(scene.number.message({ phone }, 'It is me again'));
      expect(await opened()).toBe(1);
      expect((await scene.dialog(`+${phone}`)).opted_out).toBe(false);
    });
  });

  it('an opt-out holds for the next dialog, whichever way it is opened, and a START ends it', async () => {
    const [writes, isSentTo] = [somePhone(), somePhone()];
    for (const phone of [writes, isSentTo]) {
      await scene.tell(scene.number.message({ phone }, 'STOP'));
      expect((await scene.erase(`thread_${(await scene.dialog(`+${phone}`)).id}`)).status).toBe(200);
    }
    expect(await scene.tracesOf(writes, isSentTo)).toEqual([]);
    await scene.tell(scene.number.message({ phone: writes }, 'Hello'));
    await scene.api.sendTemplate({
      ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
      to: { phone: `+${isSentTo}` },
    });
    for (const phone of [writes, isSentTo])
      expect(await scene.dialog(`+${phone}`)).toMatchObject({ opted_out: true, ai_enabled: false });
    await scene.tell(scene.number.message({ phone: writes }, 'START'));
    expect((await scene.dialog(`+${writes}`)).opted_out).toBe(false);
    expect((await scene.erase(`thread_${(await scene.dialog(`+${writes}`)).id}`)).status).toBe(200);
    await scene.tell(scene.number.message({ phone: writes }, 'Hello once more'));
    expect((await scene.dialog(`+${writes}`)).opted_out).toBe(false);
  });

  describe('an Idempotency-Key that names an erased customer', () => {
    const phone = '77015550171';
    const OUR_ID = expect.stringMatching(/^[\da-f-]{36}$/);
    const THREAD_ID = expect.stringMatching(/^thread_[\da-f-]{36}$/);
    const order = {
      bot_id: '',
      channel: 'waba_coexistence',
      template_id: 'order_ready',
      to: { phone: `+${phone}` },
    };
    const list = () => ({ ...order, to: [order.to, { phone: '+77015550172' }] });
    const withKey = (what: string) => ({ 'Idempotency-Key': `${what}-${phone}-of-Zhanar` });
    const sentTo = (recipient: string): number => scene.provider.sendsTo(recipient).length;

    beforeAll(async () => {
      order.bot_id = scene.account.botId;
      scene.provider.on(order.to.phone, refuse(400, 132000));
      expect((await scene.api.sendTemplate(order, withKey('refused'))).status).toBe(502);
      scene.provider.on(order.to.phone, accept);
      expect((await scene.api.sendTemplate(order, withKey('one'))).status).toBe(200);
      expect((await scene.api.sendTemplate(list(), withKey('list'))).status).toBe(200);
      const { id } = await scene.dialog(`+${phone}`);
      expect((await scene.api.setName(`thread_${id}`, 'Zhanar')).status).toBe(200);
      expect((await scene.erase(`thread_${id}`)).status).toBe(200);
    });

    it('is not kept', async () => {
      expect(await scene.tracesOf(phone, 'Zhanar')).toEqual([]);
    });

    it('sends nothing again, to one or to a list', async () => {
      const one = await scene.api.sendTemplate(order, withKey('one'));
      const several = await scene.api.sendTemplate(list(), withKey('list'));
      for (const { status, headers } of [one, several])
        expect([status, headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(several.body.data).toMatchObject({ total: 2, sent: 2 });
      expect([sentTo(`+${phone}`), sentTo('+77015550172')]).toEqual([3, 1]);
      expect(await scene.tracesOf(phone)).toEqual([]);
    });

    it('is answered without an id of the provider and without a phone, which are null', async () => {
      const one = await scene.api.sendTemplate(order, withKey('one'));
      const told = { id: OUR_ID, thread_id: THREAD_ID };
      expect(one.body.data).toEqual({ ...told, message_id: null, phone: null, status: 'sent' });
      const { body } = await scene.api.sendTemplate(list(), withKey('list'));
      const sent = { ...told, ok: true, status: 'sent' };
      const results = [
        { ...sent, index: 0, message_id: null, phone: null },
        { ...sent, index: 1, message_id: expect.stringMatching(/./), phone: '+77015550172' },
      ];
      expect(body.data.results).toEqual(results);
      const batch = await scene.api.call('messages/get-batch', { batch_id: body.data.batch_id });
      expect(batch.body.data.results).toEqual(results);
    });

    it('is refused by a sentence, where its call was refused', async () => {
      const { status, body } = await scene.api.sendTemplate(order, withKey('refused'));
      expect([status, body.error.code, body.provider_response]).toEqual([502, 'PROVIDER_ERROR', null]);
      expect(body.error.message).toBe('What the provider said was erased with its customer.');
    });

    it('is refused with another body', async () => {
      const { status, body } = await scene.api.sendTemplate(
        { ...order, template_id: 'another' },
        withKey('one'),
      );
      expect([status, body.error.details?.[0]?.path]).toEqual([422, 'Idempotency-Key']);
    });

    it('is forgotten after 24 hours', async () => {
      await scene.query(`UPDATE idempotency_keys SET created_at = created_at - interval '24 hours 1 s'`);
      const { status, headers } = await scene.api.sendTemplate(order, withKey('one'));
      expect([status, headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect(sentTo(`+${phone}`)).toBe(4);
    });
  });
}
