import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { setTwoBoards } from '../../support/scenes/two-boards.scene';

const scene = setTwoBoards();
let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
});

const make = async (body: object = {}, assistant_id = scene.account.assistantId): Promise<string> => {
  const given = { assistant_id, name: 'Added', kind: 'active', ...body };
  return (await admin.admin('POST', 'statuses', given)).body.data.id as string;
};

/** Waits until each board was asked to open again so often. */
const untilResynced = (times: number): Promise<unknown> =>
  eventually(
    () => Promise.resolve(scene.boards.every(({ resyncs }) => resyncs.length >= times)),
    5_000,
    'a board was not told of the funnel',
  );

const openAnew = (board: BoardClient) => board.open(scene.account.assistantId);
const seqNow = async (): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ seq: number }>(
    'SELECT coalesce(max(seq), 0)::int AS seq FROM events',
  );
  return rows[0]?.seq ?? 0;
};

describe('an open board', () => {
  it('gets a new stage on every process, and shows its column', async () => {
    const id = await make();
    await untilResynced(1);
    for (const board of scene.boards) {
      const { statuses, columns } = await openAnew(board);
      expect(statuses.at(-1)).toMatchObject({ id, name: 'Added' });
      expect(columns.at(-1)).toEqual({ status_id: id, total: 0, cards: [], next_cursor: null });
    }
  });

  it('gets a change, and stays live afterwards', async () => {
    const id = await make();
    await untilResynced(1);
    await Promise.all(scene.boards.map(openAnew));
    await admin.admin('PATCH', `statuses/${id}`, { name: 'Renamed', order: 0 });
    await untilResynced(2);
    for (const board of scene.boards) {
      expect((await openAnew(board)).statuses[0]).toMatchObject({ id, name: 'Renamed', order: 0 });
    }
    const thread = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: thread, status_id: id });
    await scene.heardUpTo(thread, 2);
    expect(scene.boards.map(({ resyncs }) => resyncs.length)).toEqual([2, 2]);
  });

  it('loses the column of a stage that is archived, and gets its leads as they move', async () => {
    const id = await make();
    await untilResynced(1);
    await Promise.all(scene.boards.map(openAnew));
    const thread = await scene.account.addThread({ statusId: id });
    const lock = await RowLock.take(scene.database, thread);
    const archived = admin.admin('DELETE', `statuses/${id}?move_to=${scene.stage(1)}`);
    await untilResynced(2);
    for (const board of scene.boards) {
      const { statuses } = await openAnew(board);
      expect(statuses.map((stage) => stage.id)).not.toContain(id);
    }
    await lock.release();
    for (const heard of await scene.heardUpTo(thread, 2))
      expect(heard).toMatchObject({
        ...{ event: 'card.moved', from_status_id: id, to_status_id: scene.stage(1) },
      });
    expect((await archived).status).toBe(200);
    expect(scene.boards.map(({ resyncs }) => resyncs.length)).toEqual([2, 2]);
  });

  it('gets no change that makes no difference, nor another agent’s funnel', async () => {
    const foreign = await AccountFixture.create(scene.database.pool);
    await make({}, await scene.account.addAssistant());
    await make({}, foreign.assistantId);
    await admin.admin('PATCH', `statuses/${scene.stage(0)}`, { name: 'New' });
    const thread = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) });
    await scene.heardUpTo(thread, 2);
    expect(scene.boards.map(({ resyncs }) => resyncs)).toEqual([[], []]);
  });
});

describe('a move that has read the funnel when a stage is renamed, and commits after that', () => {
  const HOLD = 8_364_001;

  it('shows the stage by its new name on the board that was opened anew in between', async () => {
    const { database, account, api } = scene;
    const thread = await account.addThread();
    const id = await make({ name: 'Former' });
    await untilResynced(1);
    await Promise.all(scene.boards.map(openAnew));
    const holder = await database.pool.connect();
    try {
      // Holds moves between the statement's snapshot and the number of its event.
      await database.pool.query(`
        CREATE FUNCTION hold_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_advisory_xact_lock(${HOLD}); RETURN NEW; END $$;
        CREATE TRIGGER hold_move BEFORE UPDATE ON threads FOR EACH ROW EXECUTE FUNCTION hold_move()`);
      await holder.query('SELECT pg_advisory_lock($1)', [HOLD]);
      const move = api.setStatus({ thread_id: thread, status_id: id });
      await untilWaiting(database.pool, 1);
      await admin.admin('PATCH', `statuses/${id}`, { name: 'Present' });
      await untilResynced(2);
      await Promise.all(scene.boards.map(openAnew));
      await holder.query('SELECT pg_advisory_unlock($1)', [HOLD]);
      expect((await move).status).toBe(200);
    } finally {
      await database.pool.query('DROP TRIGGER hold_move ON threads; DROP FUNCTION hold_move()');
      holder.release();
    }
    for (const heard of await scene.heardUpTo(thread, 2))
      expect(heard).toMatchObject({
        status: { name: 'Present' },
        card: { lead_status: { name: 'Present' } },
      });
  });
});

describe('a board that comes back with the number where it left off', () => {
  const comeBack = (since: number) =>
    Promise.all(scene.boards.map((board) => board.reopen(scene.account.assistantId, since)));

  /** So far back that the half minute which a replay reaches further back holds nothing of before. */
  const letTimePass = () =>
    scene.database.pool.query(`UPDATE events SET at = at - interval '1 minute' WHERE account_id = $1`, [
      scene.account.id,
    ]);

  const move = async (): Promise<void> => {
    const thread = await scene.account.addThread();
    await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) });
  };

  it('gets a snapshot with the new funnel', async () => {
    await move();
    const since = await seqNow();
    scene.closeBoards();
    const id = await make();
    await letTimePass();
    await scene.openBoards();
    for (const answer of await comeBack(since))
      expect(answer).toMatchObject({ statuses: expect.arrayContaining([expect.objectContaining({ id })]) });
  });

  it('gets a snapshot also when the funnel’s number, committed late, lies below', async () => {
    await letTimePass();
    await move();
    await make();
    await move();
    for (const answer of await comeBack(await seqNow())) expect(answer).toHaveProperty('statuses');
  });

  it('gets what it missed, as ever, once the funnel is older than that', async () => {
    await make();
    await letTimePass();
    await move();
    const since = await seqNow();
    await move();
    for (const answer of await comeBack(since)) expect(answer).toHaveProperty('events');
  });
});
