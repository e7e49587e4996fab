import type { BoardFilter, BoardReplay, BoardSnapshot } from '@app/contracts/board-events';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { DialogWriter } from '../../support/database/dialog.writer';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';

const FOUND_WITHIN_MS = 20_000;

const scene = setScene({ servers: 2 });
let account: AccountFixture;
let api: ApiClient;
let boards: BoardClient[];

/** A separate account for each test, so that its boards show what the test put there. */
beforeEach(async () => {
  account = await AccountFixture.create(scene.database.pool, [
    { name: 'New' },
    { name: 'Paid', kind: 'success' },
  ]);
  api = scene.apiAt(0, account.key);
  boards = [];
});

afterEach(() => boards.forEach((board) => board.close()));

async function connect(server: number, key = account.key): Promise<BoardClient> {
  const board = await BoardClient.connect(scene.servers[server]?.url ?? '', { api_key: key });
  boards.push(board);
  return board;
}

const threadsOf = ({ columns }: BoardSnapshot): string[] =>
  columns.flatMap(({ cards }) => cards.map(({ thread_id }) => thread_id)).sort();

const totalsOf = ({ columns }: BoardSnapshot): [string | null, number][] =>
  columns.filter(({ total }) => total > 0).map(({ status_id, total }) => [status_id, total]);

async function listed(filter: object): Promise<{ threads: string[]; totals: [string | null, number][] }> {
  const { body } = await api.getThreads({
    ...filter,
    assistant_id: account.assistantId,
    limit: 200,
    counts: true,
  });
  const totals = body.data.totals as { status_id: string | null; total: number }[];
  return {
    threads: (body.data.threads as { thread_id: string }[]).map(({ thread_id }) => thread_id).sort(),
    totals: totals.map(({ status_id, total }) => [status_id, total]),
  };
}

const byStage = ([a]: [string | null, number], [b]: [string | null, number]): number =>
  (a ?? '') < (b ?? '') ? -1 : 1;

/** Resolves when all words that were stored can be found. */
async function searchable(): Promise<void> {
  const { pool } = scene.database;
  await pool.query(
    'INSERT INTO search_queue (account_id, thread_id) SELECT account_id, id FROM threads WHERE account_id = $1',
    [account.id],
  );
  const left = async () =>
    (await pool.query('SELECT 1 FROM search_queue WHERE account_id = $1', [account.id])).rowCount;
  await eventually(async () => (await left()) === 0, FOUND_WITHIN_MS, 'the words were not stored');
}

/** The last verdict that a board got about a dialog. */
const lastVerdict = (board: BoardClient, thread: string): boolean | undefined =>
  board.events.findLast(({ thread_id }) => thread_id === thread)?.in_filter;

const untilIn = (board: BoardClient, thread: string, passes: boolean): Promise<unknown> =>
  eventually(
    async () => lastVerdict(board, thread) === passes,
    FOUND_WITHIN_MS,
    `the board did not hear that the card ${passes ? 'came into' : 'left'} the filter`,
  );

const untilTotal = (board: BoardClient, statusId: string | null, total: number): Promise<unknown> =>
  eventually(
    async () => board.totals.findLast(({ status_id }) => status_id === statusId)?.total === total,
    FOUND_WITHIN_MS,
    `the column did not count ${total}`,
  );

describe('a board with a filter', () => {
  /** Dialogs of every kind, and filters each of which some pass and some do not. */
  async function mixture(): Promise<BoardFilter[]> {
    const [first = '', second = ''] = account.stages;
    const user = await account.addUser();
    const scenario = await account.addScenario(first);
    const otherBot = await account.addBot();
    await account.addThread();
    await account.addThread({ statusId: second, waitingMinutes: 5, channel: 'waba' });
    await account.addThread({ statusId: second, optedOut: true });
    await account.addThread({ statusId: first, takeoverSeconds: 600 });
    await account.addThread({ statusId: first }, account.assistantId, otherBot);
    const facts = async (assignments: string): Promise<string> => {
      const thread = await account.addThread({ statusId: first });
      await scene.kept.setFacts(thread, assignments);
      return thread;
    };
    await facts('unread_count = 3');
    await facts(`attention = 'model', attention_since = clock_timestamp()`);
    await facts(`attention = 'scenario', attention_since = clock_timestamp()`);
    await facts(`assignee_id = '${user}'`);
    await facts(`customer_name = 'Айгерим'`);
    await facts(
      `created_at = '2026-01-01T10:00:00.123456Z', last_activity_at = '2026-01-01T10:00:00.123456Z'`,
    );
    await searchable();
    const running = await account.addThread();
    await api.setStatus({ thread_id: running, status_id: first });
    await eventually(
      async () => (await listed({ scenario_id: scenario, run_state: 'waiting' })).threads.length === 1,
      FOUND_WITHIN_MS,
      'the run did not begin',
    );
    const key = await account.addKey({ botIds: [account.botId, otherBot] });
    api = scene.apiAt(0, key);
    account.key = key;
    return [
      {},
      { bot_id: otherBot },
      { bot_id: otherBot.toUpperCase() },
      { channel: 'waba' },
      { status_id: first },
      { status_id: null },
      { status_ids: [null, second.toUpperCase()] },
      { status_ids: [] },
      { status_kind: 'success' },
      { message_handler: 'OPERATOR' },
      { message_handler: 'AI' },
      { waiting: true },
      { waiting: false },
      { unread: true },
      { opted_out: true },
      { attention: true },
      { attention: false },
      { attention: 'model' },
      { assignee_id: user },
      { assignee_id: user.toUpperCase() },
      { assignee_id: null },
      { search: 'айг' },
      { search: '…' },
      { scenario_id: scenario },
      { run_state: 'waiting' },
      { run_state: 'done' },
      { created_before: '2026-01-01T10:00:00.124Z' },
      { created_before: '2026-01-01T10:00:00.123Z' },
      { created_after: '2026-01-01T10:00:00.124Z' },
      { active_after: '2026-01-01T10:00:00.123Z' },
      { active_after: '2026-01-01T10:00:00.124Z', waiting: false, status_kind: 'active' },
    ];
  }

  it('shows what get-threads lists, and says of every event what get-threads says, for each filter', async () => {
    const filters = await mixture();
    const all = (await listed({})).threads;
    const shown: BoardClient[] = [];
    for (const [index, filter] of filters.entries()) {
      const board = await connect(index % 2);
      const snapshot = await board.open(account.assistantId, { filter, limit: 100 });
      const { threads, totals } = await listed(filter);
      expect([filter, threadsOf(snapshot)]).toEqual([filter, threads]);
      expect([filter, totalsOf(snapshot).sort(byStage)]).toEqual([filter, totals.sort(byStage)]);
      shown.push(board);
    }
    // An event for each dialog that changes nothing of it.
    const { rows } = await scene.database.pool.query<{ id: string; customer_name: string }>(
      'SELECT id, customer_name FROM threads WHERE account_id = $1',
      [account.id],
    );
    const writer = new DialogWriter(scene.database.pool, account, { notifies: true });
    for (const { id, customer_name } of rows) await writer.rename(`thread_${id}`, customer_name);
    for (const [index, filter] of filters.entries()) {
      const board = shown[index]!;
      const heard = (): boolean => all.every((thread) => lastVerdict(board, thread) !== undefined);
      await eventually(async () => heard(), FOUND_WITHIN_MS, 'the board did not hear of all dialogs');
      const passing = all.filter((thread) => lastVerdict(board, thread));
      expect([filter, passing]).toEqual([filter, (await listed(filter)).threads]);
    }
  });

  it('hears of a card that comes and goes by a move, on both processes, and its totals follow', async () => {
    const [first = '', second = ''] = account.stages;
    const thread = await account.addThread({ statusId: first });
    const pair = [await connect(0), await connect(1)];
    const whole = await connect(1);
    await whole.open(account.assistantId);
    for (const board of pair) await board.open(account.assistantId, { filter: { status_ids: [second] } });

    await api.setStatus({ thread_id: thread, status_id: second });
    for (const board of pair) {
      await untilIn(board, thread, true);
      await untilTotal(board, second, 1);
    }
    await api.setStatus({ thread_id: thread, status_id: first });
    for (const board of pair) {
      await untilIn(board, thread, false);
      await untilTotal(board, second, 0);
      // What does not pass is no part of the totals.
      await untilTotal(board, first, 0);
    }
    await whole.hears(({ version }) => version === 3);
    expect(whole.events.filter((event) => 'in_filter' in event)).toEqual([]);
    await untilTotal(whole, first, 1);
  });

  it('hears of a card that comes and goes by a switch, an assignment and a person’s attention', async () => {
    const thread = await account.addThread();
    const user = await account.addUser();
    await scene.kept.setFacts(thread, `attention = 'model', attention_since = clock_timestamp()`);
    const filters: BoardFilter[] = [
      { message_handler: 'OPERATOR' },
      { assignee_id: user },
      { attention: 'model' },
    ];
    const [operators, assigned, wanted] = await Promise.all(filters.map((_, index) => connect(index % 2)));
    for (const [index, board] of [operators!, assigned!, wanted!].entries())
      await board.open(account.assistantId, { filter: filters[index] });

    await api.setAi(thread, false);
    await untilIn(operators!, thread, true);
    await untilIn(assigned!, thread, false);
    await untilIn(wanted!, thread, true);
    await api.assign(thread, user);
    await untilIn(assigned!, thread, true);
    await untilTotal(assigned!, null, 1);
    await api.clearAttention(thread);
    await untilIn(wanted!, thread, false);
    await untilTotal(wanted!, null, 0);
    await api.setAi(thread, true);
    await untilIn(operators!, thread, false);
    await api.assign(thread, null);
    await untilIn(assigned!, thread, false);
  });

  it('hears of a card that comes and goes by messages', async () => {
    const writer = new DialogWriter(scene.database.pool, account, { notifies: true });
    const thread = await writer.open();
    const [here, there] = [await connect(0), await connect(1)];
    for (const board of [here, there]) await board.open(account.assistantId, { filter: { unread: true } });
    await writer.say(thread, 'USER', 'Алло?');
    for (const board of [here, there]) {
      await untilIn(board, thread, true);
      await untilTotal(board, null, 1);
    }
    await writer.say(thread, 'OPERATOR', 'Слушаю');
    for (const board of [here, there]) {
      await untilIn(board, thread, false);
      await untilTotal(board, null, 0);
    }
  });

  it('shows a card by the words of a message once they can be found, though no event tells of that', async () => {
    const writer = new DialogWriter(scene.database.pool, account, { notifies: true });
    const thread = await writer.open();
    const board = await connect(1);
    const before = await board.open(account.assistantId, { filter: { search: 'доставка завтра' } });
    expect(threadsOf(before)).toEqual([]);
    await writer.say(thread, 'USER', 'Когда доставка? Завтра?');
    await board.hears(({ thread_id, in_filter }) => thread_id === thread && in_filter === false);
    await searchable();
    await untilIn(board, thread, true);
    await untilTotal(board, null, 1);
    expect(board.events.at(-1)).toMatchObject({ event: 'card.updated', card: { thread_id: thread } });
  });

  it('shows a card by the words of a message that was written shortly before the board was opened', async () => {
    const writer = new DialogWriter(scene.database.pool, account, { notifies: true });
    const [all, board] = [await connect(1), await connect(1)];
    await all.open(account.assistantId);
    const thread = await writer.open();
    const holder = await scene.database.pool.connect();
    try {
      await holder.query('BEGIN');
      // Nobody adds words meanwhile.
      await holder.query("SELECT pg_advisory_xact_lock(hashtextextended('words of ' || $1::uuid, 0))", [
        account.id,
      ]);
      await writer.say(thread, 'USER', 'Когда доставка? Завтра?');
      await all.hears(({ event, thread_id }) => event === 'message.created' && thread_id === thread);
      const opened = await board.open(account.assistantId, { filter: { search: 'доставка завтра' } });
      expect(threadsOf(opened)).toEqual([]);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await searchable();
    await untilIn(board, thread, true);
    await untilTotal(board, null, 1);
  });

  it('shows a card by a run that begins', async () => {
    const [first = ''] = account.stages;
    const scenario = await account.addScenario(first);
    const thread = await account.addThread();
    const board = await connect(1);
    const filter: BoardFilter = { scenario_id: scenario, run_state: 'waiting' };
    expect(totalsOf(await board.open(account.assistantId, { filter }))).toEqual([]);
    await api.setStatus({ thread_id: thread, status_id: first });
    await untilIn(board, thread, true);
    await untilTotal(board, first, 1);
  });

  it('gets what it missed with the same word for each event, and the totals as they are now', async () => {
    const [first = '', second = ''] = account.stages;
    const [stays, leaves] = [
      await account.addThread({ statusId: first }),
      await account.addThread({ statusId: first }),
    ];
    const filter: BoardFilter = { status_ids: [first] };
    const before = await connect(0);
    const { seq } = await before.open(account.assistantId, { filter });
    before.close();
    await api.setAi(stays, false);
    await api.setStatus({ thread_id: leaves, status_id: second });
    for (const given of [filter, { ...filter, search: '+7701' }]) {
      await searchable();
      const back = await connect(1);
      const { events } = (await back.reopen(account.assistantId, seq, given)) as BoardReplay;
      const verdicts = events.map(({ thread_id, in_filter }) => [thread_id, in_filter]);
      expect(verdicts).toEqual(expect.arrayContaining([[stays, true]]));
      expect(verdicts).toEqual(expect.arrayContaining([[leaves, false]]));
      expect(verdicts).toHaveLength(2);
      await untilTotal(back, first, 1);
      await untilTotal(back, second, 0);
    }
    const whole = (await (await connect(1)).reopen(account.assistantId, seq)) as BoardReplay;
    expect(whole.events.filter((event) => 'in_filter' in event)).toEqual([]);
  });

  it('that is opened again with another filter, or with none, gets each event once, by the last', async () => {
    const [first = '', second = ''] = account.stages;
    const thread = await account.addThread();
    const board = await connect(0);
    await board.open(account.assistantId, { filter: { status_ids: [first] } });
    await board.open(account.assistantId, { filter: { status_ids: [second] } });
    await api.setStatus({ thread_id: thread, status_id: second });
    await untilIn(board, thread, true);
    await board.open(account.assistantId);
    await api.setStatus({ thread_id: thread, status_id: first });
    await board.hears(({ version }) => version === 3);
    await api.setStatus({ thread_id: thread, status_id: null });
    await board.hears(({ version }) => version === 4);
    expect(board.events.map(({ version, in_filter }) => [version, in_filter])).toEqual([
      [2, true],
      [3, undefined],
      [4, undefined],
    ]);
  });

  it('counts the last of two requests that come at once', async () => {
    const thread = await account.addThread();
    const board = await connect(0);
    const [first = ''] = account.stages;
    const answers = await Promise.all([
      board.request('board:open', {
        assistant_id: account.assistantId,
        filter: { status_ids: [first], assignee_id: null },
      }),
      board.request('board:open', { assistant_id: account.assistantId }),
    ]);
    expect(answers).toMatchObject([{ ok: false, error: { code: 'UNAVAILABLE' } }, { ok: true }]);
    await api.setStatus({ thread_id: thread, status_id: first });
    await board.hears(({ version }) => version === 2);
    expect(board.events.map((event) => 'in_filter' in event)).toEqual([false]);
  });

  it('is opened again when the funnel is changed', async () => {
    const [plain, filtered] = [await connect(0), await connect(0)];
    await plain.open(account.assistantId);
    await filtered.open(account.assistantId, { filter: { waiting: false } });
    await scene.database.pool.query(
      `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
       VALUES ($1, $2, $2, 1, 'funnel', clock_timestamp(), '{}')`,
      [account.id, account.assistantId],
    );
    for (const board of [plain, filtered])
      await eventually(async () => board.resyncs.length > 0, FOUND_WITHIN_MS, 'it was not told to resync');
  });

  it('by the state of runs is opened again where a scenario or all automation is paused or goes on; any other is where all automation is, for cards say why they wait', async () => {
    const [first = ''] = account.stages;
    const scenario = await account.addScenario(first);
    const admin = new ApiClient(
      scene.server.url,
      await addAdminKey(scene.database.pool, { limitGeneral: 1_000 }),
    );
    const thread = await account.addThread();
    await api.setStatus({ thread_id: thread, status_id: first });
    const filter: BoardFilter = { run_state: 'waiting' };
    await eventually(
      async () => (await listed(filter)).threads.length === 1,
      FOUND_WITHIN_MS,
      'the run did not begin',
    );
    const [board, byScenario, plain] = [await connect(1), await connect(1), await connect(1)];
    let { seq } = await board.open(account.assistantId, { filter });
    await byScenario.open(account.assistantId, { filter: { scenario_id: scenario } });
    await plain.open(account.assistantId);
    const changes: [string, object, string[]][] = [
      [`scenarios/${scenario}`, { state: 'paused' }, []],
      [`scenarios/${scenario}`, { state: 'on' }, [thread]],
      [`accounts/${account.id}`, { automation_paused: true }, []],
      [`accounts/${account.id}`, { automation_paused: false }, [thread]],
    ];
    for (const [place, [path, body, shown]] of changes.entries()) {
      expect((await admin.admin('PATCH', path, body)).status).toBe(200);
      const isTold = async () => board.resyncs.length === place + 1;
      await eventually(
        isTold,
        FOUND_WITHIN_MS,
        `it was not told to open again after ${JSON.stringify(body)}`,
      );
      const again = (await board.reopen(account.assistantId, seq, filter)) as BoardSnapshot;
      expect([place, threadsOf(again)]).toEqual([place, shown]);
      seq = again.seq;
      const others = [byScenario.resyncs.length, plain.resyncs.length];
      expect([place, others]).toEqual([place, place < 2 ? [0, 0] : [place - 1, place - 1]]);
      if (place < 2) continue;
      await byScenario.open(account.assistantId, { filter: { scenario_id: scenario } });
      await plain.open(account.assistantId);
    }
  });

  it('keeps to what the database has through a storm of moves on two processes', async () => {
    const threads = await Promise.all(Array.from({ length: 8 }, () => account.addThread()));
    const filter: BoardFilter = { status_ids: [account.stages[1] ?? '', null] };
    const pair = [await connect(0), await connect(1)];
    const shown = await Promise.all(
      pair.map(async (board) => {
        const cards = new Map<string, number>();
        const snapshot = await board.open(account.assistantId, { filter, limit: 100 });
        for (const { cards: all } of snapshot.columns)
          for (const { thread_id, version } of all) cards.set(thread_id, version);
        return { board, cards, totals: new Map(totalsOf(snapshot)) };
      }),
    );
    const key = await account.addKey({ limitLeads: 100_000 });
    const doors = [scene.apiAt(0, key), scene.apiAt(1, key)];
    const stages = [...account.stages, null];
    await Promise.all(
      Array.from({ length: triesOf(80, 160) }, (_, n) =>
        doors[n % 2]!.setStatus({
          thread_id: threads[(n * 7) % threads.length],
          status_id: stages[(n * 5) % 3],
        }),
      ),
    );
    for (const { board, cards, totals } of shown) {
      const apply = (): string => {
        for (const { thread_id, in_filter, version } of board.events) {
          if ((cards.get(thread_id) ?? 0) > version) continue;
          if (in_filter) cards.set(thread_id, version);
          else cards.delete(thread_id);
        }
        for (const { status_id, total } of board.totals) totals.set(status_id, total);
        const counted = [...totals].filter(([, total]) => total > 0).sort(byStage);
        return JSON.stringify({ threads: [...cards.keys()].sort(), totals: counted });
      };
      const kept = await listed(filter);
      const wanted = JSON.stringify({ threads: kept.threads, totals: kept.totals.sort(byStage) });
      await eventually(async () => apply() === wanted, 10_000, 'the board did not equal the database').catch(
        (error: Error) => {
          throw new Error(`${error.message}: ${apply()} instead of ${wanted}`);
        },
      );
    }
  });
});
