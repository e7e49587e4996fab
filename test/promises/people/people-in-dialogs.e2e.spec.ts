import { randomUUIDv7 } from 'node:crypto';
import { type Answer, ApiClient } from '../../support/clients/api.client';
import { setBoardPair } from '../../support/clients/board.pair';
import { type SessionClient, invite, joinBy } from '../../support/clients/session.client';
import { addAdminKey, AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { newPhone, setSendScene } from '../../support/scenes/send.scene';
import { RowLock } from '../../support/faults/row.lock';
import { refusalOf } from '../../support/clients/refusal.expectation';

const scene = setSendScene({ servers: 2 });
const boards = setBoardPair(scene);
let admin: ApiClient;
let page: SessionClient;
let actor: object;
let writer: { id: string; name: string };

const join = async (name: string): Promise<SessionClient> =>
  joinBy(scene.server.url, await invite(admin, scene.account.id, { name }));

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  page = await join('Айгерим');
  writer = { id: page.userId, name: 'Айгерим' };
  actor = { type: 'user', ...writer };
});

interface Entry {
  type: string;
  by: string;
  actor: object | null;
  request_id: string | null;
}

/** What a person does in a dialog: the call, the board event of it, and the entry of the history, where it makes one. */
interface Deed {
  path: string;
  body: (of: { stages: string[]; userId: string; said: string }) => object;
  event: string;
  entry?: { type: string; by: string; from?: unknown; to?: unknown };
}

const DEEDS: Record<string, Deed> = {
  'a move': {
    path: 'leads/set-status',
    body: ({ stages }) => ({ status_id: stages[1] }),
    event: 'card.moved',
    entry: { type: 'status', by: 'OPERATOR_MANUAL' },
  },
  'switching the agent off': {
    path: 'leads/set-ai',
    body: () => ({ ai_enabled: false }),
    event: 'ai.switched',
    entry: { type: 'ai', by: 'OPERATOR_MANUAL', from: true, to: false },
  },
  'a name': {
    path: 'leads/set-name',
    body: () => ({ name: 'Дана' }),
    event: 'card.updated',
    entry: { type: 'name', by: 'OPERATOR_MANUAL', from: null, to: 'Дана' },
  },
  'taking the mark off': {
    path: 'leads/clear-attention',
    body: () => ({}),
    event: 'card.updated',
    entry: { type: 'attention', by: 'OPERATOR_MANUAL', from: 'model', to: null },
  },
  'an assignment': {
    path: 'leads/assign',
    body: ({ userId }) => ({ user_id: userId }),
    event: 'card.updated',
    entry: { type: 'assignee', by: 'OPERATOR_MANUAL', from: null },
  },
  reading: {
    path: 'messages/mark-read',
    body: ({ said }) => ({ up_to: said }),
    event: 'card.updated',
  },
  'a note': { path: 'messages/add-note', body: () => ({ text: 'Перезвонить' }), event: 'message.created' },
};

/** A dialog in which the customer waits, has been read by nobody, and a person is asked for. */
async function dialog(): Promise<{ thread: string; said: string }> {
  const thread = await scene.account.addThread({ phone: newPhone(), waitingMinutes: 1 });
  const said = await scene.account.addMessage(thread, { text: 'Алло' });
  await scene.database.pool.query(
    `UPDATE threads SET unread_count = 1, attention = 'model', attention_since = clock_timestamp() WHERE id = $1`,
    [uuidOf(thread)],
  );
  return { thread, said };
}

const entriesOf = async (thread_id: string): Promise<Entry[]> =>
  (await scene.api.getHistory({ thread_id })).body.data.entries as Entry[];

const requestOf = ({ headers }: Answer): string | null => headers.get('x-request-id');

describe('what a person does by a session carries who it was', () => {
  it.each(Object.entries(DEEDS))('%s: on the boards of every process and in the history', async (_, deed) => {
    const { thread, said } = await dialog();
    const { stages } = scene.account;
    const body = { thread_id: thread, ...deed.body({ stages, userId: page.userId, said }) };
    const answer = await page.at(scene.servers[1]!.url).call(deed.path, body);
    expect([answer.status, answer.body.data?.changed ?? true]).toEqual([200, true]);
    const request_id = requestOf(answer);
    expect(await boards.pair.lastHeard(thread)).toMatchObject({ event: deed.event, actor, request_id });
    const entries = await entriesOf(thread);
    expect(entries).toMatchObject(deed.entry ? [{ ...deed.entry, actor, request_id }] : []);
  });

  it('a text: an operator’s message, with the takeover that it begins', async () => {
    const { thread } = await dialog();
    const answer = await page.call('messages/send-text', { thread_id: thread, text: 'Я здесь' });
    expect(answer.body.data).toMatchObject({ thread_id: thread, status: 'sent' });
    const request_id = requestOf(answer);
    for (const board of boards.pair.boards)
      for (const event of ['message.created', 'ai.switched'])
        expect(
          await board.hears((heard) => heard.thread_id === thread && heard.event === event),
        ).toMatchObject({ actor, request_id });
    expect(await entriesOf(thread)).toMatchObject([
      { type: 'assignee', by: 'OPERATOR_MANUAL', actor, from: null, to: writer, request_id },
      { type: 'handler', actor, from: 'AI', to: 'OPERATOR', request_id },
    ]);
    const message = await scene.api.getMessage(answer.body.data.id);
    expect(message.body.data).toMatchObject({ role: 'OPERATOR', author: writer });
    const lead = await scene.api.getLead(thread);
    expect(lead.body.data).toMatchObject({ message_handler: 'OPERATOR' });
  });

  it('a template: an operator’s message, from a dialog that was not there before', async () => {
    const phone = newPhone();
    const { botId } = scene.account;
    const order = { bot_id: botId, channel: 'waba_coexistence', template_id: 'order_ready', to: { phone } };
    const answer = await page.call('messages/send-template', { ...order, params: ['a', 'b'] });
    expect(answer.status).toBe(200);
    const { thread_id: thread, id } = answer.body.data;
    const request_id = requestOf(answer);
    for (const board of boards.pair.boards)
      for (const event of ['card.created', 'message.created'])
        expect(
          await board.hears((heard) => heard.thread_id === thread && heard.event === event),
        ).toMatchObject({ actor, request_id });
    expect((await scene.api.getMessage(id)).body.data).toMatchObject({ role: 'OPERATOR', author: writer });
  });

  it('a key’s deeds carry the key, and so does the provider’s answer to them', async () => {
    const { thread } = await dialog();
    await scene.api.setName(thread, 'Дана');
    expect(await boards.pair.lastHeard(thread)).toMatchObject({ actor: { type: 'key', name: 'key' } });
    const { body } = await scene.api.sendText(thread, 'Готово');
    for (const board of boards.pair.boards) {
      const sent = await board.hears(
        (event) => event.event === 'message.updated' && event.message.id === body.data.id,
      );
      expect(sent).toMatchObject({ actor: { type: 'key', name: 'key' } });
    }
  });
});

describe('who answers a dialog', () => {
  interface Shown {
    thread_id: string;
    assignee: object | null;
    version: number;
  }

  const shownOf = async (thread: string): Promise<Shown | undefined> => {
    const { body } = await scene.api.getThreads({ limit: 200 });
    return (body.data.threads as Shown[]).find(({ thread_id: id }) => id === thread);
  };
  const versionsOf = async (thread: string): Promise<number[]> => {
    const { rows } = await scene.database.pool.query<{ version: number }>(
      'SELECT version::int FROM events WHERE thread_id = $1 ORDER BY version',
      [uuidOf(thread)],
    );
    return rows.map(({ version }) => version);
  };
  function expectUnbroken(versions: number[], last?: number): void {
    expect(versions).toEqual(versions.map((_, n) => (versions[0] ?? 0) + n));
    expect(versions.at(-1)).toBe(last);
  }
  const answerBy = (session: SessionClient, thread: string) =>
    session.call('messages/send-text', { thread_id: thread, text: 'Я здесь' });

  it('of nobody becomes its assignee, on boards as in lists, and nobody takes it from them by answering', async () => {
    const { thread } = await dialog();
    expect((await answerBy(page, thread)).status).toBe(200);
    for (const board of boards.pair.boards)
      expect(
        await board.hears(({ thread_id: id, event }) => id === thread && event === 'card.updated'),
      ).toMatchObject({ actor, card: { assignee: writer } });
    expect((await answerBy(await join('Бота'), thread)).status).toBe(200);
    expect(await shownOf(thread)).toMatchObject({ assignee: writer });
    const entries = await entriesOf(thread);
    expect(entries.map(({ type }) => type)).toEqual(['assignee', 'handler']);
    expectUnbroken(await versionsOf(thread), (await shownOf(thread))?.version);
  });

  it('becomes its assignee where the agent was off, too, and no handler changes', async () => {
    const thread = await scene.account.addThread({ phone: newPhone(), aiEnabled: false });
    await answerBy(page, thread);
    expect(await shownOf(thread)).toMatchObject({ assignee: writer });
    expect(await entriesOf(thread)).toMatchObject([{ type: 'assignee', to: writer }]);
  });

  /** A template into a dialog, by its id, or to its phone as the only one of a list. */
  const sendTemplate = (by: SessionClient, to: object) =>
    by.call('messages/send-template', {
      ...{ bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready', to },
    });

  it('becomes its assignee by a template, too, which alone is an answer after a day', async () => {
    const thread = await scene.account.addThread({ phone: newPhone(), waitingMinutes: 25 * 60 });
    expect((await sendTemplate(page, { thread_id: thread })).status).toBe(200);
    expect((await sendTemplate(await join('Бота'), { thread_id: thread })).status).toBe(200);
    expect(await shownOf(thread)).toMatchObject({ assignee: writer });
    expect(await entriesOf(thread)).toMatchObject([
      { type: 'assignee', from: null, to: writer, by: 'OPERATOR_MANUAL' },
    ]);
    expectUnbroken(await versionsOf(thread), (await shownOf(thread))?.version);
  });

  it('is nobody where a key sends, it is a note or a list, no customer waits, or the account does not have it so', async () => {
    const waits = { waitingMinutes: 25 * 60 };
    const add = (given: object = waits) => scene.account.addThread({ phone: newPhone(), ...given });
    const [byKey, noted, off] = [await dialog(), await dialog(), await dialog()];
    const templates = [await add(), await add(), await add({}), await add()];
    const [keys = '', listed = '', calm = '', left = ''] = templates;
    const { body } = await scene.api.sendText(byKey.thread, 'Готово');
    expect((await scene.api.getMessage(body.data.id)).body.data).toMatchObject({ author: null });
    await page.call('messages/add-note', { thread_id: noted.thread, text: 'Перезвонить' });
    const answers = [
      await scene.send({ thread_id: keys }),
      await sendTemplate(page, [{ thread_id: listed }]),
      await sendTemplate(page, { thread_id: calm }),
    ];
    const path = `accounts/${scene.account.id}`;
    expect((await admin.admin('PATCH', path, { assign_on_reply: false })).status).toBe(200);
    await answerBy(page, off.thread);
    answers.push(await sendTemplate(page, { thread_id: left }));
    await admin.admin('PATCH', path, { assign_on_reply: true });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const thread of [byKey.thread, noted.thread, off.thread, ...templates])
      expect([await shownOf(thread), (await entriesOf(thread)).map(({ type }) => type)]).toMatchObject([
        { assignee: null },
        [byKey.thread, off.thread].includes(thread) ? ['handler'] : [],
      ]);
  });

  it('is named by each of their messages: the author, in lists and on boards, as they are called now', async () => {
    const session = await join('Дана');
    const { thread } = await dialog();
    await answerBy(session, thread);
    await session.call('messages/add-note', { thread_id: thread, text: 'Перезвонить' });
    const author = { id: session.userId, name: 'Дана' };
    const board = boards.pair.boards[1]!;
    await board.hears(
      (heard) =>
        heard.thread_id === thread && heard.event === 'message.created' && heard.message.type === 'note',
    );
    const created = board.events.filter(
      (event) => event.thread_id === thread && event.event === 'message.created',
    );
    expect(created).not.toEqual([]);
    expect(created.every((event) => 'message' in event && event.message.author?.id === author.id)).toBe(true);
    const { body } = await scene.api.getMessages({ thread_id: thread });
    const shown = body.data.messages as { type: string; author: object | null }[];
    expect(shown.map(({ type, author: by }) => [type, by])).toEqual([
      ['note', author],
      ['text', author],
      ['text', null],
    ]);
  });
});

describe('get-assignees', () => {
  it('lists those to whom a dialog of the agent can be assigned, by name, and nobody else', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const api = scene.apiAt(0, account.key);
    const other = await account.addAssistant();
    const wanted = [
      { id: await account.addUser({ name: 'Аида', assistantIds: [account.assistantId] }), name: 'Аида' },
      { id: await account.addUser({ name: 'Берик', role: 'admin', assistantIds: [] }), name: 'Берик' },
      { id: await account.addUser({ name: 'Вера', assistantIds: null }), name: 'Вера' },
    ];
    await account.addUser({ name: 'Другая', assistantIds: [other] });
    await account.addUser({ name: 'Бывший', disabled: true });
    const { status, body } = await api.call('leads/get-assignees', { assistant_id: account.assistantId });
    expect([status, body.data]).toEqual([200, { assignees: wanted }]);
    for (const { id } of wanted)
      expect((await api.assign(await account.addThread(), id)).body.data).toMatchObject({ changed: true });
  });
});

describe('who a dialog is assigned to', () => {
  interface Entry {
    type: string;
    [field: string]: unknown;
  }

  async function historyOf(thread_id: string): Promise<Entry[]> {
    const { body } = await scene.api.getHistory({ thread_id });
    return (body.data.entries as Entry[]).filter(({ type }) => type === 'assignee');
  }

  const idsIn = ({ body }: Answer): string[] =>
    (body.data.threads as { thread_id: string }[]).map(({ thread_id: id }) => id);

  const listed = async (fields: object): Promise<string[]> =>
    idsIn(await scene.api.getThreads({ assistant_id: scene.account.assistantId, limit: 200, ...fields }));

  async function assigneeOf(thread: string): Promise<unknown> {
    const { body } = await scene.api.getThreads({ limit: 200 });
    const threads = body.data.threads as { thread_id: string; assignee: unknown }[];
    return threads.find(({ thread_id: id }) => id === thread)?.assignee;
  }

  describe('assign', () => {
    it('assigns a dialog to a person, in lists, on boards of all processes, in the history; null to nobody', async () => {
      const thread = await scene.account.addThread();
      const person = { id: await scene.account.addUser({ name: 'Дана' }), name: 'Дана' };
      const given = await scene.api.assign(thread, person.id);
      expect([given.status, given.body.data]).toEqual([
        200,
        { thread_id: thread, changed: true, assignee: person },
      ]);
      expect(await boards.pair.lastHeard(thread)).toMatchObject({
        event: 'card.updated',
        request_id: given.headers.get('x-request-id'),
        card: { thread_id: thread, assignee: person, message_handler: 'AI' },
      });
      expect(await assigneeOf(thread)).toEqual(person);
      const taken = await scene.api.assign(thread, null);
      expect(taken.body.data).toEqual({ thread_id: thread, changed: true, assignee: null });
      expect(await boards.pair.lastHeard(thread)).toMatchObject({ card: { assignee: null } });
      expect(await assigneeOf(thread)).toBeNull();
      const actor = { type: 'key', name: 'key' };
      expect(await historyOf(thread)).toMatchObject([
        { by: 'SYSTEM', actor, from: person, to: null },
        { by: 'SYSTEM', actor, from: null, to: person },
      ]);
    });

    it('changes nothing where it was so already: no event, no entry', async () => {
      const thread = await scene.account.addThread();
      const user = await scene.account.addUser();
      expect((await scene.api.assign(thread, null)).body.data).toMatchObject({
        changed: false,
        assignee: null,
      });
      await scene.api.assign(thread, user);
      const before = await scene.kept.everything(thread);
      expect((await scene.api.assign(thread, user.toUpperCase())).body.data).toMatchObject({
        changed: false,
        assignee: { id: user },
      });
      expect(await scene.kept.everything(thread)).toEqual(before);
    });

    it('at the same moment by many on two processes changes it once for each person', async () => {
      const thread = await scene.account.addThread();
      const users = [await scene.account.addUser(), await scene.account.addUser()];
      const lock = await RowLock.take(scene.database, thread);
      const calls = Promise.all(
        Array.from({ length: 12 }, (_, n) => scene.apiAt(n % 2).assign(thread, users[n % 2])),
      );
      await lock.waiters(2);
      await lock.release();
      const answers = await calls;
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      const entries = await historyOf(thread);
      expect(answers.filter(({ body }) => body.data.changed)).toHaveLength(entries.length);
      const given = entries.map(({ to }) => (to as { id: string }).id);
      const taken = entries.map(({ from }) => (from as { id: string } | null)?.id);
      // Each entry takes up where the one before it ended, and changes something.
      expect(taken).toEqual([...given.slice(1), undefined]);
      expect(await assigneeOf(thread)).toMatchObject({ id: given[0] });
    });

    it('knows nobody who does not see the agent, and refuses who is disabled, and says so', async () => {
      const { account } = scene;
      const thread = await account.addThread();
      const blind = await account.addUser({ assistantIds: [await account.addAssistant()] });
      const [unseen, none] = [
        await scene.api.assign(thread, blind),
        await scene.api.assign(thread, randomUUIDv7()),
      ];
      expect([unseen.status, unseen.body.error.code]).toEqual([404, 'USER_NOT_FOUND']);
      expect(refusalOf(unseen)).toEqual(refusalOf(none));
      const { status, body } = await scene.api.assign(thread, await account.addUser({ disabled: true }));
      expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
      const details = [{ path: 'user_id', message: expect.stringContaining('disabled') }];
      expect(body.error.details).toMatchObject(details);
      expect(await historyOf(thread)).toEqual([]);
    });

    it('stays with a person who is disabled later, and can be taken from them', async () => {
      const thread = await scene.account.addThread();
      const { userId } = await join('Дана');
      await scene.api.assign(thread, userId);
      const { status } = await admin.call(`admin/users/${userId}`, { disabled: true }, 'PATCH');
      expect(status).toBe(200);
      expect(await assigneeOf(thread)).toMatchObject({ id: userId });
      expect(await listed({ assignee_id: userId })).toEqual([thread]);
      expect((await scene.api.assign(thread, null)).body.data).toMatchObject({ changed: true });
    });
  });

  describe('assignee_id', () => {
    it('lists whose dialogs they are, or with null nobody’s, in every order, with totals', async () => {
      const { account } = scene;
      const other = await account.addAssistant();
      const bot = await account.addBot(undefined, other);
      const user = await account.addUser();
      const own = [
        await account.addThread(),
        await account.addThread(),
        await account.addThread({}, other, bot),
      ];
      const free = await account.addThread();
      const key = await account.addKey({ assistantIds: [account.assistantId, other], botIds: [bot] });
      const api = scene.apiAt(0, key);
      for (const thread of own) await api.assign(thread, user);
      await scene.api.assign(free, await account.addUser());
      const nobodys = await account.addThread();
      for (const sort of ['opened', 'activity', 'waiting']) {
        const { body } = await api.getThreads({ assignee_id: user, sort, counts: true });
        expect(idsIn({ body } as Answer).sort()).toEqual([...own].sort());
        expect(body.data.totals).toEqual([{ status_id: null, total: 3 }]);
      }
      // Ids made in one millisecond are in no order of their making.
      const newestFirst = (ids: string[]): string[] => [...ids].sort().reverse();
      expect(await listed({ assignee_id: user })).toEqual(newestFirst(own.slice(0, 2)));
      const first = await api.getThreads({ assignee_id: user, limit: 2 });
      const cursor = first.body.data.next_cursor;
      const second = await api.getThreads({ assignee_id: user, limit: 2, cursor });
      expect([...idsIn(first), ...idsIn(second)]).toEqual(newestFirst(own));
      const unassigned = await listed({ assignee_id: null });
      expect(unassigned).toContain(nobodys);
      expect(unassigned.filter((id) => [...own, free].includes(id))).toEqual([]);
    });

    it('of a person whom the caller does not know is USER_NOT_FOUND, of one without dialogs an empty list', async () => {
      const blind = await scene.account.addUser({ assistantIds: [] });
      const { status, body } = await scene.api.getThreads({ assignee_id: blind });
      expect([status, body.error.code]).toEqual([404, 'USER_NOT_FOUND']);
      expect(await listed({ assignee_id: await scene.account.addUser() })).toEqual([]);
    });
  });
});
