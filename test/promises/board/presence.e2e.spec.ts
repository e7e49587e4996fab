import { randomUUIDv7 } from 'node:crypto';
import type { DialogPresence } from '@app/contracts/board-events';
import { BoardClient } from '../../support/clients/board.client';
import { boardBy } from '../../support/clients/session.watch';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene({ servers: 2 });

const open: BoardClient[] = [];
/** Of tests that run side by side. */
const kept: BoardClient[] = [];
const close = (boards: BoardClient[]): void => boards.splice(0).forEach((board) => board.close());
afterEach(() => close(open));
afterAll(() => close(kept));

/** Who has come already, by the name. */
const people = new Map<string, ReturnType<typeof scene.join>>();

function personOf(name: string): ReturnType<typeof scene.join> {
  const person = people.get(name) ?? scene.join({ name });
  people.set(name, person);
  return person;
}

/** A board of a person at a process. */
async function boardOf(
  at: number,
  name: string,
  by = personOf(name),
  boards = open,
): Promise<{ board: BoardClient; user: { id: string; name: string }; session: Awaited<typeof by> }> {
  const session = await by;
  const board = await boardBy(session.at(scene.servers[at]!.url));
  boards.push(board);
  await board.open(scene.account.assistantId);
  return { board, user: { id: session.userId, name }, session };
}

/** What a board heard of a dialog's people, without the number that it heard before. */
const heardBy = (board: BoardClient, thread: string): object[] =>
  (board.events as unknown as ({ event: string } & DialogPresence)[])
    .filter(({ event, thread_id: id }) => event === 'presence' && id === thread)
    .map(({ users }) => users);

/** Who is in a dialog, as a board knows it, becomes this. */
async function shows(board: BoardClient, thread: string, users: object[]): Promise<void> {
  await eventually(
    async () => {
      const last = heardBy(board, thread).at(-1) ?? [];
      return JSON.stringify(last) === JSON.stringify(users);
    },
    5_000,
    `the board does not show ${JSON.stringify(users)}`,
  );
}

const set = (board: BoardClient, thread_id: string | null, fields: object = {}) =>
  board.request('presence:set', { thread_id, ...fields });

/** Says so often that a new person is in a dialog. @returns also what other processes were told of the person so far */
async function say(times: number, boards?: BoardClient[]) {
  const told: string[] = [];
  const listener = await scene.database.pool.connect();
  listener.on('notification', ({ payload = '' }) => told.push(payload));
  await listener.query('LISTEN leadline_presence');
  const thread = await scene.account.addThread();
  const { board, user } = await boardOf(0, 'Айгерим', scene.join({ name: 'Айгерим' }), boards);
  for (let said = 0; said < times; said += 1) expect((await set(board, thread)).ok).toBe(true);
  const toldOf = (): string[] => told.filter((payload) => payload.includes(user.id));
  return { board, thread, toldOf, end: () => listener.release(true) };
}

describe('presence', () => {
  it('shows on every process’ boards who comes to a dialog, types and goes', async () => {
    const thread = await scene.account.addThread();
    const { board: near, user } = await boardOf(0, 'Айгерим');
    const { board: far } = await boardOf(1, 'Дана');
    const byKey = await BoardClient.connect(scene.servers[1]!.url, { api_key: scene.account.key });
    open.push(byKey);
    await byKey.open(scene.account.assistantId);
    expect(await set(near, thread)).toEqual({ ok: true, data: null });
    for (const board of [near, far, byKey]) await shows(board, thread, [{ ...user, typing: false }]);
    await set(near, thread, { typing: true });
    for (const board of [near, far, byKey]) await shows(board, thread, [{ ...user, typing: true }]);
    await set(near, null);
    for (const board of [near, far, byKey]) await shows(board, thread, []);
    for (const board of [near, far, byKey]) expect(heardBy(board, thread)).toHaveLength(3);
  });

  it('is told by a request without an acknowledgement, too', async () => {
    const [watching, thread] = [await boardOf(1, 'Watching'), await scene.account.addThread()];
    const { board, user } = await boardOf(0, 'Silent');
    board.socket.emit('presence:set', { thread_id: thread });
    await shows(watching.board, thread, [{ ...user, typing: false }]);
    board.socket.emit('presence:set', { thread_id: null });
    await shows(watching.board, thread, []);
  });

  it('has a person in one dialog by each connection: the last that was asked for counts', async () => {
    const threads = [await scene.account.addThread(), await scene.account.addThread()] as const;
    const { board, user, session } = await boardOf(0, 'Айгерим');
    const { board: other } = await boardOf(1, 'Дана');
    await Promise.all(Array.from({ length: 9 }, (_, n) => set(board, threads[(n + 1) % 2]!)));
    await shows(other, threads[1], [{ ...user, typing: false }]);
    await shows(other, threads[0], []);
    // A second window of the same person.
    const { board: window } = await boardOf(1, 'Айгерим', Promise.resolve(session));
    await set(window, threads[0], { typing: true });
    await shows(other, threads[0], [{ ...user, typing: true }]);
    await shows(other, threads[1], [{ ...user, typing: false }]);
    window.close();
    await shows(other, threads[0], []);
    await shows(other, threads[1], [{ ...user, typing: false }]);
  });

  it('is told to whoever opens a board, on every process', async () => {
    const thread = await scene.account.addThread();
    const { board, user } = await boardOf(0, 'Айгерим');
    await set(board, thread, { typing: true });
    await shows(board, thread, [{ ...user, typing: true }]);
    for (const at of [0, 1]) {
      const { board: late } = await boardOf(at, 'Дана');
      await shows(late, thread, [{ ...user, typing: true }]);
    }
  });

  it('ends with the connection and with the session', async () => {
    const thread = await scene.account.addThread();
    const { board, user } = await boardOf(0, 'Айгерим');
    const { board: other } = await boardOf(1, 'Дана');
    await set(board, thread);
    await shows(other, thread, [{ ...user, typing: false }]);
    board.close();
    await shows(other, thread, []);
    const leaver = scene.join({ name: 'Бота' });
    const { board: second, user: leaving, session } = await boardOf(0, 'Бота', leaver);
    await set(second, thread);
    await shows(other, thread, [{ ...leaving, typing: false }]);
    await session.call('auth/sign-out', {});
    await shows(other, thread, []);
  });

  it('ends for a person who may see the agent no more', async () => {
    const thread = await scene.account.addThread();
    const { board, user, session } = await boardOf(0, 'Айгерим', scene.join({ name: 'Айгерим' }));
    const { board: other } = await boardOf(1, 'Дана');
    await board.request('board:close', { assistant_id: scene.account.assistantId });
    await set(board, thread);
    await shows(other, thread, [{ ...user, typing: false }]);
    const agent = await scene.account.addAssistant();
    await scene.admin.call(`admin/users/${session.userId}`, { assistant_ids: [agent] }, 'PATCH');
    await shows(other, thread, []);
  });

  it('is for people: a key has no name', async () => {
    const thread = await scene.account.addThread();
    const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    open.push(board);
    for (const asked of [thread, null])
      expect(await set(board, asked)).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
  });

  it('knows no dialog out of reach: the same answer, and the former dialog stays', async () => {
    const { account } = scene;
    const foreign = await AccountFixture.create(scene.database.pool);
    const agent = await account.addAssistant();
    const hidden = await account.addThread({}, agent, await account.addBot(undefined, agent));
    const thread = await account.addThread();
    const person = scene.join({ name: 'Айгерим', assistant_ids: [account.assistantId] });
    const { board, user } = await boardOf(0, 'Айгерим', person);
    const { board: other } = await boardOf(1, 'Дана');
    await set(board, thread);
    const missing = await set(board, `thread_${randomUUIDv7()}`);
    expect(missing).toMatchObject({ ok: false, error: { code: 'THREAD_NOT_FOUND' } });
    for (const asked of [hidden, await foreign.addThread(), 'malformed'])
      expect(await set(board, asked)).toEqual(missing);
    // What else is wrong: apps/server/src/board/board.request.spec.ts.
    expect(await board.request('presence:set', { thread_id: 5 })).toMatchObject({
      error: { code: 'VALIDATION_ERROR' },
    });
    await shows(other, thread, [{ ...user, typing: false }]);
    expect(heardBy(other, thread)).toHaveLength(1);
  });

  it('is told to no board of another agent or account', async () => {
    const { account } = scene;
    const thread = await account.addThread();
    const agent = await account.addAssistant();
    const foreign = await AccountFixture.create(scene.database.pool);
    const { board, user } = await boardOf(0, 'Айгерим');
    const others = await Promise.all(
      [
        [await account.addKey({ assistantIds: [agent] }), agent],
        [foreign.key, foreign.assistantId],
      ].map(async ([key, assistant]) => {
        const other = await BoardClient.connect(scene.servers[1]!.url, { api_key: key });
        open.push(other);
        await other.open(assistant!);
        return other;
      }),
    );
    const { board: colleague } = await boardOf(1, 'Дана');
    await set(board, thread);
    await shows(colleague, thread, [{ ...user, typing: false }]);
    for (const other of others) expect(other.events).toEqual([]);
  });

  it('that is said again without a change is not told to other processes each time', async () => {
    const { board, thread, toldOf, end } = await say(15);
    // What changes until it can be told is told at once.
    await eventually(async () => toldOf().length === 1, 5_000, 'the presence was not told');
    await set(board, thread, { typing: true });
    const types = async () => toldOf().some((payload) => payload.includes('"typing":true'));
    await eventually(types, 5_000, 'the change was not told').finally(end);
    expect(toldOf()).toHaveLength(2);
  });

  it('writes nothing', async () => {
    const thread = await scene.account.addThread();
    const { board, user } = await boardOf(0, 'Айгерим');
    const before = await scene.kept.everything(thread);
    await set(board, thread, { typing: true });
    await shows(board, thread, [{ ...user, typing: true }]);
    expect(await scene.kept.everything(thread)).toEqual(before);
  });

  // The last, because one that starts makes the others say again who is where.
  it('is known to a process that starts later', async () => {
    const thread = await scene.account.addThread();
    const { board, user } = await boardOf(0, 'Айгерим');
    await set(board, thread);
    // As pages do: on a slow machine the start takes longer than what is said once holds.
    const again = setInterval(() => void set(board, thread), 4_000);
    const { url } = await scene.addServer().finally(() => clearInterval(again));
    const late = await BoardClient.connect(url, { api_key: scene.account.key });
    open.push(late);
    await late.open(scene.account.assistantId);
    await shows(late, thread, [{ ...user, typing: false }]);
  });
});

// These wait the product's own times, side by side: for shorter ones processes would have to be started.
describe('presence of a person who says nothing any more', () => {
  it.concurrent('is told once more in time, though it is not said a third time', async () => {
    const { toldOf, end } = await say(2, kept);
    await eventually(async () => toldOf().length === 2, 20_000, 'it was not told again').finally(end);
  });

  it.concurrent('ends after a while, as when the process was killed; who says it again stays', async () => {
    const threads = [await scene.account.addThread(), await scene.account.addThread()] as const;
    const dying = scene.servers[2] ?? (await scene.addServer());
    const { board: staying, user } = await boardOf(0, 'Дана', undefined, kept);
    const { board: watcher } = await boardOf(1, 'Бота', undefined, kept);
    const session = await scene.join({ name: 'Айгерим' });
    const lost = await boardBy(session.at(dying.url));
    kept.push(lost);
    await set(lost, threads[0]);
    await set(staying, threads[1]);
    await shows(watcher, threads[0], [{ id: session.userId, name: 'Айгерим', typing: false }]);
    await dying.kill('SIGKILL');
    // As pages do.
    const again = setInterval(() => void set(staying, threads[1]), 4_000);
    const isGone = async (): Promise<boolean> => heardBy(watcher, threads[0]).length === 2;
    await eventually(isGone, 40_000, 'the presence did not end').finally(() => clearInterval(again));
    expect(heardBy(watcher, threads[0]).at(-1)).toEqual([]);
    expect(heardBy(watcher, threads[1])).toEqual([[{ ...user, typing: false }]]);
  }, 90_000);
});
