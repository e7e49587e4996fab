import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { addAdminKey } from '../../support/database/fixture';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';

const scene = setReplyScene({ stages: [{}, {}, {}] });
const idOf = (thread: string): string => `thread_${thread}`;

let admin: ApiClient;

/**
 * Until boards have been asked to open again: a board opened right afterwards would be asked in the middle of the
 * test.
 */
const setRule = async (stage: number, rule: 'ai' | 'operator' | null): Promise<void> => {
  const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
  await board.open(scene.account.assistantId);
  const { status } = await admin.admin('PATCH', `statuses/${scene.stage(stage)}`, { on_enter: rule });
  expect(status).toBe(200);
  await eventually(async () => board.resyncs.length > 0, 10_000, 'the board was not told to open anew');
  board.close();
};

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  await setRule(1, 'operator');
  await setRule(2, 'ai');
});

const enter = (thread: string, stage: number, more: object = {}) =>
  scene.api.setStatus({ thread_id: idOf(thread), status_id: scene.stage(stage), ...more });

const handlerOf = async (thread: string): Promise<string> => {
  const { body } = await scene.api.getLead(idOf(thread));
  return String(body.data.message_handler);
};

const history = async (thread: string): Promise<string[]> => {
  const { body } = await scene.api.getHistory({ thread_id: idOf(thread) });
  const entries = body.data.entries as { type: string; from: unknown; to: unknown }[];
  return entries
    .map(({ type, from, to }) => (type === 'handler' ? `${type} ${String(from)} ${String(to)}` : type))
    .reverse();
};

describe('a stage that hands its leads to an operator', () => {
  it('starts a takeover, and discards an unfinished reply', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Слишком поздно.', hold: 'middle', when: customer.phone });
    const thread = await scene.write(customer, `Я ${customer.phone}`);
    await scene.model.held(customer.phone);
    expect((await enter(thread, 1)).body.data.changed).toBe(true);
    expect(await handlerOf(thread)).toBe('OPERATOR');
    await scene.untilQuiet(thread);
    expect(scene.said(customer)).toHaveLength(0);
    expect(await history(thread)).toEqual(['status', 'handler AI OPERATOR', 'reply_discarded']);
    const { takeover_seconds: seconds } = await scene.dialog(`+${customer.phone}`);
    expect(seconds).toBeGreaterThan(29 * 60);
  });

  it('answers no waiting message, even by the flag, and says so', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Ответ.', when: customer.phone });
    const thread = await scene.write(customer, `Я ${customer.phone}`);
    await scene.untilSaid(customer, 1);
    await scene.untilQuiet(thread);
    await scene.api.setAi(idOf(thread), false);
    await scene.write(customer, 'Вы тут?');
    await scene.kept.setFacts(idOf(thread), 'ai_enabled = true, ai_epoch = ai_epoch + 1');
    const request = { thread_id: idOf(thread), status_id: scene.stage(1), answer_pending_message: true };
    const previewed = await scene.api.setStatusBulk({ items: [request], dry_run: true });
    expect(previewed.body.data.results[0].data.answered_pending_message).toBe(false);
    const { body } = await scene.api.setStatus(request);
    expect(body.data).toMatchObject({ changed: true, answered_pending_message: false });
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer)).toEqual(['Ответ.']);
    expect(await scene.told(thread)).toEqual([]);
  });

  it('begins no takeover while the agent is off', async () => {
    const customer = newCustomer();
    const thread = await scene.write(customer, 'Вопрос');
    await scene.api.setAi(idOf(thread), false);
    await enter(thread, 1);
    expect(await handlerOf(thread)).toBe('OPERATOR');
    expect((await scene.dialog(`+${customer.phone}`)).takeover_seconds).toBeNull();
    expect(await history(thread)).not.toContain('handler AI OPERATOR');
  });
});

describe('a rule that is added or removed while leads are in the stage', () => {
  it('counts for the next lead that enters, and leaves those alone that are there', async () => {
    const [there, next, last] = [
      await scene.account.addThread({ statusId: scene.stage(0) }),
      await scene.account.addThread(),
      await scene.account.addThread(),
    ];
    const enterFirst = (thread_id: string) => scene.api.setStatus({ thread_id, status_id: scene.stage(0) });
    const handler = async (thread: string): Promise<string> =>
      String((await scene.api.getLead(thread)).body.data.message_handler);
    await setRule(0, 'operator');
    await enterFirst(next);
    await setRule(0, null);
    await enterFirst(last);
    expect([await handler(there), await handler(next), await handler(last)]).toEqual([
      'AI',
      'OPERATOR',
      'AI',
    ]);
  });
});

describe('a stage that hands its leads to the agent', () => {
  it('ends a takeover, answers nothing that waited, and shows it on the board', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Ответ.', when: customer.phone });
    const thread = await scene.write(customer, `Я ${customer.phone}`);
    await scene.untilSaid(customer, 1);
    await scene.untilQuiet(thread);
    await scene.api.sendText(idOf(thread), 'Человек здесь.');
    await scene.write(customer, 'Спасибо, жду');
    const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    await board.open(scene.account.assistantId);
    await enter(thread, 2);
    expect(await handlerOf(thread)).toBe('AI');
    await eventually(
      () => Promise.resolve(board.events.some(({ event }) => event === 'ai.switched')),
      10_000,
      'the board was not told',
    );
    board.close();
    await scene.untilQuiet(thread);
    expect(scene.textsTo(customer)).toEqual(['Ответ.', 'Человек здесь.']);
    expect((await scene.dialog(`+${customer.phone}`)).waiting_message_id).not.toBeNull();
  });

  it('never switches on what is off for good', async () => {
    const customer = newCustomer();
    await scene.model.reply({ text: 'Ответ.', when: customer.phone });
    const thread = await scene.write(customer, `Я ${customer.phone}`);
    await scene.untilSaid(customer, 1);
    await scene.api.setAi(idOf(thread), false);
    await enter(thread, 2);
    expect(await handlerOf(thread)).toBe('OPERATOR');
    expect(await history(thread)).toEqual(['ai', 'status']);
  });
});

describe('a dry run through stages with rules', () => {
  /** A dialog in which a message waits, and the agent is away or there. */
  async function waiting(facts: string): Promise<string> {
    const thread_id = await scene.account.addThread({ statusId: scene.stage(0), waitingMinutes: 5 });
    await scene.kept.setFacts(thread_id, facts);
    return thread_id;
  }

  it.each([
    ['an operator’s and on', 'ai_enabled = true', 1, false],
    ['the agent’s in a takeover and on', `takeover_until = clock_timestamp() + interval '1 hour'`, 2, true],
    ['the agent’s while off and on', 'ai_enabled = false', 2, false],
  ])('foresees for %s what then comes about', async (_, facts, ruled, answered) => {
    const thread_id = await waiting(facts);
    const items = [
      { thread_id, status_id: scene.stage(ruled) },
      { thread_id, status_id: scene.stage(0), answer_pending_message: true },
    ];
    const told = async (dry_run: boolean): Promise<unknown[]> => {
      const { body } = await scene.api.setStatusBulk({ items, dry_run });
      const results = body.data.results as { data: { answered_pending_message: boolean } }[];
      return results.map(({ data }) => data.answered_pending_message);
    };
    const previewed = await told(true);
    expect([previewed, await told(false)]).toEqual([
      [false, answered],
      [false, answered],
    ]);
  });
});
