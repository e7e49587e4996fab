import { BoardConnection } from '@app/client/board/board-connection';
import { BoardStore } from '@app/client/board/board.store';
import type { BoardChoice } from '@app/client/board/board-views';
import { board as openBoard, type Board } from '@app/client/board/live-board';
import { MessageStore } from '@app/client/message.store';
import { newRequestId } from '@app/client/api-calls';
import type { PresentUser } from '@app/contracts/board-events';
import type { ApiClient } from '../../support/clients/api.client';
import type { SessionClient } from '../../support/clients/session.client';
import { cut, equalsDatabase, shownByBoard, shownByStore } from '../../support/clients/shown.board';
import { startStorm } from '../../support/clients/storm';
import { startDialogStorm } from '../../support/database/dialog.storm';
import { DialogWriter } from '../../support/database/dialog.writer';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';

const LEADS = 20;
const CUTS = triesOf(3, 8);
/** After each cut. */
const MOVES = 30;

const scene = setScene();
let account: AccountFixture;
let api: ApiClient;
let threads: string[];
const open: BoardConnection[] = [];

beforeEach(async () => {
  account = await AccountFixture.create(scene.database.pool);
  api = scene.apiAt(0, await account.addKey({ limitLeads: 100_000 }));
  threads = [];
  for (let count = 0; count < LEADS; count += 1)
    threads.push(await account.addThread({ statusId: count % 3 === 0 ? null : account.stages[0] }));
});

afterEach(() => open.splice(0).forEach((connection) => connection.close()));

/** A board as the page has it, by the account's key. */
function show(choice: Partial<BoardChoice> = {}, url = scene.server.url) {
  const store = new BoardStore();
  const connection = new BoardConnection({ url, store, socket: { auth: { api_key: account.key } } });
  open.push(connection);
  connection.show({ assistantId: account.assistantId, ...choice });
  return { store, connection };
}

/** A board by a person's session, and what it is told of its end. */
function showAs(session: SessionClient) {
  const store = new BoardStore();
  const ended: string[] = [];
  const connection = new BoardConnection({
    ...{ url: session.url, store, onSessionEnded: () => void ended.push('ended') },
    socket: { extraHeaders: { Cookie: session.cookie, Origin: session.url } },
  });
  open.push(connection);
  return { store, connection, ended };
}

const until = (holds: () => boolean, words: string, deadlineMs = 10_000): Promise<boolean> =>
  eventually(async () => holds(), deadlineMs, words);

const loaded = ({ store }: { store: BoardStore }): Promise<boolean> =>
  until(() => !store.board().loading, 'the board did not come');

/** Every page of every column. */
async function loadAll({ store, connection }: ReturnType<typeof show>): Promise<void> {
  await until(() => {
    const ids = store.board().columnIds.filter((id) => store.column(id)?.nextCursor);
    for (const id of ids) connection.more(id);
    return ids.length === 0;
  }, 'the pages did not come');
}

const equals = ({ store }: ReturnType<typeof show>): Promise<void> =>
  equalsDatabase(scene.database.pool, account.assistantId, () => shownByStore(store));

describe('the page’s client of the board', () => {
  it('equals the database after a storm of changes, with the connection cut in between', async () => {
    const boards = [show(), show({ limit: 5 }), show({ limit: 5 })];
    for (const board of boards) await loaded(board);
    const storm = startStorm([api], threads, [...account.stages, null], { workers: 3 });
    const words = startDialogStorm(new DialogWriter(scene.database.pool, account), threads, 3);
    for (let cuts = 1; cuts <= CUTS; cuts += 1) {
      const more = storm.acknowledged + MOVES;
      await until(() => storm.acknowledged >= more, 'the storm was too slow', 30_000);
      for (const { connection } of boards.slice(cuts % 2)) cut(connection);
      for (const { connection } of boards)
        await until(() => connection.state() === 'online', 'the board did not come back');
    }
    await Promise.all([storm.stop(), words.stop()]);
    for (const board of boards) {
      await loadAll(board);
      await equals(board);
    }
  });

  it('shows a move by hand at once and once, and in another tab when it comes', async () => {
    const [own, tab] = [show(), show()];
    for (const board of [own, tab]) await loaded(board);
    const [threadId = ''] = threads;
    const to = account.stages[1] ?? '';
    const requestId = newRequestId();
    const seen: boolean[] = [];
    own.store.subscribeColumn(to, () => seen.push(own.store.column(to)?.ids.includes(threadId) === true));
    own.store.begin({ threadId, to, requestId });
    expect(own.store.column(to)).toMatchObject({ ids: [threadId], total: 1 });
    expect(own.store.card(threadId)).toMatchObject({ pending: true, card: { lead_status: { id: to } } });
    const { body } = await api.call('leads/set-status', { thread_id: threadId, status_id: to }, 'POST', {
      'X-Request-Id': requestId,
    });
    own.store.answered(requestId, body.data);
    await until(() => own.store.card(threadId)?.pending === false, 'the move was not confirmed');
    await until(
      () => tab.store.column(to)?.ids.includes(threadId) === true,
      'the other tab did not hear of it',
    );
    expect(tab.store.card(threadId)?.movedBy).toMatchObject({ threadId, to, by: { type: 'key' } });
    expect(own.store.card(threadId)?.movedBy).toBeNull();
    expect(seen).toEqual([true]);
  });

  // Each order: board-store-histories.spec.ts.
  it('shows another filter and order, with none of what passed before', async () => {
    const sort = 'waiting';
    const board = show();
    await loaded(board);
    await new DialogWriter(scene.database.pool, account).optOut(threads[4] ?? '');
    board.connection.show({ assistantId: account.assistantId, filter: { opted_out: true }, sort });
    expect(board.store.board().loading).toBe(true);
    // Another choice at once: the answer of the first is outdated.
    board.connection.show({ assistantId: account.assistantId, filter: { opted_out: false }, sort });
    board.connection.show({ assistantId: account.assistantId, filter: { opted_out: true }, sort });
    await loaded(board);
    const ids = (): string[] =>
      board.store.board().columnIds.flatMap((id) => board.store.column(id)?.ids ?? []);
    expect(ids()).toEqual([threads[4]]);
    await new DialogWriter(scene.database.pool, account).optOut(threads[7] ?? '');
    await until(() => ids().length === 2, 'the second did not come');
  });

  it('passes the messages of a dialog to whoever has it open', async () => {
    const board = show();
    await loaded(board);
    const messages = new MessageStore();
    const [threadId = ''] = threads;
    board.connection.onMessage(threadId, (event) => void messages.take(event));
    const events: string[] = [];
    board.connection.onThread(threadId, ({ event }) => void events.push(event));
    await new DialogWriter(scene.database.pool, account).say(threadId, 'USER', 'Good day');
    await api.setStatus({ thread_id: threadId, status_id: account.stages[2] });
    await until(() => events.includes('card.moved'), 'the dialog did not hear of its move');
    expect(messages.snapshot().rows).toHaveLength(1);
    const { rows } = await scene.database.pool.query('SELECT id FROM messages WHERE thread_id = $1', [
      uuidOf(threadId),
    ]);
    expect(messages.snapshot().rows.map(({ message }) => message?.id)).toEqual(
      rows.map(({ id }) => id as string),
    );
  });

  it('shows who has a dialog open, and says when the session has ended', async () => {
    const session = await scene.join({ name: 'Айгерим' });
    const thread = await scene.account.addThread();
    const [own, other] = [showAs(session), showAs(await scene.join({ name: 'Дана' }))];
    for (const board of [own, other]) board.connection.show({ assistantId: scene.account.assistantId });
    for (const board of [own, other]) await loaded(board);
    const present = (): readonly PresentUser[] => other.store.card(thread)?.present ?? [];
    own.connection.look(thread, { typing: true });
    await until(() => present()[0]?.typing === true, 'nobody is seen');
    expect(present()).toEqual([{ id: session.userId, name: 'Айгерим', typing: true }]);
    cut(own.connection);
    await until(() => present().length === 0, 'the person is still seen');
    await until(() => present()[0]?.typing === true, 'the person did not come back');
    own.connection.look(null);
    await until(() => present().length === 0, 'the person is still seen');
    await session.call('auth/sign-out', {});
    await until(() => own.ended.length === 1, 'the end was not told');
    expect(own.connection.state()).toBe('offline');
    expect(other.connection.state()).toBe('online');
  });
});

describe('the board of the package', () => {
  const opened: Board[] = [];
  /** The connection of the board that was opened last. */
  const connections = jest.spyOn(BoardConnection.prototype, 'show');

  afterEach(() => opened.splice(0).forEach((board) => board.close()));

  function openOne(given: Partial<BoardChoice & { apiKey: string }> = {}): Board {
    const { assistantId, key: apiKey } = account;
    const board = openBoard({ baseUrl: scene.server.url, assistantId, apiKey, ...given });
    opened.push(board);
    return board;
  }

  it('tells each event once and misses none over cuts, and equals the database', async () => {
    const board = openOne();
    await board.ready;
    const connection = connections.mock.contexts.at(-1) as BoardConnection;
    const told: string[] = [];
    board.on('event', ({ event, thread_id, version }) => void told.push(`${event} ${thread_id} ${version}`));
    const moved: (string | null)[] = [];
    board.on('card.moved', ({ to_status_id }) => void moved.push(to_status_id));
    const states: string[] = [];
    board.on('state', (state) => void states.push(state));
    const expected: string[] = [];
    for (const [index, threadId] of threads.slice(0, 12).entries()) {
      if (index % 4 === 1) cut(connection);
      const { body } = await api.setStatus({ thread_id: threadId, status_id: account.stages[1] });
      if (body.data.changed === true) expected.push(threadId);
      if (index % 4 === 3) await until(() => board.state() === 'online', 'the board did not come back');
    }
    expect(expected.length).toBeGreaterThan(5);
    await until(() => told.length >= expected.length, 'events are missing');
    await equalsDatabase(scene.database.pool, account.assistantId, () => shownByBoard(board));
    expect(told).toHaveLength(new Set(told).size);
    expect(told.map((each) => each.split(' ')[1]).sort()).toEqual(expected.sort());
    expect(moved).toEqual(expected.map(() => account.stages[1]));
    expect(states.filter((state) => state === 'online').length).toBeGreaterThanOrEqual(3);
  });

  it('loads further cards when it is asked to, over a cut as well, and shows another filter', async () => {
    const board = openOne({ limit: 5 });
    await board.ready;
    const first = (): { cards: readonly unknown[]; total: number; hasMore: boolean } => board.columns()[0]!;
    expect([first().cards.length, first().hasMore]).toEqual([5, true]);
    cut(connections.mock.contexts.at(-1) as BoardConnection);
    await board.more(null);
    expect([first().cards.length, first().total, first().hasMore]).toEqual([7, 7, false]);
    await board.more(null);
    const changed = jest.fn();
    board.on('change', changed);
    board.show({ filter: { status_id: account.stages[0] }, limit: 30 });
    await until(() => first().total === 0, 'the other filter did not come');
    expect(changed).toHaveBeenCalled();
    expect(board.columns().map(({ stage }) => stage?.name ?? null)).toHaveLength(account.stages.length + 1);
  });

  it('says why it is refused, and that it was closed before it was there', async () => {
    const wrongAgent = openOne({ assistantId: scene.account.assistantId });
    await expect(wrongAgent.ready).rejects.toMatchObject({ name: 'BoardError', code: 'ASSISTANT_NOT_FOUND' });
    const wrongKey = openOne({ apiKey: 'll_none' });
    const refused = new Promise((resolve) => wrongKey.on('refused', resolve));
    expect(await refused).toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(wrongKey.ready).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const closed = openOne();
    closed.close();
    await expect(closed.ready).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
