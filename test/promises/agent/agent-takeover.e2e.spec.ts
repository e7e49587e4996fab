import type { Card } from '@app/contracts/board-events';
import { AgentTalks, type Talk, moveTo } from '../../support/scenes/agent.talks';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { BoardClient } from '../../support/clients/board.client';
import type { Customer } from '../../support/stand-ins/cloud.webhooks';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import type { GivenReply } from '../../support/stand-ins/model.script';
import { accept } from '../../support/stand-ins/scripted.provider';

const MUTES = 1;
const QUALIFIED = 2;
const scene = setReplyScene({ servers: 2, stages: [{}, { aiEnabled: false }, { kind: 'qualified' }] });
const talks = new AgentTalks(scene);

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
  it('ends by itself, once over two processes: the boards and the history hear of it, and nobody is asked for', async () => {
    const boards = await Promise.all(
      scene.servers.map(({ url }) => BoardClient.connect(url, { api_key: scene.account.key })),
    );
    try {
      for (const board of boards) await board.open(scene.account.assistantId);
      const taken = await Promise.all(Array.from({ length: 5 }, () => takenOver()));
      await scene.database.pool.query(
        `UPDATE threads SET takeover_until = clock_timestamp() - interval '1 ms' WHERE id = ANY ($1::uuid[])`,
        [taken.map(({ thread }) => thread)],
      );
      const returnOf =
        (thread: string) =>
        (event: BoardClient['events'][number]): boolean =>
          event.thread_id === `thread_${thread}` &&
          event.event === 'ai.switched' &&
          event.message_handler === 'AI';
      for (const { thread } of taken) for (const board of boards) await board.hears(returnOf(thread));
      await somebodyElseIsAnswered();
      for (const { thread } of taken) {
        for (const board of boards) expect(board.events.filter(returnOf(thread))).toHaveLength(1);
        expect(await handlerEntries(thread)).toMatchObject([
          { by: 'OPERATOR', from: 'AI', to: 'OPERATOR' },
          { by: 'SYSTEM', from: 'OPERATOR', to: 'AI' },
        ]);
        expect(await handlerOf(thread)).toBe('AI');
        expect(await scene.told(thread)).toEqual([]);
      }
    } finally {
      for (const board of boards) board.close();
    }
  });

  it('is returned once where both processes find it over at the same moment', async () => {
    const { customer, thread } = await takenOver();
    await scene.kept.setFacts(`thread_${thread}`, `takeover_until = clock_timestamp() + interval '1 s'`);
    const lock = await RowLock.take(scene.database, `thread_${thread}`);
    // Long enough that each process has checked: it either waits for the row, or leaves it to a later sweep.
    await eventually(
      async () => ((await scene.dialog(`+${customer.phone}`)).takeover_seconds ?? 0) < -0.8,
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
    expect(await scene.told(thread)).toEqual(['attention nobody_answered']);
    await scene.model.reply({ text: 'Да, слушаю.', when: customer.phone });
    await scene.write(customer, `Ау, ${customer.phone}!`);
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    expect(await saidByAgent(thread)).toEqual(['Да, слушаю.']);
  });

  const takeoverEnd = (word: string) =>
    scene.database.pool.query('UPDATE accounts SET takeover_end = $2 WHERE id = $1', [
      ...[scene.account.id, word],
    ]);

  it('has the agent answer what waited, where the account says so', async () => {
    const { customer, thread } = await takenOver();
    await scene.model.reply({ text: 'Я снова здесь.', when: customer.phone });
    await scene.write(customer, `Вы тут? ${customer.phone}`);
    await takeoverEnd('answer');
    await timeIsOver(thread);
    await scene.untilSaid(customer, 2);
    await scene.untilQuiet(thread);
    await takeoverEnd('ask');
    expect(await saidByAgent(thread)).toEqual(['Я снова здесь.']);
    expect(await scene.told(thread)).toEqual([]);
    expect(await handlerOf(thread)).toBe('AI');
  });

  it('goes on where the account says so, without an end, until a person writes', async () => {
    const { customer, thread } = await takenOver();
    const thread_id = `thread_${thread}`;
    const listed = async (): Promise<Card | undefined> => {
      const { body } = await scene.api.getThreads({ phones: [`+${customer.phone}`] });
      return (body.data.threads as Card[])[0];
    };
    const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    try {
      await board.open(scene.account.assistantId);
      await scene.write(customer, 'Вы тут?');
      await takeoverEnd('keep');
      await scene.kept.setFacts(thread_id, `takeover_until = clock_timestamp() - interval '1 ms'`);
      const heard = await board.hears(
        (event) =>
          event.thread_id === thread_id &&
          'card' in event &&
          event.card.attention?.reason === 'nobody_answered',
      );
      await takeoverEnd('ask');
      const kept = { message_handler: 'OPERATOR', ai_enabled: true, takeover_until: null };
      expect(heard).toMatchObject({ card: kept });
      expect(await listed()).toMatchObject(kept);
      expect(await handlerEntries(thread)).toHaveLength(1);
      expect(await saidByAgent(thread)).toEqual([]);
      await scene.api.sendText(thread_id, 'Тут.');
      expect(await listed()).toMatchObject({ ...kept, takeover_until: expect.any(String), attention: null });
    } finally {
      board.close();
    }
  });

  it('is replaced by set-ai false, and switches on nothing when its time is over', async () => {
    const { customer, thread } = await takenOver();
    const { body: off } = await scene.api.setAi(`thread_${thread}`, false);
    expect(off.data).toMatchObject({ changed: true, ai_enabled: false, message_handler: 'OPERATOR' });
    expect((await scene.kept.thread(`thread_${thread}`)).takeover).toBe(false);
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

describe('hand_over', () => {
  const handOver: GivenReply = {
    tool_calls: [{ name: 'hand_over', arguments: { reason: 'Wants a person.' } }],
  };

  /** The dialog's card as a board shows it. */
  async function cardOf({ thread }: Talk): Promise<Card | undefined> {
    const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    try {
      const { columns } = await board.open(scene.account.assistantId);
      return columns.flatMap(({ cards }) => cards).find(({ thread_id }) => thread_id === `thread_${thread}`);
    } finally {
      board.close();
    }
  }

  it('says one message, hands over for as long as the agent stays away, and asks for an operator', async () => {
    const talked = await talks.through([handOver]);
    const card = await cardOf(talked);
    const attention = { reason: 'hand_over', note: 'Wants a person.', since: expect.any(String) };
    expect(card).toMatchObject({ message_handler: 'OPERATOR', ai_enabled: true, attention });
    const { takeover_seconds: seconds } = await scene.dialog(`+${talked.customer.phone}`);
    expect(seconds).toBeGreaterThan(29 * 60);
    expect(seconds).toBeLessThanOrEqual(30 * 60);
    const { body } = await scene.api.getHistory({ thread_id: `thread_${talked.thread}` });
    const entries = body.data.entries as { at: string }[];
    expect(entries.slice(0, 2)).toMatchObject([
      { type: 'attention', by: 'AI', to: 'hand_over', note: 'Wants a person.' },
      { type: 'handler', by: 'AI', from: 'AI', to: 'OPERATOR' },
    ]);
    expect(card?.attention?.since).toBe(entries[0]?.at);
    const { body: list } = await scene.api.getThreads({ attention: 'hand_over' });
    const listed = (list.data.threads as Card[]).find(({ thread_id }) => thread_id === card?.thread_id);
    expect(listed?.attention).toEqual(card?.attention);
  });

  it('says the agent’s own words for it where there are some, as one message, also where the model then fails', async () => {
    const words = `${'Одну минуту, зову коллегу, оставайтесь на связи, пожалуйста, это быстро.'}\n\nСпасибо, что ждёте.`;
    await scene.database.pool.query('UPDATE assistants SET handover_text = $2 WHERE id = $1', [
      scene.account.assistantId,
      words,
    ]);
    const talked = await talks.begin([handOver, { status: 401 }]);
    await scene.untilQuiet(talked.thread);
    await scene.database.pool.query('UPDATE assistants SET handover_text = NULL');
    expect(scene.textsTo(talked.customer)).toEqual([words]);
    expect(await cardOf(talked)).toMatchObject({
      message_handler: 'OPERATOR',
      attention: { reason: 'hand_over' },
    });
  });

  it('does nothing in a dialog that was switched off while the message was on its way', async () => {
    const taken = Promise.withResolvers<void>();
    const talked = await talks.begin([{ ...handOver, hold: 'start' }, { text: 'Сейчас.' }]);
    const { phone } = talked.customer;
    scene.provider.on(`+${phone}`, async (response, received, n) => {
      if (n === 1) await taken.promise;
      return accept(response, received, n);
    });
    await scene.model.release((await scene.model.held(phone)).n);
    await scene.untilSaid(talked.customer, 1);
    const { status } = await scene.api.setAi(`thread_${talked.thread}`, false);
    expect(status).toBe(200);
    taken.resolve();
    await scene.untilQuiet(talked.thread);
    expect(await scene.told(talked.thread)).toEqual([]);
    expect(await cardOf(talked)).toMatchObject({ message_handler: 'OPERATOR', attention: null });
  });

  it('with a move to a stage that mutes does both, also without a reason', async () => {
    const talked = await talks.through([
      {
        tool_calls: [
          { name: 'move_lead', arguments: { status_id: scene.stage(MUTES) } },
          { name: 'hand_over', arguments: {} },
        ],
      },
    ]);
    expect(await talks.stageOf(talked.thread)).toBe(scene.stage(MUTES));
    expect(await cardOf(talked)).toMatchObject({
      message_handler: 'OPERATOR',
      attention: { reason: 'hand_over', note: null },
    });
  });
});

it('what the agent does of itself names it: in the history and on the boards', async () => {
  const actor = { type: 'agent', id: scene.account.assistantId, name: 'agent' };
  const handOver = { tool_calls: [{ name: 'hand_over', arguments: { reason: 'A discount' } }] };
  const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
  try {
    await board.open(scene.account.assistantId);
    const talked = await talks.through([moveTo(scene.stage(QUALIFIED)), handOver]);
    const id = `thread_${talked.thread}`;
    const { body } = await scene.api.getHistory({ thread_id: id, limit: 50 });
    const entries = body.data.entries as { type: string; by: string; actor: unknown }[];
    expect(entries.filter(({ by }) => by === 'AI').map(({ type, actor: its }) => [type, its])).toEqual([
      ['attention', actor],
      ['handler', actor],
      ['status', actor],
    ]);
    const heard = (): [string, unknown][] =>
      board.events.flatMap((event) =>
        'actor' in event && event.thread_id === id && event.actor?.type === 'agent'
          ? [[event.event, event.actor]]
          : [],
      );
    await eventually(async () => heard().length >= 2, 5_000, 'the board did not hear of the agent');
    // The provider's answer comes a little later, or not yet.
    expect(heard().slice(0, 2)).toEqual([
      ['card.moved', actor],
      ['message.created', actor],
    ]);
  } finally {
    board.close();
  }
});
