import { ApiClient, type Answer } from '../../support/clients/api.client';
import type { BoardClient } from '../../support/clients/board.client';
import { type SessionClient, invite, joinBy } from '../../support/clients/session.client';
import { boardBy } from '../../support/clients/session.watch';
import { addAdminKey } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { setInboundScene } from '../../support/scenes/inbound.scene';
import { CloudNumber } from '../../support/stand-ins/cloud.webhooks';

const scene = setInboundScene({ servers: 2 });
const DAY_MS = 86_400_000;
const SPAN = {
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + DAY_MS).toISOString(),
};

/**
 * What an agent of the account has: a stage, a bot, a dialog with a customer's words, a sent template. Who gets a file is
 * in whose-thing.e2e.spec.ts.
 */
interface OfAgent {
  assistant: string;
  bot: string;
  stage: string;
  thread: string;
  message: string;
  template: string;
  word: string;
}

/** It may make as many calls as are needed here. */
let key: string;
let narrow: SessionClient;
let wide: SessionClient;
let own: OfAgent;
let other: OfAgent;

/** The customer is the same at both, so only the agent tells the dialogs apart. */
async function agent(assistant: string, bot: string, number: CloudNumber, word: string): Promise<OfAgent> {
  const { account } = scene;
  const [stage = ''] = await account.addStages(assistant, [{ name: `Stage ${word}` }]);
  await scene.tell(number.message({ phone: '77015550101' }, `Здравствуйте ${word}`));
  const { rows } = await scene.database.pool.query<{ id: string; thread_id: string }>(
    'SELECT id, thread_id FROM messages WHERE bot_id = $1',
    [bot],
  );
  const message = rows[0]?.id ?? '';
  const thread = `thread_${rows[0]?.thread_id}`;
  const moved = await scene.apiAt(0, key).setStatus({ thread_id: thread, status_id: stage });
  expect(moved.status).toBe(200);
  const template = `template_${word}`;
  // As a template that was sent is kept for figures.
  await scene.database.pool.query(
    `INSERT INTO figure_messages (account_id, message_id, assistant_id, bot_id, channel, at, role, status, counts, template, language)
     VALUES ($1, gen_random_uuid(), $2, $3, 'waba_coexistence', clock_timestamp(), 'AI', 'sent', true, $4, 'ru')`,
    [account.id, assistant, bot, template],
  );
  return { assistant, bot, stage, thread, message, template, word };
}

beforeAll(async () => {
  const { account } = scene;
  const assistant = await account.addAssistant();
  const bot = await account.addBot(undefined, assistant);
  key = await account.addKey({
    ...{ limitLeads: 100_000, limitGeneral: 100_000 },
    ...{ assistantIds: [account.assistantId, assistant], botIds: [account.botId, bot] },
  });
  own = await agent(account.assistantId, account.botId, scene.number, 'ownword');
  const number = new CloudNumber(await account.connect('waba_coexistence', { botId: bot }));
  other = await agent(assistant, bot, number, 'otherword');
  const limits = { limitGeneral: 100_000, limitLeads: 100_000 };
  const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool, limits));
  const join = async (assistant_ids: string[] | null, name: string): Promise<SessionClient> =>
    joinBy(scene.server.url, await invite(admin, account.id, { assistant_ids, name }));
  [narrow, wide] = [await join([own.assistant], 'Narrow'), await join(null, 'Wide')];
});

/** Nothing of the other agent is in a text, by id or word. */
function expectNothingOfOther(text: string): void {
  const { thread, ...rest } = other;
  const found = [uuidOf(thread), ...Object.values(rest)].filter((each) => text.includes(each));
  expect(found).toEqual([]);
}

/** What the narrow person is told has nothing of the other agent, while the wide person is told of it. */
async function narrowed(path: string, body: object): Promise<Answer> {
  const [told, all] = [await narrow.call(path, body), await wide.call(path, body)];
  expect([told.status, all.status]).toEqual([200, 200]);
  expect(() => expectNothingOfOther(all.text)).toThrow();
  expectNothingOfOther(told.text);
  return told;
}

/** Asked for by its id, a thing of the other agent is refused as what does not exist; the wide person gets it. */
async function refused(path: string, body: object, code: string): Promise<void> {
  const [told, all] = [await narrow.call(path, body), await wide.call(path, body)];
  expect([told.body.error?.code, all.status]).toEqual([code, 200]);
  expectNothingOfOther(told.text);
}

const idsOf = ({ body }: Answer): string[] =>
  (body.data.threads as { thread_id: string }[]).map(({ thread_id: id }) => id);

describe('an operator of one agent', () => {
  it('lists only its dialogs, by the same phone too, and totals count only them', async () => {
    const listed = await narrowed('messages/get-threads', { counts: true, messages_limit: 10 });
    expect(idsOf(listed)).toEqual([own.thread]);
    expect(listed.body.data.totals).toEqual([{ status_id: own.stage, total: 1 }]);
    const byPhone = await narrowed('messages/get-threads', { phones: ['+77015550101'], counts: true });
    expect(idsOf(byPhone)).toEqual([own.thread]);
  });

  it('finds no word of the other agent’s customers, and the words of its own', async () => {
    const search = (by: SessionClient, word: string): Promise<string[]> =>
      by.call('messages/get-threads', { search: word }).then(idsOf);
    await eventually(
      async () => (await search(wide, other.word)).length === 1,
      10_000,
      'the words were not found',
    );
    expect(await search(wide, other.word)).toEqual([other.thread]);
    expect(await search(narrow, other.word)).toEqual([]);
    await eventually(
      async () => (await search(narrow, own.word)).length === 1,
      10_000,
      'the words were not found',
    );
    expect(await search(narrow, own.word)).toEqual([own.thread]);
    expect(await search(narrow, '5550101')).toEqual([own.thread]);
  });

  it('is refused the other agent’s figures, and has only its own', async () => {
    const funnel = { ...SPAN, timezone: 'Asia/Almaty' };
    const figures = await narrow.call('leads/get-funnel-figures', { ...funnel, assistant_id: own.assistant });
    expect(figures.text).toContain(own.stage);
    expectNothingOfOther(figures.text);
    const ofBot = await narrow.call('messages/get-template-figures', { ...SPAN, bot_id: own.bot });
    expect(ofBot.text).toContain(own.template);
    expectNothingOfOther(ofBot.text);
    const foreign = { ...SPAN, bot_id: other.bot };
    const all = await wide.call('messages/get-template-figures', foreign);
    expect(all.text).toContain(other.template);
    const told = await narrow.call('messages/get-template-figures', foreign);
    expect([403, 404]).toContain(told.status);
    expect(told.text).not.toContain(other.template);
  });
});

describe('boards of an operator of one agent', () => {
  const boards: BoardClient[] = [];
  afterAll(() => boards.forEach((board) => board.close()));

  it('have no live event, total or presence of the other agent, on either process', async () => {
    for (const { url } of scene.servers) boards.push(await boardBy(narrow.at(url)));
    const all = await boardBy(wide);
    boards.push(all);
    await all.open(other.assistant);
    await all.open(own.assistant);
    for (const board of boards.slice(0, 2)) {
      expectNothingOfOther(JSON.stringify(await board.open(own.assistant)));
      expect(await board.request('board:open', { assistant_id: other.assistant })).toMatchObject({
        error: { code: 'ASSISTANT_NOT_FOUND' },
      });
      expect(await board.request('presence:set', { thread_id: other.thread })).toMatchObject({
        error: { code: 'THREAD_NOT_FOUND' },
      });
    }
    for (const { thread } of [other, own]) {
      await all.request('presence:set', { thread_id: thread });
      await wide.call('leads/set-status', { thread_id: thread, status_id: null });
      await eventually(
        async () => {
          const heard = all.events as unknown as { event: string; thread_id?: string }[];
          return heard.some(({ event, thread_id: id }) => event === 'presence' && id === thread);
        },
        5_000,
        'the presence was not told',
      );
    }
    // What comes last of all: by then whatever was before it has come too.
    for (const board of boards.slice(0, 2)) {
      await board.hears(
        (event) => JSON.stringify(event).includes(own.thread) && (event.event as string) !== 'presence',
      );
      await eventually(
        async () => (board.events as { event: string }[]).some(({ event }) => event === 'presence'),
        5_000,
        'the own presence was not told',
      );
      expectNothingOfOther(JSON.stringify([board.events, board.totals, board.resyncs]));
    }
    expect(JSON.stringify([all.events, all.totals])).toContain(other.thread);
  });
});

describe('an operator whose agent gets a bot of another agent', () => {
  it('gets nothing of what the bot sent for its former agent, by no id', async () => {
    const { account, database } = scene;
    const message = await account.addMessage(other.thread, {
      role: 'OPERATOR',
      text: 'sent for the former agent',
    });
    const batch = await account.addBatch(other.bot);
    await database.pool.query(
      `UPDATE messages SET bot_id = $2, batch_id = $3, batch_index = 0, recipient = '+77015550000', status = 'unknown' WHERE id = $1`,
      [message, other.bot, batch],
    );
    await database.pool.query(
      'UPDATE batches SET first_message_id = $2, last_message_id = $2 WHERE id = $1',
      [batch, message],
    );
    await database.pool.query('UPDATE bots SET assistant_id = $2 WHERE id = $1', [other.bot, own.assistant]);
    await refused('messages/get-message', { id: message }, 'MESSAGE_NOT_FOUND');
    await refused('messages/get-batch', { batch_id: batch }, 'BATCH_NOT_FOUND');
    await refused('messages/settle-message', { id: message, outcome: 'failed' }, 'MESSAGE_NOT_FOUND');
    await refused('messages/get-messages', { thread_id: other.thread }, 'THREAD_NOT_FOUND');
    const listed = await narrow.call('messages/get-threads', { search: 'former', messages_limit: 10 });
    expectNothingOfOther(listed.text);
    const lists = await narrow.call('messages/get-batches', { bot_id: other.bot });
    expect(lists.body.data).toEqual({ batches: [], next_cursor: null });
  });
});
