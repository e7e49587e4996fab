import type { Message } from '@app/contracts/message.words';
import { eventually } from '../../support/eventually';
import { violationsOfVersions, setInboundScene, somePhone } from '../../support/scenes/inbound.scene';
import { CONTENTS } from '@app/contracts/content-samples';
import { cloudBody, secondsAgo, wamid } from '../../support/stand-ins/cloud.webhooks';

const scene = setInboundScene({ servers: 2 });

const contactOf = (phone: string): string => `+${phone}`;

describe('a customer’s message', () => {
  it('opens a dialog, waits in it and is unread, with the customer’s own time', async () => {
    const phone = somePhone();
    const at = secondsAgo(90);
    await scene.tell(scene.number.message({ phone, name: 'Айгуль' }, 'Здравствуйте 👋', { at }));
    const dialog = await scene.dialog(contactOf(phone));
    const [message] = await scene.messages(dialog.id);
    expect(dialog).toMatchObject({
      phone: `+${phone}`,
      wa_id: phone,
      customer_name: 'Айгуль',
      ai_enabled: true,
      unread_count: 1,
      waiting_message_id: message?.id,
      waiting_at: new Date(at * 1000),
      last_message_role: 'USER',
      last_message_text: 'Здравствуйте 👋',
    });
    expect(message).toMatchObject({ role: 'USER', status: 'received', sent_at: new Date(at * 1000) });
    expect(message?.created_at.getTime()).toBeGreaterThan(at * 1000 + 60_000);
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message']);
  });

  it('of a clock that is ahead waits from now on', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'завтра', { at: secondsAgo(-86_400) }));
    const { waiting_at: waitingAt } = await scene.dialog(contactOf(phone));
    expect(waitingAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('that quotes one of the dialog says which, and one that quotes any other says nothing of it', async () => {
    const phone = somePhone();
    const asked = wamid();
    await scene.tell(scene.number.message({ phone }, 'Есть доставка?', { id: asked }));
    const dialog = `thread_${(await scene.dialog(contactOf(phone))).id}`;
    const ours = await scene.account.addMessage(dialog, {
      ...{ role: 'AI', text: `${'Да'.repeat(150)}`, messageId: wamid() },
    });
    const elsewhere = somePhone();
    const foreign = wamid();
    await scene.tell(scene.number.message({ phone: elsewhere }, 'Чужое', { id: foreign }));
    const { rows } = await scene.database.pool.query<{ provider_id: string }>(
      'SELECT provider_id FROM messages WHERE id = $1',
      [ours],
    );
    const quoting = async (text: string, id: string, gupshupId?: string): Promise<unknown> => {
      const context = { from: phone, id, gs_id: gupshupId };
      const content = { type: 'text', text: { body: text }, context };
      await scene.tell(scene.number.message({ phone }, content));
      const { body } = await scene.api.getMessages({ thread_id: dialog, limit: 1 });
      return body.data.messages[0];
    };
    expect(await quoting('Точно?', rows[0]?.provider_id ?? '')).toMatchObject({
      ...{ text: 'Точно?', quoted: { id: ours, role: 'AI', text: 'Да'.repeat(100) } },
    });
    expect(await quoting('Я спросил', asked)).toMatchObject({
      quoted: { role: 'USER', text: 'Есть доставка?' },
    });
    expect(await quoting('А это?', wamid(), rows[0]?.provider_id)).toMatchObject({
      quoted: { id: ours },
    });
    for (const unknown of [foreign, wamid()])
      expect(await quoting('Что это?', unknown)).toMatchObject({ quoted: null });
  });

  it('of each kind has its content, by both operations', async () => {
    const phone = somePhone();
    const asked = wamid();
    await scene.tell(scene.number.message({ phone }, 'Есть доставка?', { id: asked }));
    const { id } = await scene.dialog(contactOf(phone));
    const reacted = CONTENTS.map(({ cloud }) =>
      cloud.type === 'reaction'
        ? { ...cloud, reaction: { ...(cloud.reaction as object), message_id: asked } }
        : cloud,
    );
    await scene.tell(...reacted.map((content) => scene.number.message({ phone }, content)));
    const { body } = await scene.api.getMessages({ thread_id: `thread_${id}` });
    const [first, ...others] = (body.data.messages as Omit<Message, 'thread_id'>[]).toReversed();
    expect(first).toMatchObject({ content: null, quoted: null, referral: null });
    expect(others.map(({ content }) => content)).toEqual(
      CONTENTS.map(({ content }) =>
        content.type === 'reaction' ? { ...content, message_id: first?.id } : content,
      ),
    );
    const { body: one } = await scene.api.getMessage(others[0]?.id ?? '');
    expect(one.data).toEqual({ ...others[0], thread_id: `thread_${id}` });
    const lines = CONTENTS.at(-1)?.line;
    await eventually(
      async () => {
        const { body: found } = await scene.api.getThreads({ search: 'almaty kaspi gift заказ' });
        return found.data.threads[0]?.last_message.lines.ru === lines?.ru;
      },
      10_000,
      'no search finds what was sent, or the card does not say it',
    );
    expect((await scene.dialog(contactOf(phone))).last_message_text).toBe(lines?.en);
  });

  it('that waits is taken up by nothing where no model is configured, and goes on waiting', async () => {
    const bot = await scene.account.addBot();
    await scene.account.connect('waba_coexistence', { botId: bot });
    const waits = { waitingMinutes: 5 };
    const [moved, off] = [
      await scene.account.addThread(waits, scene.account.assistantId, bot),
      await scene.account.addThread({ ...waits, aiEnabled: false }, scene.account.assistantId, bot),
    ];
    const move = { thread_id: moved, status_id: scene.stage(0), answer_pending_message: true };
    for (const dry_run of [true, false]) {
      const { body } = await scene.api.setStatusBulk({ items: [move], dry_run });
      expect(body.data.results[0].data.answered_pending_message).toBe(false);
    }
    for (const { body } of [await scene.api.setStatus(move), await scene.api.setAi(off, true)])
      expect(body.data.answered_pending_message).toBe(false);
    const { body } = await scene.api.getThreads({ waiting: true, limit: 200 });
    const waiting = (body.data.threads as { thread_id: string }[]).map(({ thread_id }) => thread_id);
    expect(waiting).toEqual(expect.arrayContaining([moved, off]));
    expect([await scene.kept.replies(moved), await scene.kept.replies(off)]).toEqual([[], []]);
  });

  it('discards an unfinished reply', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'один'));
    const before = await scene.dialog(contactOf(phone));
    await scene.tell(scene.number.message({ phone }, 'два'));
    expect(await scene.dialog(contactOf(phone))).toMatchObject({
      ai_epoch: before.ai_epoch + 1,
      unread_count: 2,
    });
  });

  it.each([
    ['reaction', { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '👍' } }],
    ['system', { type: 'system', system: { type: 'customer_identity_changed', body: 'changed' } }],
  ])('that is a %s is kept, but moves nothing of the dialog', async (type, content) => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'слова'));
    const before = await scene.dialog(contactOf(phone));
    await scene.tell(scene.number.message({ phone }, content));
    const { version, ...after } = await scene.dialog(contactOf(phone));
    const { version: versionBefore, ...same } = before;
    expect(after).toEqual(same);
    expect(version).toBe(versionBefore + 1);
    const types = (await scene.messages(before.id)).map((message) => message.type);
    expect(types).toEqual(['text', type]);
  });

  it('that is half empty waits in its dialog all the same', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone, name: 'Айгуль' }, { type: 'interactive' }));
    const dialog = await scene.dialog(contactOf(phone));
    const [message] = await scene.messages(dialog.id);
    expect(message).toMatchObject({ role: 'USER', type: 'unsupported', status: 'received', text: '' });
    expect(dialog).toMatchObject({
      customer_name: 'Айгуль',
      unread_count: 1,
      waiting_message_id: message?.id,
    });
  });

  it('that is half a reaction moves nothing of the dialog', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'слова'));
    await scene.tell(scene.number.message({ phone }, { type: 'reaction', reaction: {} }));
    const dialog = await scene.dialog(contactOf(phone));
    expect(dialog).toMatchObject({ unread_count: 1, last_message_text: 'слова' });
    expect((await scene.messages(dialog.id)).map(({ type }) => type)).toEqual(['text', 'unsupported']);
  });

  it.each([
    ['Brazil’s ninth digit', '5511987650001', '551187650001'],
    ['Mexico’s 1', '5215512345601', '525512345601'],
    ['Argentina’s 9', '5491112345601', '541112345601'],
  ])('is one dialog, whether the number is written with %s or without', async (_, longer, shorter) => {
    await scene.tell(scene.number.message({ phone: longer }, 'com'));
    await scene.tell(scene.number.message({ phone: shorter }, 'sem'));
    const dialog = await scene.dialog(`+${shorter}`);
    expect(await scene.messages(dialog.id)).toHaveLength(2);
    expect(dialog).toMatchObject({ phone: `+${longer}`, wa_id: shorter });
  });
});

describe('a customer who is known by a user id', () => {
  it('has a dialog without a phone', async () => {
    await scene.tell(scene.number.message({ userId: 'KZ.1001' }, 'без номера'));
    expect(await scene.dialog('KZ.1001')).toMatchObject({ phone: null, user_id: 'KZ.1001', unread_count: 1 });
  });

  it('keeps the dialog when the phone becomes known', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ userId: 'KZ.1002' }, 'без номера'));
    const { id } = await scene.dialog('KZ.1002');
    await scene.tell(scene.number.message({ userId: 'KZ.1002', phone }, 'с номером'));
    expect(await scene.dialog(contactOf(phone))).toMatchObject({
      id,
      phone: `+${phone}`,
      user_id: 'KZ.1002',
    });
  });

  it('keeps the dialog when the phone is not given any more', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'один'));
    await scene.tell(scene.number.message({ phone, userId: 'KZ.1003' }, 'два'));
    await scene.tell(scene.number.message({ userId: 'KZ.1003' }, 'три'));
    const dialog = await scene.dialog(contactOf(phone));
    expect(await scene.messages(dialog.id)).toHaveLength(3);
  });

  it('who already has a dialog of each keeps both', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'по номеру'));
    await scene.tell(scene.number.message({ userId: 'KZ.1004' }, 'по имени'));
    await scene.tell(scene.number.message({ phone, userId: 'KZ.1004' }, 'оба'));
    // The user id counts before the number.
    expect(await scene.dialog(contactOf(phone))).toMatchObject({ user_id: null, unread_count: 1 });
    expect(await scene.dialog('KZ.1004')).toMatchObject({ phone: `+${phone}`, unread_count: 2 });
  });
});

describe('at once, on two processes', () => {
  it('one webhook ten times is one message with one effect, and changes nothing when it comes again', async () => {
    const phone = somePhone();
    const tenTimes = async (body: string) => {
      await Promise.all(Array.from({ length: 10 }, () => scene.post(body)));
      await scene.taken();
      return scene.dialog(contactOf(phone));
    };
    const [first, second] = [
      cloudBody([scene.number.message({ phone }, 'раз')]),
      cloudBody([scene.number.message({ phone }, 'два')]),
    ];
    const dialog = await tenTimes(first);
    expect(await scene.messages(dialog.id)).toHaveLength(1);
    expect(await scene.log(dialog.id)).toEqual(['1 opened', '2 message']);
    expect(dialog).toMatchObject({ version: 2, unread_count: 1, ai_epoch: 1 });
    expect(await tenTimes(first)).toEqual(dialog);
    const known = await tenTimes(second);
    expect(known).toMatchObject({ version: 3, unread_count: 2 });
    expect(await tenTimes(second)).toEqual(known);
  });

  it('the first messages of one customer open one dialog with all of them', async () => {
    const customer = { phone: somePhone(), userId: 'KZ.2001' };
    const bodies = Array.from({ length: 10 }, (_, index) =>
      cloudBody([scene.number.message(customer, `сообщение ${index}`)]),
    );
    await Promise.all(bodies.map((body) => scene.post(body)));
    await scene.taken();
    const dialog = await scene.dialog(contactOf(customer.phone));
    expect(await scene.messages(dialog.id)).toHaveLength(10);
    expect(dialog.unread_count).toBe(10);
    expect(violationsOfVersions(await scene.log(dialog.id))).toEqual([]);
    expect(await scene.rejects()).toEqual([]);
  });

  it('messages by phone, by user id and by both lose none', async () => {
    const phone = somePhone();
    const customers = [{ phone }, { userId: 'KZ.2002' }, { phone, userId: 'KZ.2002' }];
    const bodies = Array.from({ length: 15 }, (_, index) =>
      cloudBody([scene.number.message(customers[index % 3] ?? {}, `сообщение ${index}`)]),
    );
    await Promise.all(bodies.map((body) => scene.post(body)));
    await scene.taken();
    const theirs = (await scene.dialogs()).filter(
      ({ contact, user_id: userId }) => contact === contactOf(phone) || userId === 'KZ.2002',
    );
    const kept = await Promise.all(theirs.map(({ id }) => scene.messages(id)));
    expect(kept.flat()).toHaveLength(15);
    expect(await scene.rejects()).toEqual([]);
  });
});

describe('a webhook of many items', () => {
  it('keeps the order of each dialog', async () => {
    const phones = [somePhone(), somePhone(), somePhone()];
    const changes = Array.from({ length: 60 }, (_, index) =>
      scene.number.message({ phone: phones[index % 3] ?? '' }, String(index)),
    );
    await scene.tell(...changes);
    for (const [start, phone] of phones.entries()) {
      const { id } = await scene.dialog(contactOf(phone));
      const texts = (await scene.messages(id)).map(({ text }) => Number(text));
      expect(texts).toEqual(Array.from({ length: 20 }, (_, n) => start + n * 3));
    }
  });

  it('of which one is poison stores the nine others, keeps the one aside, and is over', async () => {
    const phones = Array.from({ length: 9 }, somePhone);
    const before = (await scene.rejects()).length;
    const changes = phones.map((phone) => scene.number.message({ phone }, 'хорошо'));
    // Too long for any index: whatever reads it, the database refuses it.
    const id = Array.from({ length: 20_000 }, () => Math.random().toString(36).slice(2)).join('');
    changes.splice(4, 0, scene.number.message({ phone: somePhone() }, 'яд', { id }));
    await scene.tell(...changes);
    for (const phone of phones)
      expect(await scene.dialog(contactOf(phone))).toMatchObject({ unread_count: 1 });
    const aside = (await scene.rejects()).slice(before);
    expect(aside).toHaveLength(1);
    expect(aside[0]?.item).toContain(id);
    const tries = await scene.database.pool.query(
      `SELECT max(attempts)::int AS tries FROM webhook_deliveries`,
    );
    expect(tries.rows).toEqual([{ tries: 0 }]);
  });

  it('about an unknown number becomes a reject', async () => {
    const before = (await scene.rejects()).length;
    const id = wamid();
    const stranger = scene.number.message({ phone: somePhone() }, 'кому?', { id });
    Object.assign(stranger.value, { metadata: { phone_number_id: '999999999999999' } });
    await scene.tell(stranger);
    const aside = (await scene.rejects()).slice(before);
    expect(aside).toMatchObject([{ account_id: null, reason: 'No bot has the number 999999999999999.' }]);
    expect(aside[0]?.item).toContain(id);
  });
});

describe('a history of before', () => {
  const threeOf = (phone: string, last: number) =>
    scene.number.history({ phone }, [
      { text: 'первое', at: last - 200 },
      { ours: true, text: 'стоп', at: last - 100 },
      { text: 'стоп', at: last },
    ]);

  it('opens the dialog by its own times and wakes nothing', async () => {
    const phone = somePhone();
    const last = secondsAgo(10 * 86_400);
    await scene.tell(threeOf(phone, last));
    const dialog = await scene.dialog(contactOf(phone));
    expect(dialog).toMatchObject({
      waiting_message_id: null,
      unread_count: 0,
      ai_epoch: 0,
      ai_enabled: true,
      opted_out: false,
      takeover_seconds: null,
      last_message_role: 'USER',
      last_message_text: 'стоп',
    });
    const messages = await scene.messages(dialog.id);
    expect(messages.map(({ role, created_at: at }) => [role, at.getTime() / 1000])).toEqual([
      ['USER', last - 200],
      ['OPERATOR', last - 100],
      ['USER', last],
    ]);
    expect(new Set((await scene.log(dialog.id)).map((entry) => entry.split(' ')[1]))).toEqual(
      new Set(['opened', 'card']),
    );
  });

  it('has our messages as far as they came', async () => {
    const phone = somePhone();
    const at = secondsAgo(10 * 86_400);
    const states = ['PENDING', 'SENT', 'DELIVERED', 'READ', 'PLAYED', 'ERROR', 'read', 'NEW'];
    const ours = states.map((status, index) => ({ ours: true, text: status, at: at + index, status }));
    await scene.tell(scene.number.history({ phone }, [...ours, { text: 'их', at: at + 100 }]));
    const { id } = await scene.dialog(contactOf(phone));
    expect((await scene.messages(id)).map(({ text, status }) => [text, status])).toEqual([
      ['PENDING', 'sent'],
      ['SENT', 'sent'],
      ['DELIVERED', 'delivered'],
      ['READ', 'read'],
      ['PLAYED', 'read'],
      ['ERROR', 'failed'],
      ['read', 'read'],
      ['NEW', 'delivered'],
      ['их', 'received'],
    ]);
  });

  it('goes before what is in the dialog, without any entry in the log', async () => {
    const phone = somePhone();
    await scene.tell(scene.number.message({ phone }, 'новое'));
    const before = await scene.dialog(contactOf(phone));
    await scene.tell(threeOf(phone, secondsAgo(86_400)));
    expect(await scene.dialog(contactOf(phone))).toEqual(before);
    expect((await scene.messages(before.id)).map(({ text }) => text)).toEqual([
      'первое',
      'стоп',
      'стоп',
      'новое',
    ]);
  });

  it('comes twice without effect', async () => {
    const phone = somePhone();
    const change = threeOf(phone, secondsAgo(86_400));
    await scene.tell(change);
    const once = await scene.dialog(contactOf(phone));
    await scene.tell(change);
    expect(await scene.dialog(contactOf(phone))).toEqual(once);
    expect(await scene.messages(once.id)).toHaveLength(3);
  });

  it('of hundreds is taken in while others’ messages come in between', async () => {
    const start = secondsAgo(40 * 86_400);
    const word = somePhone();
    const long = Array.from({ length: 8 }, () => {
      const phone = somePhone();
      return scene.number.history(
        { phone },
        Array.from({ length: 50 }, (_, index) => ({ text: `было ${word} ${index}`, at: start + index })),
      );
    });
    const phone = somePhone();
    await scene.post(cloudBody(long));
    await scene.post(cloudBody([scene.number.message({ phone }, 'сейчас')]));
    await scene.taken();
    const past = await scene.database.pool.query(
      `SELECT count(*)::int AS n FROM messages WHERE text LIKE 'было ' || $1 || ' %'`,
      [word],
    );
    expect(past.rows).toEqual([{ n: 400 }]);
    expect(await scene.dialog(contactOf(phone))).toMatchObject({ unread_count: 1 });
  });
});
