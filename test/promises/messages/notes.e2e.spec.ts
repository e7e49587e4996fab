import { setBoardPair } from '../../support/clients/board.pair';
import { RowLock } from '../../support/faults/row.lock';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ servers: 2 });
const boards = setBoardPair(scene);

const shown = async (thread: string): Promise<Record<string, unknown>> => {
  const { body } = await scene.api.getThreads({ limit: 200, messages_limit: 5 });
  const listed = (body.data.threads as Record<string, unknown>[]).find(
    ({ thread_id }) => thread_id === thread,
  );
  if (!listed) throw new Error('the dialog is in no list');
  return listed;
};

const messagesOf = async (thread: string): Promise<Record<string, unknown>[]> =>
  (await scene.api.getMessages({ thread_id: thread })).body.data.messages as Record<string, unknown>[];

it('stands in the dialog and on every board, and nowhere else', async () => {
  const customer = newCustomer();
  const thread = await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  await scene.tell(scene.number.message(customer, 'Вопрос'));
  const before = await shown(thread);
  const { status, headers, body } = await scene.api.addNote(thread, 'Перезвонить <b>после</b> шести 📞');
  expect([status, body.data]).toMatchObject([
    200,
    {
      ...{ thread_id: thread, role: 'OPERATOR', type: 'note', text: 'Перезвонить <b>после</b> шести 📞' },
      ...{ status: 'received', message_id: null, error: null, sent_at: null, media: null },
      ...{ content: null, quoted: null, referral: null },
    },
  ]);
  const { updated_at, ...rest } = before;
  expect(await boards.pair.lastHeard(thread)).toMatchObject({
    ...{ event: 'message.created', request_id: headers.get('x-request-id'), message: body.data as object },
    card: { last_message: rest.last_message, unread_count: 1, waiting: true, message_handler: 'OPERATOR' },
  });
  const { updated_at: later, ...after } = await shown(thread);
  expect(after).toEqual({ ...rest, version: Number(rest.version) + 1 });
  expect(Date.parse(String(later))).toBeGreaterThan(Date.parse(String(updated_at)));
  const { thread_id: _, ...note } = body.data as Record<string, unknown>;
  expect((await messagesOf(thread))[0]).toEqual(note);
  expect((await scene.api.getMessage(String(note.id))).body.data).toEqual(body.data);
  expect((await scene.api.getHistory({ thread_id: thread })).body.data.entries).toEqual([]);
  expect(scene.said(customer)).toEqual([]);
});

it('is never shown to the model, starts no takeover, and answers nothing', async () => {
  const customer = newCustomer();
  await scene.model.reply({ text: 'Первый ответ.' }, { text: 'Второй ответ.' });
  const thread = `thread_${await scene.write(customer, 'Первый вопрос')}`;
  await scene.untilSaid(customer, 1);
  await scene.untilQuiet(thread.replace('thread_', ''));
  await scene.api.addNote(thread, 'Клиент капризный, скидку не давать');
  expect(await shown(thread)).toMatchObject({ message_handler: 'AI' });
  await scene.write(customer, 'Второй вопрос');
  expect(await scene.untilSaid(customer, 2)).toEqual(['Первый ответ.', 'Второй ответ.']);
  const { body } = await scene.model.asked('Второй вопрос');
  expect(JSON.stringify(body)).toContain('Первый вопрос');
  expect(JSON.stringify(body)).not.toContain('капризный');
});

it('does not keep a message from waiting that came before it and is taken in after it', async () => {
  const customer = newCustomer();
  const thread = await scene.account.addThread({ phone: `+${customer.phone}`, aiEnabled: false });
  await scene.tell(scene.number.message(customer, 'Раз'));
  await scene.api.sendText(thread, 'Ответ');
  await scene.holdBack(scene.number.message(customer, 'Два'));
  await scene.api.addNote(thread, 'Заметка');
  await scene.letGo();
  expect(await shown(thread)).toMatchObject({ waiting: true, last_message: { role: 'USER', text: 'Два' } });
});

it('is one of many that are written at once, each kept, in the order of the boards', async () => {
  const thread = await scene.account.addThread();
  const lock = await RowLock.take(scene.database, thread);
  const texts = Array.from({ length: 10 }, (_, n) => `note ${n}`);
  const calls = Promise.all(texts.map((text, n) => scene.apiAt(n).addNote(thread, text)));
  await lock.waiters(2);
  await lock.release();
  expect((await calls).map(({ status }) => status)).toEqual(texts.map(() => 200));
  const kept = (await messagesOf(thread)).map(({ text }) => text);
  expect([...kept].sort()).toEqual([...texts].sort());
  await boards.pair.lastHeard(thread);
  for (const board of boards.pair.boards) {
    const heard = board.events.flatMap((event) =>
      event.event === 'message.created' && event.thread_id === thread ? [event.message.text] : [],
    );
    expect(heard.reverse()).toEqual(kept);
  }
});

it('may be written of a customer who has unsubscribed', async () => {
  const thread = await scene.account.addThread({ optedOut: true });
  expect((await scene.api.addNote(thread, 'Просил не писать')).status).toBe(200);
});

it('keeps the longest text to the letter', async () => {
  const thread = await scene.account.addThread();
  const text = `${'ж'.repeat(4_073)}'; DROP TABLE notes; --`;
  expect((await scene.api.addNote(thread, text)).body.data).toMatchObject({ text });
});

it('refuses what nobody sees, and changes nothing', async () => {
  const thread = await scene.account.addThread();
  const before = await scene.kept.everything(thread);
  const { status, body } = await scene.api.addNote(thread, '\u200b \u2060\u200d');
  expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  expect(await scene.kept.everything(thread)).toEqual(before);
});
