import type { CardMoved } from '@app/contracts/board-events';
import { setTwoBoards, versionsOf } from '../../support/scenes/two-boards.scene';
import { ApiClient } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { startStorm } from '../../support/clients/storm';
import { BoardClient } from '../../support/clients/board.client';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';

const scene = setTwoBoards();

describe('boards on two processes', () => {
  it('get a move with everything that a card shows', async () => {
    const thread = await scene.account.addThread({ statusId: scene.account.stages[0] });
    const move = { thread_id: thread, status_id: scene.account.stages[1] };
    const answer = await scene.api.setStatus(move);
    const [first, second] = await scene.heardUpTo(thread, 2);
    const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    const status = { id: scene.account.stages[1], name: 'Paid', kind: 'success', order: 2 };
    const actor = { type: 'key', id: expect.any(String), name: 'key' };
    expect(first).toEqual({
      event: 'card.moved',
      seq: expect.any(Number),
      thread_id: thread,
      version: 2,
      at: iso,
      request_id: answer.headers.get('x-request-id'),
      from_status_id: scene.account.stages[0],
      to_status_id: scene.account.stages[1],
      status,
      status_set_by: 'SYSTEM',
      status_set_at: (first as CardMoved).at,
      actor,
      card: {
        thread_id: thread,
        assistant_id: scene.account.assistantId,
        bot_id: scene.account.botId,
        channel: 'WABA_COEXISTENCE',
        phone: expect.stringMatching(/^\+\d+$/),
        customer: expect.objectContaining({ user_id: null, phone_proven: false }),
        same_customer: [],
        conducted_elsewhere: false,
        customer_name: null,
        message_handler: 'AI',
        takeover_until: null,
        ai_enabled: true,
        opted_out: false,
        waiting: false,
        waiting_since: null,
        waiting_reason: null,
        window_until: null,
        lead_status: status,
        status_set_at: (first as CardMoved).at,
        status_set_by: 'SYSTEM',
        status_cleared_at: null,
        last_message: null,
        unread_count: 0,
        attention: null,
        assignee: null,
        created_at: iso,
        updated_at: (first as CardMoved).at,
        erased_at: null,
        version: 2,
      },
    });
    expect(second).toEqual(first);
  });

  it('get a cleared stage', async () => {
    const thread = await scene.account.addThread({ statusId: scene.account.stages[0] });
    await scene.api.setStatus({ thread_id: thread, status_id: null });
    const events = await scene.heardUpTo(thread, 2);
    for (const event of events) {
      expect(event).toMatchObject({
        from_status_id: scene.account.stages[0],
        to_status_id: null,
        status: null,
        status_set_by: null,
        status_set_at: null,
        card: { lead_status: null, status_set_at: null, status_set_by: null, status_cleared_at: event.at },
      });
    }
    const { threads } = (await scene.api.getThreads({ status_id: null })).body.data;
    expect(threads).toContainEqual(expect.objectContaining(events[0]?.card));
  });

  it('get the switch', async () => {
    const thread = await scene.account.addThread();
    await scene.api.setAi(thread, false);
    for (const event of await scene.heardUpTo(thread, 2)) {
      expect(event).toMatchObject({
        event: 'ai.switched',
        ai_enabled: false,
        message_handler: 'OPERATOR',
        actor: { type: 'key' },
        card: { ai_enabled: false, message_handler: 'OPERATOR', version: 2 },
      });
    }
  });

  it('get nothing where nothing changed', async () => {
    const thread = await scene.account.addThread({ statusId: scene.account.stages[0] });
    await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[0] });
    await scene.api.setAi(thread, true);
    await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[2] });
    await scene.heardUpTo(thread, 2);
    expect(scene.boards.map((board) => versionsOf(board, thread))).toEqual([[2], [2]]);
  });

  it('get every event of each dialog once and in order, in a storm on both', async () => {
    const threads = await Promise.all(Array.from({ length: 5 }, () => scene.account.addThread()));
    const doors = scene.servers.map(({ url }) => new ApiClient(url, scene.account.key));
    const storm = startStorm(doors, threads, [...scene.account.stages, null], { workers: 16 });
    await eventually(async () => storm.acknowledged >= triesOf(150, 500), 90_000, 'the storm was too slow');
    await storm.stop();
    expect([...storm.answers.keys()]).toEqual([200]);
    for (const thread of threads) {
      const { body } = await scene.api.getHistory({ thread_id: thread, limit: 1 });
      expect(body.data.entries).toHaveLength(1);
    }
    await scene.expectAllHeard(threads);
  });

  /**
   * Moves by one process and the other, each once the last arrived everywhere: with one read a second, one move a
   * second.
   */
  async function expectToHearAtOnce(): Promise<void> {
    const doors = scene.servers.map(({ url }) => new ApiClient(url, scene.account.key));
    const thread = await scene.account.addThread();
    let heard = 1;
    const hearing = async (): Promise<void> => {
      while (heard <= 20) {
        const move = { thread_id: thread, status_id: scene.account.stages[heard % 2] };
        await doors[heard % doors.length]?.setStatus(move);
        await scene.heardUpTo(thread, ++heard);
      }
    };
    const deadline = eventually(
      async () => heard > 20,
      5_000,
      'the processes did not tell one another of 20 moves',
    );
    await Promise.all([deadline, hearing()]);
  }

  it('get events within 5 s where NOTIFY is broken again and again, and of either process at once afterwards', async () => {
    for (let round = 0; round < triesOf(2, 3); round++) {
      const thread = await scene.account.addThread();
      const { rowCount } = await scene.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name IN ('leadline listener', 'leadline feed') AND datname = current_database()`,
      );
      expect(rowCount).toBeGreaterThan(0);
      await scene.api.setStatus({ thread_id: thread, status_id: scene.account.stages[0] });
      await scene.heardUpTo(thread, 2);
    }
    // Each process comes back to exactly one connection for it.
    await eventually(
      async () => {
        const { rows } = await scene.database.pool.query<{ query: string }>(
          `SELECT query FROM pg_stat_activity
            WHERE application_name = 'leadline listener' AND datname = current_database()`,
        );
        return (
          rows.length === scene.servers.length &&
          rows.every(({ query }) => /LISTEN|pg_notify|SELECT 1/.test(query))
        );
      },
      5_000,
      'the processes did not listen again',
    );
    await expectToHearAtOnce();
  });
});

describe('a funnel that changes', () => {
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
});
