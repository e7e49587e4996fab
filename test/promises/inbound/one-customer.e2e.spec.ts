import { randomInt } from 'node:crypto';
import { setReplyScene } from '../../support/scenes/reply.scene';
import { somePhone, type KeptDialog } from '../../support/scenes/inbound.scene';
import { answer } from '../../support/stand-ins/scripted.provider';
import { wamid, type Change, type Customer } from '../../support/stand-ins/cloud.webhooks';

const scene = setReplyScene();

const someUser = (): string => `KZ.${randomInt(1e12, 2e12)}`;
const threadOf = ({ id }: { id: string }): string => `thread_${id}`;

async function kept(id: string): Promise<KeptDialog> {
  const found = (await scene.dialogs()).find((dialog) => dialog.id === id.replace('thread_', ''));
  if (!found) throw new Error(`no dialog ${id}`);
  return found;
}

/** A template to a phone, which the messenger knows by other digits. @returns the dialog and the message. */
async function sendTemplate(phone: string, waId: string): Promise<{ threadId: string; messageId: string }> {
  scene.provider.on(phone, (response, { reference }) =>
    answer(response, 200, {
      contacts: [{ input: phone, wa_id: waId }],
      messages: [{ id: `wamid.${reference}` }],
    }),
  );
  const { status, body } = await scene.api.sendTemplate({
    ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' },
    to: { phone, params: ['Айгуль', '15:30'] },
  });
  expect(status).toBe(200);
  return { threadId: body.data.thread_id as string, messageId: body.data.message_id as string };
}

/** A customer who writes; the agent is off there, so that nothing is answered. */
async function someDialog(customer: Customer): Promise<KeptDialog> {
  const before = new Set((await scene.dialogs()).map(({ id }) => id));
  await scene.tell(scene.number.message(customer, 'здравствуйте'));
  const [opened] = (await scene.dialogs()).filter(({ id }) => !before.has(id));
  if (!opened) throw new Error('no dialog was opened');
  await scene.api.setAi(threadOf(opened), false);
  return kept(opened.id);
}

interface Entry {
  type: string;
  by: string;
  from: unknown;
  to: unknown;
  note?: string;
}

async function historyOf(dialog: { id: string }): Promise<Entry[]> {
  const { body } = await scene.api.getHistory({ thread_id: threadOf(dialog), limit: 200 });
  return (body.data.entries as Entry[]).reverse();
}

const system = (content: object): object => ({ type: 'system', system: { body: 'changed', ...content } });
const SPREAD = { by: 'SYSTEM', note: 'same_customer' };

describe('one dialog', () => {
  it('has the phone that was dialled and the digits by which the messenger knows it, and off holds by both', async () => {
    const { threadId } = await sendTemplate('+22997123110', '2290197123110');
    await scene.api.setAi(threadId, false);
    await scene.tell(scene.number.message({ phone: '2290197123110', userId: someUser() }, 'Это я'));
    const dialog = await kept(threadId);
    expect(dialog).toMatchObject({ phone: '+22997123110', wa_id: '2290197123110', unread_count: 1 });
    expect(await scene.replies(dialog.id)).toEqual([]);
    expect((await scene.dialogs()).filter(({ wa_id }) => wa_id === '2290197123110')).toHaveLength(1);
    expect((await sendTemplate('+2290197123110', '2290197123110')).threadId).toBe(threadId);
  });

  it('goes on under a new user id that is told with the former one alone', async () => {
    const [phone, was, now] = [somePhone(), someUser(), someUser()];
    const { id } = await someDialog({ phone, userId: was });
    await scene.tell(scene.number.message({ userId: was }, 'СТОП'));
    const changed = system({ type: 'user_changed_user_id', user_id: now, previous_user_id: was });
    const change = scene.number.message({}, changed);
    delete (change.value as { contacts?: unknown }).contacts;
    await scene.tell(change);
    await scene.tell(
      scene.number.message({ userId: now }, 'другой'),
      scene.number.message({ userId: was }, 'прежний'),
    );
    expect(await kept(id)).toMatchObject({
      user_id: now,
      opted_out: true,
      ai_enabled: false,
      unread_count: 4,
    });
  });

  describe('where a new user id is told of a customer who has two', () => {
    const changed = (from: Customer, now: string, content: object = {}): Change => {
      const change = scene.number.message(
        from,
        system({ type: 'user_changed_user_id', user_id: now, ...content }),
      );
      delete (change.value as { contacts?: unknown }).contacts;
      return change;
    };

    it('is that of the phone, before the sender’s user id; off and STOP of the other hold in it', async () => {
      const [phone, was, now] = [somePhone(), someUser(), someUser()];
      const byPhone = await someDialog({ phone });
      const byUser = await someDialog({ userId: was });
      await scene.tell(scene.number.message({ userId: was }, 'СТОП'));
      await scene.tell(changed({ phone, userId: was }, now));
      await scene.tell(scene.number.message({ userId: now }, 'новый'));
      expect(await kept(byPhone.id)).toMatchObject({ user_id: now, opted_out: true, unread_count: 2 });
      expect(await kept(byUser.id)).toMatchObject({ user_id: was, opted_out: true, unread_count: 2 });
    });

    it('is that of the former user id, before the phone', async () => {
      const [phone, was, now] = [somePhone(), someUser(), someUser()];
      const byPhone = await someDialog({ phone });
      const byUser = await someDialog({ userId: was });
      await scene.tell(changed({ phone, userId: now }, now, { previous_user_id: was }));
      await scene.tell(scene.number.message({ userId: now }, 'новый'));
      expect(await kept(byUser.id)).toMatchObject({ user_id: now, unread_count: 2 });
      expect(await kept(byPhone.id)).toMatchObject({ user_id: null, unread_count: 1 });
      await scene.tell(scene.number.message({ phone }, 'СТОП'));
      expect(await kept(byUser.id)).toMatchObject({ opted_out: true });
    });

    it('is found by the next address where the first leads nowhere', async () => {
      const [was, now] = [someUser(), someUser()];
      const { id } = await someDialog({ userId: was });
      await scene.tell(changed({ phone: somePhone(), userId: was }, now));
      await scene.tell(scene.number.message({ userId: now }, 'новый'));
      expect(await kept(id)).toMatchObject({ user_id: now, unread_count: 2 });
    });

    describe('beside a number that the customer gave up', () => {
      /** The dialog of a customer who gave the number up, and what tells of a new user id with that number beside it. */
      async function movedAway() {
        const [phone, was, now, later] = [somePhone(), someUser(), someUser(), somePhone()];
        const dialog = await someDialog({ phone, userId: was });
        const moved = system({ type: 'user_changed_number', wa_id: later, user_id: was });
        await scene.tell(scene.number.message({ phone }, moved));
        expect(await kept(dialog.id)).toMatchObject({ phone: `+${later}`, user_id: was });
        const [named, unnamed] = [
          changed({ phone, userId: now }, now, { previous_user_id: was }),
          changed({ phone, userId: was }, now),
        ];
        return { dialog, phone, later, now, named, unnamed };
      }

      it.each(['named', 'unnamed'] as const)(
        'does not lead whoever gets that number into the dialog, the former user id %s',
        async (form) => {
          const { dialog, phone, later, now, [form]: report } = await movedAway();
          await scene.tell(report);
          await scene.tell(scene.number.message({ phone }, 'я здесь новый'));
          expect(await kept(dialog.id)).toMatchObject({ phone: `+${later}`, user_id: now, unread_count: 1 });
        },
      );

      it.each(['named', 'unnamed'] as const)(
        'does not make one customer of both where somebody has that number, the former user id %s',
        async (form) => {
          const { dialog, phone, now, [form]: report } = await movedAway();
          const stranger = await someDialog({ phone });
          await scene.tell(report);
          await scene.tell(scene.number.message({ phone }, 'СТОП'));
          expect(await kept(stranger.id)).toMatchObject({ user_id: null, opted_out: true });
          expect(await kept(dialog.id)).toMatchObject({ user_id: now, opted_out: false });
        },
      );
    });

    it('has the phone beside it, where it had none', async () => {
      const [phone, was, now] = [somePhone(), someUser(), someUser()];
      const { id } = await someDialog({ userId: was });
      await scene.tell(changed({ phone, userId: now }, now, { previous_user_id: was }));
      expect(await kept(id)).toMatchObject({
        ...{ contact: `+${phone}`, phone: `+${phone}`, wa_id: phone, user_id: now },
      });
      const { threads } = (await scene.api.getThreads({ user_ids: [now] })).body.data;
      expect(threads).toMatchObject([{ customer: { phone: `+${phone}`, phone_proven: false } }]);
      await scene.tell(changed({ phone: somePhone(), userId: now }, was, { previous_user_id: now }));
      expect(await kept(id)).toMatchObject({ phone: `+${phone}`, user_id: was });
    });

    it('goes on through two reports and what comes between them, in one webhook', async () => {
      const [was, then, now] = [someUser(), someUser(), someUser()];
      const { id } = await someDialog({ userId: was });
      await scene.tell(
        changed({ userId: was }, then),
        scene.number.message({ userId: then }, 'между'),
        changed({ userId: then }, now),
        scene.number.message({ userId: now }, 'СТОП'),
      );
      expect(await kept(id)).toMatchObject({ user_id: now, opted_out: true, unread_count: 3 });
    });
  });

  it('does not get a number back that its customer gave up, by a late state of an old message', async () => {
    const [dialled, was, now] = [somePhone(), somePhone(), somePhone()];
    const { threadId, messageId } = await sendTemplate(`+${dialled}`, was);
    await scene.api.setAi(threadId, false);
    const change = system({ type: 'user_changed_number', wa_id: now });
    await scene.tell(scene.number.message({ phone: was }, change, { id: wamid() }));
    await scene.tell(scene.number.status(messageId, 'delivered', { recipient_id: was }));
    await scene.tell(scene.number.message({ phone: was }, 'я здесь новый'));
    expect(await kept(threadId)).toMatchObject({ phone: `+${now}`, wa_id: now, unread_count: 0 });
  });

  it('learns the phone that its customer shared when asked, and takes no other card for it', async () => {
    const [phone, other, userId] = [somePhone(), somePhone(), someUser()];
    const { id } = await someDialog({ userId });
    const card = (digits: string, origin: string): object => ({
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'X' }, origin, phones: [{ phone: `+${digits}`, wa_id: digits }] }],
    });
    await scene.tell(scene.number.message({ userId }, card(other, 'other')));
    expect(await kept(id)).toMatchObject({ phone: null });
    await scene.tell(scene.number.message({ userId }, card(phone, 'contact_request')));
    expect(await kept(id)).toMatchObject({ phone: `+${phone}`, contact: `+${phone}`, wa_id: phone });
    await scene.tell(scene.number.message({ phone }, 'с телефона'));
    expect(await kept(id)).toMatchObject({ unread_count: 4 });
  });
});

describe('two dialogs that turn out to be of one customer', () => {
  async function twoDialogs(): Promise<{ byPhone: KeptDialog; byUser: KeptDialog; both: Customer }> {
    const [phone, userId] = [somePhone(), someUser()];
    const byPhone = await someDialog({ phone });
    const byUser = await someDialog({ userId });
    return { byPhone, byUser, both: { phone, userId } };
  }
  const withAgent = async (dialog: KeptDialog): Promise<void> => {
    await scene.database.pool.query('UPDATE threads SET ai_enabled = true WHERE id = $1', [dialog.id]);
  };

  it('share an opt-out and an off from then on, and each keeps what comes to it', async () => {
    const { byPhone, byUser, both } = await twoDialogs();
    await withAgent(byUser);
    await scene.tell(scene.number.message({ phone: both.phone }, 'СТОП'));
    await scene.tell(scene.number.message(both, 'вот мой номер'));
    expect(await kept(byUser.id)).toMatchObject({ opted_out: true, ai_enabled: false, unread_count: 2 });
    expect(await kept(byPhone.id)).toMatchObject({ opted_out: true, unread_count: 2 });
    expect((await historyOf(byUser)).filter(({ note }) => note === 'same_customer')).toMatchObject([
      { type: 'opt_out', to: true, ...SPREAD },
      { type: 'ai', to: false, ...SPREAD },
    ]);
    // The reply that was due before the agent was switched off; none came after.
    expect(await scene.replies(byUser.id)).toHaveLength(1);
  });

  it('are switched on and off, opted out and in together, whichever is named', async () => {
    const { byPhone, byUser, both } = await twoDialogs();
    await scene.tell(scene.number.message(both, 'вот мой номер'));
    await scene.api.setAi(threadOf(byUser), true);
    expect([(await kept(byUser.id)).ai_enabled, (await kept(byPhone.id)).ai_enabled]).toEqual([true, true]);
    // What waits in the other dialog is not taken up.
    expect(await scene.replies(byPhone.id)).toHaveLength(1);
    await scene.api.setAi(threadOf(byPhone), false);
    expect((await kept(byUser.id)).ai_enabled).toBe(false);
    await scene.tell(scene.number.preference({ userId: both.userId }, 'stop'));
    expect((await kept(byPhone.id)).opted_out).toBe(true);
    await scene.tell(
      scene.number.message({ phone: both.phone }, 'СТАРТ', { at: Math.floor(Date.now() / 1000) + 2 }),
    );
    expect([(await kept(byUser.id)).opted_out, (await kept(byPhone.id)).opted_out]).toEqual([false, false]);
    expect((await historyOf(byUser)).filter(({ note }) => note === 'same_customer')).toMatchObject([
      { type: 'ai', to: false, ...SPREAD },
      { type: 'opt_out', to: false, ...SPREAD },
    ]);
    expect((await historyOf(byPhone)).filter(({ note }) => note === 'same_customer')).toMatchObject([
      { type: 'ai', to: true, ...SPREAD },
      { type: 'opt_out', to: true, ...SPREAD },
    ]);
  });

  it('are both the agent’s after it was switched on in one of them, whoever conducted the other', async () => {
    const { byPhone, byUser, both } = await twoDialogs();
    await scene.tell(scene.number.message(both, 'вот мой номер'));
    await scene.api.setAi(threadOf(byPhone), true);
    await scene.api.sendText(threadOf(byUser), 'Я отвечу сам.');
    await scene.database.pool.query('UPDATE threads SET conducted_elsewhere = true WHERE id = $1', [
      byUser.id,
    ]);
    const { body } = await scene.api.setAi(threadOf(byPhone), true);
    expect(body.data).toMatchObject({ changed: false, answered_pending_message: false });
    expect(await kept(byUser.id)).toMatchObject({ ai_enabled: true, takeover_seconds: null });
    const { rows } = await scene.database.pool.query(
      'SELECT conducted_elsewhere FROM threads WHERE id = $1',
      [byUser.id],
    );
    expect(rows).toEqual([{ conducted_elsewhere: false }]);
    expect((await historyOf(byUser)).filter(({ note }) => note === 'same_customer').at(-1)).toMatchObject({
      ...{ type: 'handler', from: 'OPERATOR', to: 'AI', ...SPREAD },
    });
  });

  it('become known by the number or user id that a customer changed to', async () => {
    const { byPhone, byUser, both } = await twoDialogs();
    await withAgent(byPhone);
    const change = system({ type: 'user_changed_number', wa_id: both.phone });
    await scene.tell(scene.number.message({ userId: both.userId }, change, { id: wamid() }));
    expect(await kept(byPhone.id)).toMatchObject({ ai_enabled: false, phone: `+${both.phone}` });
    expect(await kept(byUser.id)).toMatchObject({ phone: null, user_id: both.userId });
  });
});

describe('a request for the phone', () => {
  const asking = (text: string): object => ({
    type: 'interactive',
    interactive: {
      type: 'request_contact_info',
      body: { text },
      action: { name: 'request_contact_info' },
    },
  });

  /** What the agent said before it was switched off is none of it. */
  const asked = (userId: string): object[] =>
    scene.provider.sendsTo(userId).flatMap(({ body }) => (body.type === 'interactive' ? [body] : []));

  it('goes to the user id of a customer who hides the phone, as an operator’s message, and the answer proves the phone', async () => {
    const [phone, userId] = [somePhone(), someUser()];
    const { id } = await someDialog({ userId });
    await scene.api.setAi(threadOf({ id }), true);
    const { status, body } = await scene.api.requestPhone(threadOf({ id }), 'Ваш номер?');
    expect([status, body.data]).toMatchObject([200, { thread_id: threadOf({ id }), status: 'sent' }]);
    expect(asked(userId)).toMatchObject([{ recipient: userId, ...asking('Ваш номер?') }]);
    const { data } = (await scene.api.getMessage(body.data.id as string)).body;
    expect(data).toMatchObject({
      role: 'OPERATOR',
      type: 'request_phone',
      text: 'Ваш номер?',
      content: null,
    });
    expect((await scene.api.getLead(threadOf({ id }))).body.data.message_handler).toBe('OPERATOR');
    const card = { origin: 'contact_request', phones: [{ phone: `+${phone}`, wa_id: phone }] };
    await scene.tell(scene.number.message({ userId }, { type: 'contacts', contacts: [card] }));
    const { threads } = (await scene.api.getThreads({ user_ids: [userId] })).body.data;
    expect(threads).toMatchObject([
      { customer: { phone: `+${phone}`, user_id: userId, phone_proven: true } },
    ]);
  });

  it('has words of its own where the caller gives none', async () => {
    const userId = someUser();
    const { id } = await someDialog({ userId });
    expect((await scene.api.requestPhone(threadOf({ id }))).status).toBe(200);
    expect(asked(userId)).toMatchObject([asking('Please share your phone number with us.')]);
  });

  it('refuses an empty text, and asks nobody', async () => {
    const userId = someUser();
    const { id } = await someDialog({ userId });
    const { status, body } = await scene.api.requestPhone(threadOf({ id }), '');
    expect([status, body.error.details?.[0]?.path]).toEqual([422, 'text']);
    expect(asked(userId)).toEqual([]);
  });

  it('is refused on a channel whose provider cannot be asked', async () => {
    const threadId = await scene.account.addThread({ channel: 'waba' });
    const { status, body } = await scene.api.requestPhone(threadId);
    const message = expect.stringContaining('cannot be asked to request a phone') as string;
    expect([status, body.error.details]).toEqual([422, [{ path: 'thread_id', message }]]);
    expect((await scene.api.getMessages({ thread_id: threadId })).body.data.messages).toEqual([]);
  });
});
