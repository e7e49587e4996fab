import type { BoardSnapshot } from '@app/contracts/board.events';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { OpenMove } from '../../support/faults/open.move';
import { startServer } from '../../support/programs/server.process';
import { uuidOf } from '../../support/database/thread.uuid';
import { setTwoBoards, versionsOf } from '../../support/scenes/two-boards.scene';
import { untilWaiting } from '../../support/faults/waiting.sessions';

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

  it('are shown by a process that started while they were open', async () => {
    const [late, next] = [await scene.account.addThread(), await scene.account.addThread()];
    // Nothing else happened lately: the numbers that are missing lie before the first event of the last 30 s.
    await scene.database.pool.query(`UPDATE events SET at = at - interval '1 hour'`);
    const open = await OpenMove.begin(scene.database.url, late, scene.account.stages[0]);
    await scene.api.setStatus({ thread_id: next, status_id: scene.account.stages[0] });
    const young = await startServer(scene.database.url);
    try {
      const board = await BoardClient.connect(young.url, { api_key: scene.account.key });
      const { seq } = await board.open(scene.account.assistantId);
      await open.commit();
      await board.hears(({ thread_id }) => thread_id === late);
      expect(seq).toBeLessThan(open.seq);
      board.close();
    } finally {
      await young.stop();
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
      const opening = await BoardClient.connect(scene.servers[0]?.url ?? '', { api_key: scene.account.key });
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
