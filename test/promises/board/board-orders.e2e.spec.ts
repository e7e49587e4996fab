import { randomUUIDv7 } from 'node:crypto';
import type { BoardMoreRequest, BoardSnapshot, BoardAck } from '@app/contracts/board-events';
import { THREAD_SORTS } from '@app/contracts/lead.words';
import { setScene } from '../../support/scenes/base.scene';
import type { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';

const scene = setScene();

describe('a board’s columns', () => {
  const LEADS = 70;
  let account: AccountFixture;
  let api: ApiClient;
  let board: BoardClient;

  beforeAll(async () => {
    account = await AccountFixture.create(scene.database.pool);
    api = scene.apiAt(0, await account.addKey({ limitLeads: 100_000 }));
    for (let index = 0; index < LEADS; index++)
      await account.addThread({
        statusId: account.stages[0],
        waitingMinutes: index % 2 === 0 ? ((index * 13) % LEADS) + 1 : undefined,
      });
    // Neither the order of opening nor that of waiting is that of activity.
    await scene.database.pool.query(
      `UPDATE threads SET last_activity_at = clock_timestamp() - make_interval(secs => 600 + (('x' || left(md5(id::text), 4))::bit(16)::int % 900))
      WHERE account_id = $1`,
      [account.id],
    );
    // The messages that wait: how a dialog was that has changed meanwhile is read from them.
    await scene.database.pool.query(
      `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, sent_at, created_at)
     SELECT account_id, waiting_message_id, id, bot_id, channel, 'USER', true, 'received', '', waiting_at, last_activity_at
       FROM threads WHERE account_id = $1 AND waiting_message_id IS NOT NULL`,
      [account.id],
    );
  });

  beforeEach(async () => {
    board = await BoardClient.connect(scene.server.url, { api_key: account.key });
  });

  afterEach(() => board?.close());

  const column = ({ columns }: BoardSnapshot, statusId: string | null) =>
    columns.find(({ status_id }) => status_id === statusId);

  /** The cards of the first column, page by page. Between pages something happens. */
  async function pages(
    how: Pick<BoardMoreRequest, 'filter' | 'sort'>,
    meanwhile: () => Promise<unknown> = async () => undefined,
  ): Promise<string[]> {
    const status_id = account.stages[0] ?? '';
    const first = column(await board.open(account.assistantId, { ...how, limit: 15 }), status_id);
    const seen = (first?.cards ?? []).map(({ thread_id }) => thread_id);
    for (let cursor = first?.next_cursor; cursor;) {
      await meanwhile();
      const page = await board.more({ assistant_id: account.assistantId, status_id, cursor, ...how });
      expect(Object.keys(page).sort()).toEqual(['cards', 'next_cursor', 'seq', 'status_id']);
      seen.push(...page.cards.map(({ thread_id }) => thread_id));
      cursor = page.next_cursor;
    }
    return seen;
  }

  const listed = async (filter: object): Promise<string[]> => {
    const { body } = await api.getThreads({ limit: 200, status_ids: [account.stages[0]], ...filter });
    return (body.data.threads as { thread_id: string }[]).map(({ thread_id }) => thread_id);
  };

  it.each([undefined, ...THREAD_SORTS])('have the order of get-threads, sort %s', async (sort) => {
    const order = sort ?? 'activity';
    expect(await pages({ sort })).toEqual(await listed({ sort: order }));
    const filter = { waiting: true };
    expect(await pages({ sort, filter })).toEqual(await listed({ sort: order, ...filter }));
  });

  it.each([
    ['opened', undefined],
    ['opened', { waiting: true }],
    ['activity', { waiting: true }],
    ['waiting', { waiting: true }],
  ] as const)(
    'sorted by %s with filter %j have each lead once, however leads move between the pages',
    async (sort, filter) => {
      const all = await listed({ sort, ...filter });
      const [first = '', second = ''] = account.stages;
      const moving = all.filter((_, index) => index % 4 === 0);
      const seen = await pages({ sort, filter }, async () => {
        for (const thread_id of moving.splice(0, 4)) {
          await api.setStatus({ thread_id, status_id: second });
          await api.setStatus({ thread_id, status_id: first });
        }
      });
      expect([...seen].sort()).toEqual([...all].sort());
    },
  );

  it('have as many cards as were asked for, at most 100, and 50 otherwise', async () => {
    const cards = async (limit?: number): Promise<number | undefined> =>
      column(await board.open(account.assistantId, { limit }), account.stages[0] ?? '')?.cards.length;
    expect([await cards(1), await cards(), await cards(100)]).toEqual([1, 50, LEADS]);
    for (const limit of [0, 101])
      expect(await board.request('board:open', { assistant_id: account.assistantId, limit })).toMatchObject({
        ok: false,
        error: { code: 'VALIDATION_ERROR' },
      });
  });

  it('refuse a cursor of another order as VALIDATION_ERROR', async () => {
    const status_id = account.stages[0] ?? '';
    const cursors = new Map<string, string>();
    for (const sort of THREAD_SORTS) {
      const filter = { waiting: false };
      const shown = column(await board.open(account.assistantId, { sort, filter, limit: 5 }), status_id);
      cursors.set(sort, shown?.next_cursor ?? '');
    }
    for (const sort of [undefined, ...THREAD_SORTS])
      for (const [of, cursor] of cursors) {
        const request = { assistant_id: account.assistantId, status_id, cursor, sort };
        const answer = await board.request('board:more', { ...request, filter: { waiting: false } });
        const isOwn = of === (sort ?? 'activity');
        expect([of, sort, answer.ok ? 'ok' : answer.error.code]).toEqual([
          of,
          sort,
          isOwn ? 'ok' : 'VALIDATION_ERROR',
        ]);
      }
  });
});

describe('a total of a filter', () => {
  const filter = { unread: true };
  let account: AccountFixture;
  let api: ApiClient;
  let boards: BoardClient[];

  beforeEach(async () => {
    account = await AccountFixture.create(scene.database.pool, [{ name: 'New' }, { name: 'Paid' }]);
    api = scene.apiAt(0, account.key);
    boards = [];
  });

  afterEach(() => boards.forEach((board) => board.close()));

  async function connect(): Promise<BoardClient> {
    const board = await BoardClient.connect(scene.server.url, { api_key: account.key });
    boards.push(board);
    return board;
  }

  async function addUnread(statusId: string | null): Promise<string> {
    const thread = await account.addThread({ statusId: statusId ?? undefined });
    await scene.kept.setFacts(thread, 'unread_count = 1');
    return thread;
  }

  const totalsOf = (board: BoardClient, statusId: string | null): number[] =>
    board.totals.filter(({ status_id }) => status_id === statusId).map(({ total }) => total);

  const untilTotal = (board: BoardClient, statusId: string | null, total: number): Promise<unknown> =>
    eventually(
      async () => totalsOf(board, statusId).at(-1) === total,
      5_000,
      `the column did not count ${total}, but ${totalsOf(board, statusId).join()}`,
    );

  it('comes again only with another number, and then to each board', async () => {
    const [first = '', second = ''] = account.stages;
    const [quiet, moving] = [await addUnread(null), await addUnread(first)];
    const board = await connect();
    await board.open(account.assistantId, { filter });
    await api.setAi(quiet, false);
    await untilTotal(board, null, 1);
    // The columns' totals come together: the second stage's tells that the others were counted.
    await api.setAi(quiet, true);
    await api.setStatus({ thread_id: moving, status_id: second });
    await untilTotal(board, second, 1);
    expect(totalsOf(board, null)).toEqual([1]);
    const late = await connect();
    const { seq } = await late.open(account.assistantId, { filter });
    await api.setStatus({ thread_id: moving, status_id: first });
    for (const each of [board, late]) {
      await untilTotal(each, second, 0);
      await untilTotal(each, first, 1);
    }
    const returned = await connect();
    await returned.reopen(account.assistantId, seq, filter);
    await untilTotal(returned, null, 1);
    await untilTotal(returned, first, 1);
  });
});

describe('what a board may be asked for', () => {
  let board: BoardClient;

  beforeEach(async () => {
    board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
  });

  afterEach(() => board?.close());

  const ask = (event: string, further: object): Promise<BoardAck<unknown>> =>
    board.request(event, { assistant_id: scene.account.assistantId, ...further });

  describe('a filter', () => {
    // Each of its fields: apps/server/src/threads/thread.request.spec.ts.
    it('that is wrong is refused with the paths of its fields, as get-threads refuses it', async () => {
      const filter = { waiting: 'yes', status_kind: 'won', search: 'x'.repeat(101) };
      const { body } = await scene.api.getThreads(filter);
      const message = body.error.details?.map((fault) => `filter.${fault.path}: ${fault.message}`).join('; ');
      const refused = { ok: false, error: { code: 'VALIDATION_ERROR', message } };
      expect(await ask('board:open', { filter })).toEqual(refused);
      expect(await ask('board:more', { filter, status_id: null, cursor: 'x' })).toEqual(refused);
    });

    it('that names a thing of another account is refused as one that does not exist', async () => {
      const other = await AccountFixture.create(scene.database.pool);
      const theirs: [string, string, string][] = [
        ['status_id', other.stages[0] ?? '', 'STATUS_NOT_FOUND'],
        ['scenario_id', await other.addScenario(other.stages[0] ?? ''), 'SCENARIO_NOT_FOUND'],
        ['assignee_id', await other.addUser(), 'USER_NOT_FOUND'],
        ['bot_id', randomUUIDv7(), 'BOT_NOT_FOUND'],
      ];
      for (const [field, id, code] of theirs) {
        const answers = [];
        for (const value of [id, randomUUIDv7()])
          answers.push(await ask('board:open', { filter: { [field]: value } }));
        expect([field, answers[0]]).toEqual([
          field,
          { ok: false, error: { code, message: expect.any(String) } },
        ]);
        expect(answers[0]).toEqual(answers[1]);
      }
      const [stage = ''] = other.stages;
      expect(await ask('board:open', { filter: { status_ids: [null, stage] } })).toMatchObject({
        error: { code: 'STATUS_NOT_FOUND' },
      });
      expect(await ask('board:open', { filter: { bot_id: other.botId } })).toMatchObject({
        error: { code: 'FORBIDDEN' },
      });
    });

    it('that is refused leaves the board as it was', async () => {
      const thread = await scene.account.addThread();
      await board.open(scene.account.assistantId, { filter: { waiting: false } });
      expect(await ask('board:open', { filter: { status_id: randomUUIDv7() } })).toMatchObject({ ok: false });
      await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) });
      expect(await board.hears(({ thread_id }) => thread_id === thread)).toMatchObject({ in_filter: true });
    });

    it('that is hostile, empty or unknown breaks nothing', async () => {
      const filters = [
        { search: `'; DROP TABLE threads; --` },
        { search: '\0' },
        { search: '\ud800' },
        { search: '%_\\:*&|!()' },
        { status_ids: [] },
        { unknown_field: 1, waiting: true },
        { created_after: '9999-12-31T23:59:59.999Z' },
      ];
      for (const filter of filters) {
        const answer = await ask('board:open', { filter });
        const word = answer.ok ? 'ok' : answer.error.code;
        expect([filter, word]).toEqual([filter, expect.stringMatching(/^(ok|VALIDATION_ERROR)$/)]);
        const thread = await scene.account.addThread();
        await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) });
        if (answer.ok)
          expect(typeof (await board.hears(({ thread_id }) => thread_id === thread)).in_filter).toBe(
            'boolean',
          );
      }
    });
  });
});
