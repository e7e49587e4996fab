import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { eventually } from '../../support/eventually';
import { feedReader } from '../../support/database/feed.reader';
import { AccountFixture } from '../../support/database/fixture';
import { OpenMove } from '../../support/faults/open.move';
import { RowLock } from '../../support/faults/row.lock';
import { CLUSTERS, createDatabase } from '../../support/database/test.database';
import { uuidOf } from '../../support/database/thread.uuid';
import { setTwoBoards } from '../../support/scenes/two-boards.scene';

const scene = setTwoBoards();

const RESYNC_WITHIN_MS = 5_000;
/** Statements at once on a process of an account that is busy alone. */
const SLOTS_OF_ONE_ACCOUNT = 8;

const move = async (thread: string, stage: number): Promise<void> => {
  await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[stage] });
};

/** What a standby that was behind lacks: the moves above a number, in the log and in their dialog. */
interface Kept {
  seq: number;
  thread: string;
  version: number;
  statusId: string | null;
}

async function keep(thread: string): Promise<Kept> {
  const { rows } = await scene.database.pool.query<Omit<Kept, 'thread'>>(
    `SELECT (SELECT max(seq) FROM events)::float8 AS seq, version::float8 AS version, status_id AS "statusId"
       FROM threads WHERE id = $1`,
    [uuidOf(thread)],
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no ${thread}`);
  return { ...row, thread };
}

/**
 * Restores the database as it was, and its numbers too; then, between two reads, appends that many events of others.
 */
async function goBackTo({ seq, thread, version, statusId }: Kept, others = 0): Promise<void> {
  const client = await scene.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('DELETE FROM events WHERE seq > $1', [seq]);
    await client.query('UPDATE threads SET version = $2, status_id = $3 WHERE id = $1', [
      uuidOf(thread),
      version,
      statusId,
    ]);
    await client.query(`SELECT setval(pg_get_serial_sequence('events', 'seq'), $1)`, [seq]);
    await client.query(
      `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
       SELECT $1, gen_random_uuid(), $1, 2, 'status', clock_timestamp(), '{}' FROM generate_series(1, $2::int)`,
      [scene.account.id, others],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

const hearsResync = (board: BoardClient): Promise<true> =>
  eventually(
    async () => board.resyncs.includes(scene.account.assistantId),
    RESYNC_WITHIN_MS,
    'a board did not hear board:resync',
  );

/** Each board is asked to open again, does so, and then equals the database, also after a further move. */
async function openAnewAndFollow(models: readonly BoardModel[], thread: string): Promise<void> {
  const { assistantId } = scene.account;
  for (const [index, board] of scene.boards.entries()) {
    await hearsResync(board);
    const model = models[index] ?? new BoardModel();
    await board.show(model, assistantId);
    await model.untilEqual(scene.database.pool, assistantId);
  }
  await move(thread, 2);
  for (const model of models) await model.untilEqual(scene.database.pool, assistantId);
}

async function showBoards(): Promise<BoardModel[]> {
  const models = scene.boards.map(() => new BoardModel());
  for (const [index, board] of scene.boards.entries()) {
    await board.show(models[index] ?? new BoardModel(), scene.account.assistantId);
  }
  return models;
}

describe('boards of a running process whose database goes back', () => {
  it('are asked to open again, and then equal it', async () => {
    const [thread, other] = [await scene.account.addThread(), await scene.account.addThread()];
    await move(thread, 0);
    const models = await showBoards();
    const kept = await keep(thread);
    for (const stage of [1, 0, 1]) await move(thread, stage);
    await scene.heardUpTo(thread, kept.version + 3);
    await goBackTo(kept);
    await move(other, 0);
    await openAnewAndFollow(models, thread);
    expect(scene.servers[0]?.output()).toMatch(/event log has gone back/);
  });

  it('are also asked when by then as many events have been written as were lost', async () => {
    const thread = await scene.account.addThread();
    await move(thread, 0);
    const models = await showBoards();
    const kept = await keep(thread);
    for (const stage of [1, 0]) await move(thread, stage);
    await scene.heardUpTo(thread, kept.version + 2);
    await goBackTo(kept, 5);
    await openAnewAndFollow(models, thread);
  });

  it('are also asked when they are just being opened', async () => {
    const { assistantId, key, stages } = scene.account;
    const thread = await scene.account.addThread();
    const held: string[] = [];
    while (held.length < SLOTS_OF_ONE_ACCOUNT) held.push(await scene.account.addThread());
    await move(thread, 0);
    const kept = await keep(thread);
    for (const stage of [1, 0]) await move(thread, stage);
    await scene.heardUpTo(thread, kept.version + 2);
    const other = await AccountFixture.create(scene.database.pool);
    const [elsewhere, url] = [await other.addThread(), scene.servers[0]?.url ?? ''];
    const late = await BoardClient.connect(url, { api_key: key });
    scene.boards.push(late);
    // The account has no slot left for the statements of an opening.
    const lock = await RowLock.take(scene.database, ...held);
    const calls = held.map((thread_id) => scene.api.setStatus({ thread_id, status_id: stages[0] }));
    const [board, model, lateModel] = [scene.boards[0] ?? late, new BoardModel(), new BoardModel()];
    const opened: Promise<void>[] = [];
    try {
      await lock.waiters(SLOTS_OF_ONE_ACCOUNT);
      opened.push(late.open(assistantId).then((answer) => lateModel.take(answer)));
      // Requests of a socket are begun in their order.
      await late.request('board:more', {});
      await goBackTo(kept);
      await new ApiClient(url, other.key).setStatus({ thread_id: elsewhere, status_id: other.stages[0] });
      await hearsResync(board);
      // What was begun to be counted for the other is of before.
      opened.push(board.show(model, assistantId));
    } finally {
      await lock.release();
      await Promise.all(calls);
    }
    await Promise.all(opened);
    await hearsResync(late);
    await late.show(lateModel, assistantId);
    await move(thread, 2);
    for (const shown of [model, lateModel]) await shown.untilEqual(scene.database.pool, assistantId);
  });

  it('are not asked where numbers are only left out or come late', async () => {
    const [thread, late] = [await scene.account.addThread(), await scene.account.addThread()];
    await move(thread, 0);
    await scene.heardUpTo(thread, 2);
    const open = await OpenMove.begin(scene.database.url, late, scene.account.stages[0]);
    const lost = await OpenMove.begin(scene.database.url, thread, scene.account.stages[1]);
    await lost.rollback();
    await move(thread, 2);
    await scene.heardUpTo(thread, 3);
    await open.commit();
    await scene.heardUpTo(late, 2);
    expect(scene.boards.flatMap(({ resyncs }) => resyncs)).toEqual([]);
  });
});

describe.each(CLUSTERS)('a number above the newest, on PostgreSQL $name', ({ name }) => {
  it('is replayed nothing from, whatever a process still takes for the newest', async () => {
    const database = await createDatabase(name);
    try {
      const account = await AccountFixture.create(database.pool);
      const thread = await account.addThread();
      await account.addEvents(thread, 5);
      const feed = feedReader(database.pool);
      const { head } = await feed.start();
      const behind = async (since: number) =>
        (await feed.sincePoint(account.id, account.assistantId, since, '7 days', 10))?.behind;
      expect([await behind(head - 1), await behind(head), await behind(head + 1)]).toEqual([1, 0, undefined]);
    } finally {
      await database.drop();
    }
  });
});
