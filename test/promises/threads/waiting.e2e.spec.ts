import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { accept, refuse, type Script } from '../../support/stand-ins/scripted.provider';

/** The agents are off: what waits is for a person to answer. */
const scene = setReplyScene({ environment: { PROVIDER_TIMEOUT_MS: '800' } });

/** Of a message that the provider does not deliver. */
const REFUSE = refuse(400, 131026);

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

it('a message of ours that was sent counts, and no more once a report says that it failed', async () => {
  const dialog = await asked();
  scene.provider.on(dialog.phone, accept);
  const { body } = await send([dialog.phone]);
  expect(await waits(dialog)).toBe(false);
  await report(body.data.message_id as string, 'failed');
  expect([await waits(dialog), await wouldAnswer(dialog)]).toEqual([true, true]);
  await report(body.data.message_id as string, 'failed');
  expect(await waits(dialog)).toBe(true);
});

it('one that is reported as failed and then as delivered counts again', async () => {
  const dialog = await asked();
  scene.provider.on(dialog.phone, accept);
  const { body } = await send([dialog.phone]);
  await report(body.data.message_id as string, 'failed');
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
