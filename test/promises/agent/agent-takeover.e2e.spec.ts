import { BoardClient } from '../../support/clients/board.client';
import type { Customer } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { RowLock } from '../../support/faults/row.lock';

const scene = setReplyScene({ servers: 2 });

type Person = Customer & { phone: string };

const SILENCERS: [string, (thread: string, customer: Person) => Promise<unknown>][] = [
  ['the monitor’s operation', (thread) => scene.api.sendText(`thread_${thread}`, 'Это человек.')],
  ['the phone’s own app', (_, customer) => scene.tell(scene.number.echo(customer, 'Это человек.'))],
];

/** A dialog that a person has taken over. */
async function takenOver(): Promise<{ customer: Person; thread: string }> {
  const customer = newCustomer();
  const thread = (await scene.account.addThread({ phone: `+${customer.phone}` })).replace('thread_', '');
  await scene.api.sendText(`thread_${thread}`, 'Это человек.');
  return { customer, thread };
}

/** Has the takeover's time come to its end, by the database's clock. */
async function timeIsOver(thread: string): Promise<void> {
  await scene.kept.setFacts(`thread_${thread}`, `takeover_until = clock_timestamp() - interval '1 ms'`);
  await eventually(
    async () => !(await scene.kept.thread(`thread_${thread}`)).takeover,
    5_000,
    'the agent did not return',
  );
}

/** The oldest first. */
async function handlerEntries(thread: string): Promise<object[]> {
  const { body } = await scene.api.getHistory({ thread_id: `thread_${thread}`, limit: 200 });
  return (body.data.entries as { type: string }[]).filter(({ type }) => type === 'handler').reverse();
}

/** What the agent said, not a person. */
async function saidByAgent(thread: string): Promise<string[]> {
  return (await scene.messages(thread)).filter(({ role }) => role === 'AI').map(({ text }) => text);
}

async function handlerOf(thread: string): Promise<string> {
  const { body } = await scene.api.getLead(`thread_${thread}`);
  return body.data.message_handler as string;
}

/** Waits until a later message has had its whole way, so that one that is not answered would have been by now. */
async function somebodyElseIsAnswered(): Promise<void> {
  const other = newCustomer();
  await scene.write(other, 'Вопрос');
  await scene.untilSaid(other, 1);
}

describe.each(SILENCERS)('a takeover by %s', (_, silence) => {
  it('silences the agent, and what is written then waits', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Не для чужих ушей.', hold: 'middle', when: customer.phone });
    const thread = await scene.write(customer, `Мой номер ${customer.phone}`);
    const held = await scene.model.held(customer.phone);
    await silence(thread, customer);
    expect((await scene.model.ended(held.n)).end).toBe('client closed');
    await scene.write(customer, 'А теперь?');
    await somebodyElseIsAnswered();
    await scene.untilQuiet(thread);
    expect(await saidByAgent(thread)).toEqual([]);
    expect(await scene.told(thread)).toEqual(['reply_discarded takeover']);
    expect(await handlerOf(thread)).toBe('OPERATOR');
    expect((await scene.dialog(`+${customer.phone}`)).waiting_message_id).not.toBeNull();
  });
});

describe('a takeover whose time is over', () => {
  it('ends by itself, once over two processes: the boards and the history hear of it', async () => {
    const boards = await Promise.all(
      scene.servers.map(({ url }) => BoardClient.connect(url, { api_key: scene.account.key })),
    );
    try {
      for (const board of boards) await board.open(scene.account.assistantId);
      const { thread } = await takenOver();
      await timeIsOver(thread);
      const isReturn = (event: BoardClient['events'][number]): boolean =>
        event.thread_id === `thread_${thread}` &&
        event.event === 'ai.switched' &&
        event.message_handler === 'AI';
      for (const board of boards) await board.hears(isReturn);
      await somebodyElseIsAnswered();
      for (const board of boards) expect(board.events.filter(isReturn)).toHaveLength(1);
      expect(await handlerEntries(thread)).toMatchObject([
        { by: 'OPERATOR', from: 'AI', to: 'OPERATOR' },
        { by: 'SYSTEM', from: 'OPERATOR', to: 'AI' },
      ]);
      expect(await handlerOf(thread)).toBe('AI');
    } finally {
      for (const board of boards) board.close();
    }
  });

  it('returns twenty dialogs once each, while both processes sweep', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => takenOver()));
    await scene.database.pool.query(
      `UPDATE threads SET takeover_until = clock_timestamp() - interval '1 ms' WHERE id = ANY ($1::uuid[])`,
      [taken.map(({ thread }) => thread)],
    );
    for (const { thread } of taken)
      await eventually(
        async () => (await handlerEntries(thread)).length > 1,
        5_000,
        'the agent did not return',
      );
    await somebodyElseIsAnswered();
    for (const { thread } of taken) expect(await handlerEntries(thread)).toHaveLength(2);
  });

  it('is returned once where both processes find it over at the same moment', async () => {
    const { customer, thread } = await takenOver();
    await scene.kept.setFacts(`thread_${thread}`, `takeover_until = clock_timestamp() + interval '200 ms'`);
    const lock = await RowLock.take(scene.database, `thread_${thread}`);
    // Long enough that each process has checked: it either waits for the row, or leaves it to a later sweep.
    await eventually(
      async () => ((await scene.dialog(`+${customer.phone}`)).takeover_seconds ?? 0) < -1.5,
      10_000,
      'the time did not pass',
    );
    await lock.release();
    await eventually(
      async () => (await handlerEntries(thread)).length > 1,
      5_000,
      'the agent did not return',
    );
    await somebodyElseIsAnswered();
    expect(await handlerEntries(thread)).toHaveLength(2);
  });

  it('leaves unanswered what waited, and what is written after it is answered', async () => {
    const { customer, thread } = await takenOver();
    await scene.write(customer, 'Вы тут?');
    await timeIsOver(thread);
    await somebodyElseIsAnswered();
    expect(await saidByAgent(thread)).toEqual([]);
    expect((await scene.dialog(`+${customer.phone}`)).waiting_message_id).not.toBeNull();
    await scene.model.reply({ text: 'Да, слушаю.', when: customer.phone });
    await scene.write(customer, `Ау, ${customer.phone}!`);
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    expect(await saidByAgent(thread)).toEqual(['Да, слушаю.']);
  });

  it('does not switch on what was switched off meanwhile', async () => {
    const { customer, thread } = await takenOver();
    await scene.api.setAi(`thread_${thread}`, false);
    await timeIsOver(thread);
    await scene.write(customer, 'Вы тут?');
    await somebodyElseIsAnswered();
    expect(await saidByAgent(thread)).toEqual([]);
    const { body } = await scene.api.getLead(`thread_${thread}`);
    expect(body.data).toMatchObject({ message_handler: 'OPERATOR' });
    expect(await scene.dialog(`+${customer.phone}`)).toMatchObject({ ai_enabled: false });
    // The switch replaced the takeover, so its end is no entry of the history.
    expect(await handlerEntries(thread)).toHaveLength(1);
  });
});

describe('set-ai in a takeover', () => {
  it('true ends it and answers what waits', async () => {
    const { customer, thread } = await takenOver();
    await scene.model.reply({ text: 'Теперь да.', when: customer.phone });
    await scene.write(customer, `Вы тут? ${customer.phone}`);
    const { body } = await scene.api.setAi(`thread_${thread}`, true);
    expect(body.data).toMatchObject({
      changed: true,
      message_handler: 'AI',
      answered_pending_message: true,
    });
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    expect(await saidByAgent(thread)).toEqual(['Теперь да.']);
  });

  it('false makes it permanent', async () => {
    const { customer, thread } = await takenOver();
    const { body } = await scene.api.setAi(`thread_${thread}`, false);
    expect(body.data).toMatchObject({ changed: true, ai_enabled: false, message_handler: 'OPERATOR' });
    expect((await scene.kept.thread(`thread_${thread}`)).takeover).toBe(false);
    await scene.write(customer, 'Вы тут?');
    await somebodyElseIsAnswered();
    expect(await saidByAgent(thread)).toEqual([]);
  });
});
