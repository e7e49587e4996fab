import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { accept, refuse, type Script } from '../../support/stand-ins/scripted.provider';

const QUIET_MS = 500;
const SAYS = 'Завтра привезём.';

const scene = setReplyScene({
  environment: { AI_REPLY_DELAY_MS: String(QUIET_MS), PROVIDER_TIMEOUT_MS: '2000' },
});

/** Of a message that the provider does not deliver. */
const REFUSE = refuse(400, 131026);

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

/** A provider that holds its answer back until it is let go. */
function held(then: Script): { script: Script; letGo: () => void } {
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

it('a reply that gave way to a message of ours is made once that message was refused', async () => {
  const { script, letGo } = held(REFUSE);
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
  const { script, letGo } = held(REFUSE);
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
