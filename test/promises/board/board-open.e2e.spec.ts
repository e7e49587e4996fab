import { randomUUIDv7 } from 'node:crypto';
import type { BoardSnapshot } from '@app/contracts/board-events';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene({
  stages: [
    { name: 'New' },
    { name: 'Оплата', kind: 'awaiting_payment', aiEnabled: false, locked: true },
    { name: 'Done', kind: 'success' },
  ],
});
let board: BoardClient;

// A separate board for each test: more than 20 requests a second are refused.
beforeEach(async () => {
  board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
});

afterEach(() => board?.close());

const ask = (event: string, ...args: unknown[]): Promise<unknown> =>
  board.socket.timeout(5_000).emitWithAck(event, ...args);

describe('board:open', () => {
  it('shows fifty boards that come at once what they ask for', async () => {
    const busy = await AccountFixture.create(scene.database.pool);
    const threadId = await busy.addThread({ statusId: busy.stages[0] });
    const boards = await Promise.all(
      Array.from({ length: 50 }, () => BoardClient.connect(scene.server.url, { api_key: busy.key })),
    );
    const snapshots = await Promise.all(boards.map((each) => each.open(busy.assistantId)));
    for (const each of boards) each.close();
    const shown = snapshots.map(({ columns }) => columns[1]?.cards.map((card) => card.thread_id));
    expect(shown).toEqual(boards.map(() => [threadId]));
  });

  it('answers the funnel, a column for each stage and one for none, with totals and cards', async () => {
    const none = await scene.account.addThread();
    const paying = await scene.account.addThread({
      statusId: scene.account.stages[1],
      optedOut: true,
      phone: '+77010000001',
    });
    const snapshot = await board.open(scene.account.assistantId);
    expect(snapshot).toEqual({
      seq: expect.any(Number),
      statuses: [
        expect.objectContaining({ id: scene.account.stages[0], name: 'New', kind: 'active', order: 1 }),
        {
          id: scene.account.stages[1],
          name: 'Оплата',
          kind: 'awaiting_payment',
          order: 2,
          description: null,
          ai_enabled: false,
          ai_transition_locked: true,
        },
        expect.objectContaining({ id: scene.account.stages[2], name: 'Done', kind: 'success', order: 3 }),
      ],
      columns: [
        {
          status_id: null,
          total: 1,
          next_cursor: null,
          cards: [expect.objectContaining({ thread_id: none })],
        },
        { status_id: scene.account.stages[0], total: 0, next_cursor: null, cards: [] },
        { status_id: scene.account.stages[1], total: 1, next_cursor: null, cards: [expect.anything()] },
        { status_id: scene.account.stages[2], total: 0, next_cursor: null, cards: [] },
      ],
    });
    const iso = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    expect(snapshot.columns[2]?.cards[0]).toEqual({
      thread_id: paying,
      assistant_id: scene.account.assistantId,
      bot_id: scene.account.botId,
      channel: 'WABA_COEXISTENCE',
      phone: '+77010000001',
      customer: {
        ...{ phone: '+77010000001', wa_id: null, user_id: null, username: null, phone_proven: false },
      },
      same_customer: [],
      conducted_elsewhere: false,
      customer_name: null,
      message_handler: 'OPERATOR',
      ai_enabled: false,
      opted_out: true,
      takeover_until: null,
      waiting: false,
      waiting_since: null,
      waiting_reason: null,
      window_until: null,
      erased_at: null,
      lead_status: { id: scene.account.stages[1], name: 'Оплата', kind: 'awaiting_payment', order: 2 },
      status_set_at: iso,
      status_set_by: 'AI',
      status_cleared_at: null,
      last_message: null,
      unread_count: 0,
      attention: null,
      assignee: null,
      created_at: iso,
      updated_at: iso,
      version: 1,
    });
  });

  it('answers one and the same 404 for an agent of another account, unknown, malformed or not attached', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const unattached = await scene.account.addAssistant();
    const answers = [];
    const ids = [other.assistantId, unattached, randomUUIDv7(), "'; --", '\0', 'ж'.repeat(9_000)];
    for (const assistant_id of ids) {
      const asking = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
      for (const [event, more] of [
        ['board:open', {}],
        ['board:open', { since: 1 }],
        ['board:more', { status_id: null, cursor: 'x' }],
        ['board:close', {}],
      ] as const) {
        answers.push(JSON.stringify(await asking.request(event, { assistant_id, ...more })));
      }
      asking.close();
    }
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? '')).toEqual({
      ok: false,
      error: { code: 'ASSISTANT_NOT_FOUND', message: expect.any(String) },
    });
  });

  // Each of their fields: apps/server/src/board/board.request.spec.ts.
  it('refuses a wrong request as VALIDATION_ERROR, with all that is wrong, and one without a payload as an empty one', async () => {
    const answer = await board.request('board:open', { assistant_id: 7, since: -1 });
    expect(answer).toEqual({
      ok: false,
      error: {
        code: 'VALIDATION_ERROR',
        message:
          'assistant_id: must be a non-empty string; since: must be the seq of an earlier answer or event',
      },
    });
    for (const event of ['board:open', 'board:more', 'board:close']) {
      const empty = await ask(event, {});
      expect([event, empty]).toMatchObject([event, { ok: false, error: { code: 'VALIDATION_ERROR' } }]);
      expect([event, await ask(event)]).toEqual([event, empty]);
    }
    expect(await ask('board:close', { assistant_id: scene.account.assistantId }, 'more', 7)).toMatchObject({
      ok: true,
    });
  });

  it('refuses a request that there is not as VALIDATION_ERROR, and names those that there are', async () => {
    for (const event of ['board:nope', 'board:Open', 'constructor', '__proto__', 'card.moved', 'error', ''])
      for (const args of [[], [{ assistant_id: scene.account.assistantId }]])
        expect([event, await ask(event, ...args)]).toEqual([
          event,
          {
            ok: false,
            error: {
              code: 'VALIDATION_ERROR',
              message: expect.stringMatching(/board:open, board:more, board:close/),
            },
          },
        ]);
  });

  it('shows several agents on one socket, and a closed one no longer', async () => {
    const second = await scene.account.addAssistant();
    const bot = await scene.account.addBot(undefined, second);
    const [firstStage] = await scene.account.addStages(second, [{}]);
    const key = await scene.account.addKey({ assistantIds: [scene.account.assistantId, second] });
    const both = await BoardClient.connect(scene.server.url, { api_key: key });
    const api = new ApiClient(scene.server.url, key);
    const here = await scene.account.addThread();
    const there = await scene.account.addThread({}, second, bot);
    await both.open(scene.account.assistantId);
    await both.open(second.toUpperCase());

    await api.setStatus({ thread_id: here, status_id: scene.account.stages[0] });
    await api.setStatus({ thread_id: there, status_id: firstStage });
    await both.hears(({ thread_id }) => thread_id === here);
    await both.hears(({ thread_id }) => thread_id === there);

    expect(await both.request('board:close', { assistant_id: second })).toEqual({ ok: true, data: null });
    await api.setStatus({ thread_id: there, status_id: null });
    await api.setStatus({ thread_id: here, status_id: null });
    await both.hears(({ thread_id, version }) => thread_id === here && version === 3);
    expect(both.events.filter(({ thread_id }) => thread_id === there)).toHaveLength(1);
    both.close();
  });
});

describe('board:more', () => {
  const COLUMN = 120;

  it('pages a column without missing or repeating a lead that does not move, while others do', async () => {
    const busy = await AccountFixture.create(scene.database.pool);
    const [stage, elsewhere] = busy.stages;
    const still: string[] = [];
    const moving: string[] = [];
    for (let index = 0; index < COLUMN; index++) {
      (index % 3 === 0 ? moving : still).push(await busy.addThread({ statusId: stage }));
    }
    // Leads of one instant are told apart by their ids.
    await scene.database.pool.query(
      `UPDATE threads SET last_activity_at = date_trunc('second', last_activity_at) WHERE account_id = $1`,
      [busy.id],
    );
    const api = new ApiClient(scene.server.url, busy.key);
    const pager = await BoardClient.connect(scene.server.url, { api_key: busy.key });
    const snapshot = await pager.open(busy.assistantId);
    const column = snapshot.columns.find(({ status_id }) => status_id === stage);
    expect([column?.total, column?.cards.length]).toEqual([COLUMN, 50]);
    const seen = (column?.cards ?? []).map(({ thread_id }) => thread_id);
    for (let cursor = column?.next_cursor; cursor;) {
      for (const thread_id of moving.splice(0, 8)) {
        await api.setStatus({ thread_id, status_id: elsewhere });
        await api.setStatus({ thread_id, status_id: stage });
      }
      const request = { assistant_id: busy.assistantId, status_id: stage, cursor };
      const answer = await pager.request<BoardSnapshot['columns'][number]>('board:more', request);
      if (!answer.ok) throw new Error(answer.error.message);
      seen.push(...answer.data.cards.map(({ thread_id }) => thread_id));
      expect(answer.data).toMatchObject({ seq: expect.any(Number), status_id: column?.status_id });
      cursor = answer.data.next_cursor;
    }
    expect(seen.filter((thread) => still.includes(thread)).sort()).toEqual([...still].sort());
    pager.close();
  });

  it('pages the leads without a stage too', async () => {
    const busy = await AccountFixture.create(scene.database.pool);
    const all: string[] = [];
    for (let index = 0; index < 60; index++) all.push(await busy.addThread());
    const pager = await BoardClient.connect(scene.server.url, { api_key: busy.key });
    const [column] = (await pager.open(busy.assistantId)).columns;
    const seen = (column?.cards ?? []).map(({ thread_id }) => thread_id);
    for (let cursor = column?.next_cursor; cursor;) {
      const request = { assistant_id: busy.assistantId, status_id: null, cursor };
      const answer = await pager.request<BoardSnapshot['columns'][number]>('board:more', request);
      if (!answer.ok) throw new Error(answer.error.message);
      seen.push(...answer.data.cards.map(({ thread_id }) => thread_id));
      cursor = answer.data.next_cursor;
    }
    expect(seen).toHaveLength(all.length);
    expect(new Set(seen)).toEqual(new Set(all));
    pager.close();
  });

  // What is a cursor: libs/domain/src/board/board-columns.service.spec.ts.
  it('takes a cursor only as it was given, and breaks over no time in it', async () => {
    const more = async (cursor: string): Promise<string> => {
      const request = { assistant_id: scene.account.assistantId, status_id: null, sort: 'activity', cursor };
      const answer = await board.request('board:more', request);
      return answer.ok ? 'ok' : answer.error.code;
    };
    const cursorOf = (at: string): string => Buffer.from(`${at} ${randomUUIDv7()}`).toString('base64url');
    const cursor = cursorOf('2026-01-01 00:00:00.000000');
    expect([await more(cursor), await more(`${cursor}=`), await more('x')]).toEqual([
      ...['ok', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
    ]);
    for (const at of [
      '0000-01-01 00:00:00.000000',
      '0001-01-01 00:00:00.000000',
      '2026-02-30 10:00:00.000000',
      '2026-01-01 24:00:00.000000',
      '275760-09-13 00:00:00.000000',
    ])
      expect([at, await more(cursorOf(at))]).toEqual([at, expect.stringMatching(/^(ok|VALIDATION_ERROR)$/)]);
  });

  it('answers one and the same 404 for a stage of another funnel, unknown, archived or malformed', async () => {
    const cursor = Buffer.from(`2026-01-01 00:00:00.000000 ${randomUUIDv7()}`).toString('base64url');
    const more = (status_id: string) =>
      board.request('board:more', {
        assistant_id: scene.account.assistantId,
        status_id,
        sort: 'activity',
        cursor,
      });
    const other = await AccountFixture.create(scene.database.pool);
    const [sisters] = await scene.account.addStages(await scene.account.addAssistant(), [{}]);
    const [archived] = await scene.account.addStages(scene.account.assistantId, [{}]);
    await scene.database.pool.query('UPDATE statuses SET archived_at = clock_timestamp() WHERE id = $1', [
      archived,
    ]);
    const ids = ['x', randomUUIDv7(), other.stages[0] ?? '', sisters ?? '', archived ?? ''];
    const answers = await Promise.all(ids.map(more));
    const refusal = { ok: false, error: { code: 'STATUS_NOT_FOUND', message: expect.any(String) } };
    expect(answers).toEqual(ids.map(() => refusal));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await more((scene.account.stages[0] ?? '').toUpperCase())).toMatchObject({ ok: true });
  });
});
