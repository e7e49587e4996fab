import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { accept, refuse, type Script } from '../../support/stand-ins/scripted.provider';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';

const scene = setReplyScene();

// So long that a message of ours comes before the reply.
beforeAll(() =>
  scene.database.pool.query('UPDATE assistants SET reply_delay_ms = 500 WHERE id = $1', [
    scene.account.assistantId,
  ]),
);

/** Of a message that the provider does not deliver. */
const REFUSE = refuse(400, 131026);

/** A provider that holds its answer back until it is let go. */
function holding(then: Script): { script: Script; letGo: () => void } {
  let letGo = (): void => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  return {
    script: async (...request) => {
      await released;
      await then(...request);
    },
    letGo: () => letGo(),
  };
}

describe('where the agent is off, a message waits for a person:', () => {
  interface Dialog {
    id: string;
    phone: string;
  }

  /** A dialog whose last message is the customer's. */
  async function asked(): Promise<Dialog> {
    const customer = newCustomer();
    const phone = `+${customer.phone}`;
    const id = await scene.account.addThread({ phone, aiEnabled: false });
    await scene.write(customer, 'Здравствуйте');
    expect(await waits({ id, phone })).toBe(true);
    return { id, phone };
  }

  const threads = async (filter: object) => {
    const { body } = await scene.api.getThreads({ limit: 200, ...filter });
    return body.data.threads as { thread_id: string; waiting: boolean }[];
  };

  /** By the card; the filter of lists must say the same, as soon as nothing changes in between. */
  async function waits({ id, phone }: Dialog): Promise<boolean> {
    const [shown, listed] = await Promise.all([threads({}), threads({ waiting: true })]);
    const found = shown.find(({ thread_id }) => thread_id === id)?.waiting ?? false;
    if (listed.some(({ thread_id }) => thread_id === id) !== found) return waits({ id, phone });
    return found;
  }

  /** Whether a move with the flag would have the agent answer, were it on. */
  async function wouldAnswer(dialog: Dialog): Promise<boolean> {
    await scene.kept.setFacts(dialog.id, 'ai_enabled = true');
    const item = { thread_id: dialog.id, status_id: scene.stage(0), answer_pending_message: true };
    const { body } = await scene.api.setStatusBulk({ items: [item], dry_run: true });
    await scene.kept.setFacts(dialog.id, 'ai_enabled = false');
    return body.data.results[0].data.answered_pending_message as boolean;
  }

  const send = (phones: string[]) =>
    scene.api.sendTemplate({
      bot_id: scene.account.botId,
      channel: 'waba_coexistence',
      template_id: 'order_ready',
      to: phones.length === 1 ? { phone: phones[0] } : phones.map((phone) => ({ phone })),
    });

  const report = (messageId: string, status: string): Promise<void> =>
    scene.tell(
      scene.number.status(messageId, status, status === 'failed' ? { errors: [{ code: 131026 }] } : {}),
    );

  it('a message of ours counts while it is on its way, and no more once it was refused', async () => {
    const dialog = await asked();
    const { script, letGo } = holding(REFUSE);
    scene.provider.on(dialog.phone, script);
    const sending = send([dialog.phone]);
    await eventually(async () => scene.provider.sendsTo(dialog.phone).length > 0, 5_000, 'nothing was sent');
    expect([await waits(dialog), await wouldAnswer(dialog)]).toEqual([false, false]);
    letGo();
    expect((await sending).status).toBe(502);
    expect([await waits(dialog), await wouldAnswer(dialog)]).toEqual([true, true]);
  });

  it('a message of ours that was sent counts, no more once a report says that it failed, and again once one says that it arrived', async () => {
    const dialog = await asked();
    scene.provider.on(dialog.phone, accept);
    const { body } = await send([dialog.phone]);
    expect(await waits(dialog)).toBe(false);
    await report(body.data.message_id as string, 'failed');
    expect([await waits(dialog), await wouldAnswer(dialog)]).toEqual([true, true]);
    await report(body.data.message_id as string, 'failed');
    expect(await waits(dialog)).toBe(true);
    await report(body.data.message_id as string, 'delivered');
    expect(await waits(dialog)).toBe(false);
  });

  it('of several of ours the last one that counts decides', async () => {
    const dialog = await asked();
    scene.provider.on(dialog.phone, accept);
    const ids = [(await send([dialog.phone])).body.data, (await send([dialog.phone])).body.data];
    await report(ids[1].message_id as string, 'failed');
    expect(await waits(dialog)).toBe(false);
    await report(ids[0].message_id as string, 'failed');
    expect(await waits(dialog)).toBe(true);
  });

  it('one whose outcome is unknown counts, and no more once a person found that it failed', async () => {
    const dialog = await asked();
    scene.provider.on(dialog.phone, (response) => void response.socket?.resetAndDestroy());
    const { body } = await send([dialog.phone]);
    expect(body.error.code).toBe('PROVIDER_ERROR');
    expect(await waits(dialog)).toBe(false);
    const { body: kept } = await scene.api.getMessages({ thread_id: dialog.id, limit: 1 });
    await scene.api.settleMessage(kept.data.messages[0].id as string, 'failed');
    expect(await waits(dialog)).toBe(true);
  });

  it('those of a list count while they are queued, and each no more once it failed', async () => {
    const dialogs = [await asked(), await asked(), await asked()];
    const [first, second] = dialogs as [Dialog, Dialog];
    const held = dialogs.map(({ phone }) => {
      const hold = holding(phone === second.phone ? accept : REFUSE);
      scene.provider.on(phone, hold.script);
      return hold;
    });
    const sending = send(dialogs.map(({ phone }) => phone));
    await eventually(async () => !(await waits(first)), 5_000, 'the list was not stored');
    expect(await Promise.all(dialogs.map(waits))).toEqual([false, false, false]);
    for (const { letGo } of held) letGo();
    await sending;
    // A list's answer does not wait for the provider's.
    const all = async (): Promise<boolean[]> => Promise.all(dialogs.map(waits));
    await eventually(async () => (await all()).filter(Boolean).length === 2, 5_000, 'not both have failed');
    expect(await all()).toEqual([true, false, true]);
  });

  it('an operator’s words count while they are on their way, and no more once they were refused', async () => {
    const dialog = await asked();
    const { script, letGo } = holding(REFUSE);
    scene.provider.on(dialog.phone, script);
    const sending = scene.api.sendText(dialog.id, 'Минуту');
    await eventually(async () => scene.provider.sendsTo(dialog.phone).length > 0, 5_000, 'nothing was sent');
    expect(await waits(dialog)).toBe(false);
    letGo();
    await sending;
    expect(await waits(dialog)).toBe(true);
  });

  it('what the customer writes after ours waits, whatever becomes of ours', async () => {
    const dialog = await asked();
    scene.provider.on(dialog.phone, accept);
    const { body } = await send([dialog.phone]);
    await scene.tell(scene.number.message({ phone: dialog.phone.slice(1), name: 'Dana' }, 'Ещё вопрос'));
    expect(await waits(dialog)).toBe(true);
    await report(body.data.message_id as string, 'failed');
    expect(await waits(dialog)).toBe(true);
    await send([dialog.phone]);
    expect(await waits(dialog)).toBe(false);
  });

  it('a first message does not wait in a dialog that we opened, where one of ours is stored while it is handled', async () => {
    const customer = newCustomer();
    const phone = `+${customer.phone}`;
    scene.provider.on(phone, accept);
    const { body } = await send([phone]);
    const dialog: Dialog = { id: body.data.thread_id as string, phone };
    const lock = await RowLock.take(scene.database, dialog.id);
    const sending = send([phone]);
    await lock.waiters(1);
    const telling = scene.tell(scene.number.message(customer, 'Здравствуйте'));
    await lock.waiters(2);
    await lock.release();
    await Promise.all([sending, telling]);
    expect(await waits(dialog)).toBe(false);
  });

  it('nor does a message that one of ours answers while it is handled and an earlier one of ours fails', async () => {
    const dialog = await asked();
    const { script, letGo } = holding(REFUSE);
    scene.provider.on(dialog.phone, script);
    const failing = send([dialog.phone]);
    await eventually(async () => scene.provider.sendsTo(dialog.phone).length > 0, 5_000, 'nothing was sent');
    scene.provider.on(dialog.phone, accept);
    const lock = await RowLock.take(scene.database, dialog.id);
    const answering = send([dialog.phone]);
    await lock.waiters(1);
    letGo();
    await lock.waiters(2);
    const telling = scene.tell(scene.number.message({ phone: dialog.phone.slice(1), name: 'Dana' }, 'Алло?'));
    await lock.waiters(3);
    await lock.release();
    await Promise.all([failing, answering, telling]);
    expect(await waits(dialog)).toBe(false);
  });
});

describe('where the agent answers', () => {
  const SAYS = 'Завтра привезём.';

  interface Talk {
    customer: { phone: string };
    phone: string;
    thread: string;
  }

  const isTemplate = ({ body }: { body: Record<string, unknown> }): boolean => body.type === 'template';

  /** What the agent said. */
  const spoken = ({ phone }: Talk): number =>
    scene.provider.sendsTo(phone).filter((send) => !isTemplate(send)).length;

  /**
   * A customer has asked, and a template of ours is sent before the agent has answered, so that its reply gives way.
   * @param template what the provider makes of it
   */
  async function givenWay(
    template: Script,
  ): Promise<Talk & { sent: ReturnType<typeof scene.api.sendTemplate> }> {
    const customer = newCustomer();
    const phone = `+${customer.phone}`;
    await scene.model.reply({ text: SAYS, when: customer.phone });
    scene.provider.on(phone, (response, received, n) =>
      (isTemplate(received) ? template : accept)(response, received, n),
    );
    const thread = await scene.write(customer, `Когда привезёте? ${customer.phone}`);
    const sent = scene.api.sendTemplate({
      bot_id: scene.account.botId,
      channel: 'waba_coexistence',
      template_id: 'order_ready',
      to: { phone },
    });
    const talk = { customer, phone, thread };
    await scene.untilQuiet(thread);
    expect(await scene.replies(thread)).toMatchObject([{ state: 'discarded' }]);
    return { ...talk, sent };
  }

  const untilSpoken = async (talk: Talk): Promise<void> => {
    await eventually(() => Promise.resolve(spoken(talk) > 0), 5_000, 'the agent did not answer');
    await scene.untilQuiet(talk.thread);
    expect(spoken(talk)).toBe(1);
  };

  it('a reply that gave way to a message of ours is made once that message was refused', async () => {
    const { script, letGo } = holding(REFUSE);
    const talk = await givenWay(script);
    letGo();
    expect((await talk.sent).status).toBe(502);
    await untilSpoken(talk);
  });

  it('and where a report says that it failed', async () => {
    const talk = await givenWay(accept);
    const { body } = await talk.sent;
    await scene.tell(
      scene.number.status(body.data.message_id as string, 'failed', { errors: [{ code: 131026 }] }),
    );
    await untilSpoken(talk);
  });

  it('and where a person found that it failed', async () => {
    const talk = await givenWay((response) => void response.socket?.resetAndDestroy());
    await talk.sent;
    const { body } = await scene.api.getMessages({ thread_id: `thread_${talk.thread}`, limit: 1 });
    await scene.api.settleMessage(body.data.messages[0].id as string, 'failed');
    await untilSpoken(talk);
  });

  it('not where the agent was silenced and let speak again meanwhile: then the message waits for a call', async () => {
    const { script, letGo } = holding(REFUSE);
    const talk = await givenWay(script);
    const id = `thread_${talk.thread}`;
    await scene.api.setAi(id, false);
    await scene.api.setAi(id, true);
    letGo();
    await talk.sent;
    const other = newCustomer();
    await scene.model.reply({ text: 'Да.', when: other.phone });
    await scene.write(other, `Вы тут? ${other.phone}`);
    await scene.untilSaid(other, 1);
    expect(spoken(talk)).toBe(0);
    const { body } = await scene.api.setStatus({
      thread_id: id,
      status_id: scene.stage(0),
      answer_pending_message: true,
    });
    expect(body.data.answered_pending_message).toBe(true);
    await untilSpoken(talk);
  });

  it('a reply whose end waits for the dialog goes on where the message that it gave way to fails first', async () => {
    const customer = newCustomer();
    const talk = { customer, phone: `+${customer.phone}`, thread: '' };
    await scene.model.reply(
      { text: 'Устарело.', hold: 'middle', when: customer.phone },
      { text: SAYS, when: customer.phone },
    );
    talk.thread = await scene.write(customer, `Когда привезёте? ${customer.phone}`);
    const { n } = await scene.model.held(customer.phone);
    await scene.kept.setFacts(`thread_${talk.thread}`, 'answer_count = 1');
    const lock = await RowLock.take(scene.database, `thread_${talk.thread}`);
    expect((await scene.model.ended(n)).end).toBe('client closed');
    await lock.waiters(1);
    await lock.setFacts('answer_count = 0');
    await lock.release();
    await untilSpoken(talk);
    // It was not discarded, so the history says nothing of that.
    expect(await scene.told(talk.thread)).toEqual([]);
  });

  it('a reply that ended for another reason stays ended where an older message of ours fails', async () => {
    const customer = newCustomer();
    const phone = `+${customer.phone}`;
    await scene.model.reply({ text: SAYS, when: customer.phone });
    const { body } = await scene.api.sendTemplate({
      bot_id: scene.account.botId,
      channel: 'waba_coexistence',
      template_id: 'order_ready',
      to: { phone },
    });
    await scene.api.setStatus({ thread_id: body.data.thread_id as string, status_id: scene.stage(0) });
    const letAnswer = (may: boolean): Promise<unknown> =>
      scene.database.pool.query('UPDATE statuses SET ai_enabled = $2 WHERE id = $1', [scene.stage(0), may]);
    const talk = { customer, phone, thread: await scene.write(customer, `Сколько? ${customer.phone}`) };
    await eventually(
      async () => (await scene.replies(talk.thread)).length > 0,
      5_000,
      'the message was not taken in',
    );
    await letAnswer(false);
    await scene.untilQuiet(talk.thread);
    await letAnswer(true);
    expect(await scene.replies(talk.thread)).toMatchObject([{ state: 'discarded' }]);
    const failed = scene.number.status(body.data.message_id as string, 'failed', {
      errors: [{ code: 131026 }],
    });
    await scene.tell(failed);
    await eventually(
      async () => (await scene.api.getMessage(body.data.id as string)).body.data.status === 'failed',
      5_000,
      'the report was not applied',
    );
    expect(await scene.replies(talk.thread)).toMatchObject([{ state: 'discarded' }]);
  });
});
