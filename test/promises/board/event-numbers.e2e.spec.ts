import type { BoardSnapshot } from '@app/contracts/board-events';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { startStorm } from '../../support/clients/storm';
import { AccountFixture } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { OpenMove } from '../../support/faults/open.move';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { triesOf } from '../../support/long.mode';
import { setTwoBoards, versionsOf } from '../../support/scenes/two-boards.scene';

// What the feed takes for a number that never comes is in event-gaps-tracker.spec.ts and event-gaps.db.spec.ts.

describe('a number that is missing in the event log', () => {
  const scene = setTwoBoards();

  describe('commits that come late', () => {
    it('in reverse order, are all shown, and nothing that was rolled back', async () => {
      const threads: string[] = [];
      for (let index = 0; index < 5; index++) threads.push(await scene.account.addThread());
      const open: OpenMove[] = [];
      for (const thread of threads)
        open.push(await OpenMove.begin(scene.database.url, thread, scene.account.stages[1]));
      const witness = await scene.account.addThread();
      const rolledBack = open.splice(2, 1)[0];
      const [lost] = threads.splice(2, 1);
      await rolledBack?.rollback();
      for (const [index, move] of [...open.entries()].reverse()) {
        await move.commit();
        await scene.heardUpTo(threads[index] ?? '', 2);
        for (const board of scene.boards) expect(board.events.at(-1)?.seq).toBe(move.seq);
      }
      await scene.api.setStatus({ thread_id: witness, status_id: scene.account.stages[0] });
      await scene.heardUpTo(witness, 2);
      for (const board of scene.boards) expect(versionsOf(board, lost ?? '')).toEqual([]);
    });

    it('do not hold up what comes after them', async () => {
      const [late, next] = [await scene.account.addThread(), await scene.account.addThread()];
      const open = await OpenMove.begin(scene.database.url, late, scene.account.stages[0]);
      await scene.api.setStatus({ thread_id: next, status_id: scene.account.stages[0] });
      await scene.heardUpTo(next, 2);
      for (const board of scene.boards) expect(versionsOf(board, late)).toEqual([]);
      await open.commit();
      await scene.heardUpTo(late, 2);
    });

    it('hold back the number that a board is given to come back with, until they are over', async () => {
      const [late, next] = [await scene.account.addThread(), await scene.account.addThread()];
      const markOf = async (board: BoardClient): Promise<number> => {
        const request = { assistant_id: scene.account.assistantId };
        const answer = await board.request<BoardSnapshot>('board:open', request);
        return answer.ok ? answer.data.seq : 0;
      };
      const open = await OpenMove.begin(scene.database.url, late, scene.account.stages[0]);
      await scene.api.setStatus({ thread_id: next, status_id: scene.account.stages[0] });
      const [{ seq: newest } = { seq: 0 }] = await scene.heardUpTo(next, 2);
      for (const board of scene.boards) expect(await markOf(board)).toBeLessThan(open.seq);
      await open.commit();
      for (const board of scene.boards) {
        await eventually(async () => (await markOf(board)) >= newest, 5_000, 'the mark stayed behind');
      }
    });

    it('between the first read of the log and the answer of board:open are not lost', async () => {
      const [thread, later] = [await scene.account.addThread(), await scene.account.addThread()];
      const [board] = scene.boards;
      board?.close();
      // With no board open the process still reads each second; a lock makes one read wait for its snapshot.
      const holder = await scene.database.pool.connect();
      try {
        await holder.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
        await untilWaiting(scene.database.pool, scene.servers.length, { words: 'pg_snapshot_xmin' });
        const opening = await BoardClient.connect(scene.servers[0]?.url ?? '', {
          api_key: scene.account.key,
        });
        scene.boards[0] = opening;
        const answer = opening.open(scene.account.assistantId);
        // The board watches by now: its answer to another request has come.
        await opening.request('board:close', {});
        await holder.query(
          `UPDATE threads SET status_id = $2, status_set_at = clock_timestamp(), status_set_by = 'AI', version = 2 WHERE id = $1`,
          [uuidOf(thread), scene.account.stages[0]],
        );
        await holder.query(
          `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
         VALUES ($1, $2, $3, 2, 'status', clock_timestamp(), jsonb_build_object('from', NULL, 'to', $4::text, 'by', 'AI', 'actor', NULL))`,
          [scene.account.id, uuidOf(thread), scene.account.assistantId, scene.account.stages[0]],
        );
        await holder.query('COMMIT');
        const { columns } = await answer;
        await scene.api.setStatus({ thread_id: later, status_id: scene.account.stages[0] });
        await opening.hears(({ thread_id }) => thread_id === later);
        const shown = columns
          .flatMap(({ cards }) => cards)
          .find(({ thread_id }) => thread_id === thread)?.version;
        expect(Math.max(shown ?? 0, ...versionsOf(opening, thread))).toBe(2);
      } finally {
        await holder.query('ROLLBACK');
        holder.release();
      }
    });
  });

  /** More numbers than the feed waits for one by one, as a rolled back bulk load leaves them. */
  const HOLE = 150_000;

  const leaveHole = async (): Promise<void> => {
    await scene.database.pool.query(
      `SELECT setval(pg_get_serial_sequence('events', 'seq'), nextval(pg_get_serial_sequence('events', 'seq')) + $1)`,
      [HOLE],
    );
  };

  describe('a hole of very many numbers in the event log', () => {
    it('hides no commit that is still to come from below it', async () => {
      const [late, next, above] = [
        await scene.account.addThread(),
        await scene.account.addThread(),
        await scene.account.addThread(),
      ];
      const open = await OpenMove.begin(scene.database.url, late, scene.account.stages[0]);
      await scene.api.setStatus({ thread_id: next, status_id: scene.account.stages[0] });
      await scene.heardUpTo(next, 2);
      await leaveHole();
      await scene.api.setStatus({ thread_id: above, status_id: scene.account.stages[0] });
      await scene.heardUpTo(above, 2);
      await scene.api.setStatus({ thread_id: above, status_id: scene.account.stages[1] });
      await scene.heardUpTo(above, 3);
      await open.commit();
      await scene.heardUpTo(late, 2);
    });

    it('hides nothing that is committed while it is met, in a storm on two processes', async () => {
      const threads = await Promise.all(Array.from({ length: 5 }, () => scene.account.addThread()));
      const doors = scene.servers.map(({ url }) => new ApiClient(url, scene.account.key));
      const storm = startStorm(doors, threads, [...scene.account.stages, null], { workers: 16 });
      for (let hole = 0; hole < triesOf(2, 20); hole++) {
        const before = storm.acknowledged;
        await eventually(async () => storm.acknowledged > before + 30, 30_000, 'the storm was too slow');
        await leaveHole();
      }
      await storm.stop();
      await scene.expectAllHeard(threads);
    });
  });
});

const RESYNC_WITHIN_MS = 5_000;
/** Statements at once on a process of an account that is busy alone. */
const SLOTS_OF_ONE_ACCOUNT = 8;

/** What a standby that was behind lacks: the moves above a number, in the log and in their dialog. */
interface Kept {
  seq: number;
  thread: string;
  version: number;
  statusId: string | null;
}

describe('boards of a process that has started while a commit was to come, and whose database goes back', () => {
  // Nobody else's log goes back.
  const scene = setTwoBoards({ ownServer: true, servers: 0 });
  let late: { thread: string; open: OpenMove };

  beforeAll(async () => {
    const { account, database } = scene;
    const [thread, next] = [await account.addThread(), await account.addThread()];
    late = { thread, open: await OpenMove.begin(database.url, thread, account.stages[0]) };
    await (await OpenMove.begin(database.url, next, account.stages[0])).commit();
    await scene.addServer();
  });

  it('show that commit', async () => {
    const [board] = scene.boards;
    const snapshot = await board?.open(scene.account.assistantId);
    expect(snapshot?.seq).toBeLessThan(late.open.seq);
    await late.open.commit();
    await board?.hears(({ thread_id }) => thread_id === late.thread);
  });

  const move = async (thread: string, stage: number): Promise<void> => {
    await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[stage] });
  };

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
