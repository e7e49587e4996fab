import { setBoardPair } from '../../support/clients/board.pair';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ servers: 2 });
const boards = setBoardPair(scene);

/** A dialog whose agent is off, and the ids of what the customer wrote, the oldest first. */
async function unread(count: number): Promise<{ thread: string; ids: string[]; phone: string }> {
  const customer = newCustomer();
  const thread = await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  for (let n = 1; n <= count; n++) await scene.tell(scene.number.message(customer, `message ${n}`));
  const ids = (await messagesOf(thread)).map(({ id }) => id);
  return { thread, ids, phone: customer.phone };
}

/** The oldest first. */
async function messagesOf(thread: string): Promise<{ id: string; message_id: string }[]> {
  const { body } = await scene.api.getMessages({ thread_id: thread, limit: 200 });
  return (body.data.messages as { id: string; message_id: string }[]).reverse();
}

const shown = async (thread: string): Promise<Record<string, unknown>> => {
  const { body } = await scene.api.getThreads({ limit: 200 });
  const listed = (body.data.threads as Record<string, unknown>[]).find(
    ({ thread_id }) => thread_id === thread,
  );
  if (!listed) throw new Error('the dialog is in no list');
  return listed;
};

it('lowers the count to what came after, on every board, and leaves when the dialog was last active', async () => {
  const { thread, ids } = await unread(3);
  const before = await shown(thread);
  const { status, headers, body } = await scene.api.markRead({ thread_id: thread, up_to: ids[1] });
  expect([status, body.data]).toEqual([200, { thread_id: thread, changed: true, unread_count: 1 }]);
  expect(await boards.pair.lastHeard(thread)).toMatchObject({
    ...{ event: 'card.updated', request_id: headers.get('x-request-id') },
    card: { unread_count: 1, waiting: true, updated_at: before.updated_at },
  });
  const version = Number(before.version) + 1;
  expect(await shown(thread)).toEqual({ ...before, unread_count: 1, version });
  expect((await scene.api.getHistory({ thread_id: thread })).body.data.entries).toEqual([]);
});

it('never raises the count, and appends nothing where nothing changes', async () => {
  const { thread, ids } = await unread(2);
  await scene.api.markRead({ thread_id: thread, up_to: ids[1] });
  const before = await scene.kept.everything(thread);
  for (const up_to of ids) {
    const { body } = await scene.api.markRead({ thread_id: thread, up_to });
    expect(body.data).toEqual({ thread_id: thread, changed: false, unread_count: 0 });
  }
  expect(await scene.kept.everything(thread)).toEqual(before);
});

it('takes a message of ours as well, and counts no reaction', async () => {
  const { thread, ids, phone } = await unread(1);
  const ours = await scene.account.addMessage(thread, { role: 'AI' });
  await scene.tell(
    scene.number.message({ phone }, { type: 'reaction', reaction: { message_id: ids[0], emoji: '👍' } }),
  );
  await scene.tell(scene.number.message({ phone }, 'one more'));
  expect(await shown(thread)).toMatchObject({ unread_count: 2 });
  const { body } = await scene.api.markRead({ thread_id: thread, up_to: ours });
  expect(body.data).toMatchObject({ changed: true, unread_count: 1 });
});

it('does not count as read what came while it waited for the dialog', async () => {
  const { thread, ids } = await unread(2);
  const lock = await RowLock.take(scene.database, thread);
  const marked = scene.api.markRead({ thread_id: thread, up_to: ids[1] });
  await lock.waiters(1);
  await lock.addMessage('USER');
  await lock.setFacts('unread_count = unread_count + 1, version = version + 1');
  await lock.release();
  expect((await marked).body.data).toMatchObject({ changed: true, unread_count: 1 });
});

it('is one change when many mark the same at once, and the lowest count stays', async () => {
  const { thread, ids } = await unread(4);
  const lock = await RowLock.take(scene.database, thread);
  const same = Array.from({ length: 6 }, (_, n) =>
    scene.apiAt(n).markRead({ thread_id: thread, up_to: ids[2] }),
  );
  const less = scene.apiAt(1).markRead({ thread_id: thread, up_to: ids[0] });
  await lock.waiters(2);
  await lock.release();
  const answers = (await Promise.all(same)).map(({ body }) => body.data as Record<string, unknown>);
  expect(answers.filter(({ changed }) => changed === true)).toHaveLength(1);
  expect((await less).status).toBe(200);
  expect(await shown(thread)).toMatchObject({ unread_count: 1 });
});

it('is not what the agent’s answer does', async () => {
  const customer = newCustomer();
  await scene.model.reply({ text: 'Да, конечно.' });
  const thread = `thread_${await scene.write(customer, 'Вы открыты?')}`;
  await scene.untilSaid(customer, 1);
  expect(await shown(thread)).toMatchObject({ unread_count: 1, waiting: false });
  await scene.api.sendText(thread, 'Это человек.');
  expect(await shown(thread)).toMatchObject({ unread_count: 0 });
});

describe('the customer', () => {
  it('is shown that the newest of them was read, if asked, also where nothing changes', async () => {
    const { thread, ids } = await unread(3);
    const [, second] = await messagesOf(thread);
    const before = scene.provider.reads.length;
    await scene.api.markRead({ thread_id: thread, up_to: ids[1] });
    await scene.api.markRead({ thread_id: thread, up_to: ids[1], tell_customer: false });
    await scene.api.markRead({ thread_id: thread, up_to: ids[1], tell_customer: true });
    await eventually(async () => scene.provider.reads.length > before, 5_000, 'nothing was told');
    expect(scene.provider.reads.slice(before)).toEqual([second?.message_id]);
  });

  it('is told nothing where they wrote nothing up to there, and the mark is made all the same', async () => {
    const { thread } = await unread(0);
    const ours = await scene.account.addMessage(thread, { role: 'SYSTEM' });
    const { status, body } = await scene.api.markRead({
      thread_id: thread,
      up_to: ours,
      tell_customer: true,
    });
    expect([status, body.data]).toEqual([200, { thread_id: thread, changed: false, unread_count: 0 }]);
  });
});

it('is refused without the message that it names', async () => {
  const thread = await scene.account.addThread();
  const { status, body } = await scene.api.markRead({ thread_id: thread });
  expect([status, body.error]).toMatchObject([
    422,
    { code: 'VALIDATION_ERROR', details: [{ path: 'up_to' }] },
  ]);
});

it('knows no message of another dialog', async () => {
  const [here, elsewhere] = [await unread(1), await unread(1)];
  const before = await scene.kept.everything(here.thread);
  const { status, body } = await scene.api.markRead({ thread_id: here.thread, up_to: elsewhere.ids[0] });
  expect([status, body.error.code]).toEqual([404, 'MESSAGE_NOT_FOUND']);
  expect(body.error.message).toMatch(/ Check up_to\.$/);
  expect(await scene.kept.everything(here.thread)).toEqual(before);
});
