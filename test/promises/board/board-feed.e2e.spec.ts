import type { CardMoved } from '@app/contracts/board.events';
import { ApiClient } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { startStorm } from '../../support/clients/storm';
import { setTwoBoards, versionsOf } from '../../support/scenes/two-boards.scene';

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
        customer_name: null,
        message_handler: 'AI',
        takeover_until: null,
        ai_enabled: true,
        opted_out: false,
        waiting: false,
        waiting_since: null,
        window_until: null,
        lead_status: status,
        status_set_at: (first as CardMoved).at,
        status_set_by: 'SYSTEM',
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
    for (const event of await scene.heardUpTo(thread, 2)) {
      expect(event).toMatchObject({
        from_status_id: scene.account.stages[0],
        to_status_id: null,
        status: null,
        status_set_by: null,
        status_set_at: null,
        card: { lead_status: null, status_set_at: null, status_set_by: null },
      });
    }
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
    await eventually(async () => storm.acknowledged >= 500, 30_000, 'the storm was too slow');
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

  it('get the commits of either process at once, not at the read of each second', async () => {
    await expectToHearAtOnce();
  });

  it('get events within 5 s where NOTIFY is broken again and again, and at once afterwards', async () => {
    for (let round = 0; round < 3; round++) {
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
