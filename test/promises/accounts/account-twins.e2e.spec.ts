import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { setScene } from '../../support/scenes/base.scene';

const FUNNEL = [{ name: 'Ours 1' }, { name: 'Ours 2' }, { name: 'Ours 3' }];

/**
 * Identifiers are unique within an account only. Two accounts whose agents, stages and dialogs have the same ones (a
 * copy of a business, restored under another name) must still be separate. So this test finds every statement that
 * forgets the account, also where another condition would hide it for accounts with different identifiers.
 */
const scene = setScene({ stages: FUNNEL, agentCouldAnswer: true });
let ours: ApiClient;
let theirs: ApiClient;
let thread: string;
let twinId: string;
let theirKey: string;

/** Moves of each account's dialog. */
const TURNS = 4;
/** Moves of the twin, those of a second try too. */
let moved = 0;

beforeAll(async () => {
  const { database, account } = scene;
  for (const stage of account.stages) await account.addScenario(stage);
  // Their stages silence the agent and are named otherwise, and the customer has another phone.
  const twin = await AccountFixture.create(database.pool, []);
  twinId = twin.id;
  thread = await account.addThread({ statusId: scene.stage(0), waitingMinutes: 5, phone: '+77010000001' });
  const copies = [
    'INSERT INTO assistants (account_id, id, name) SELECT $1, id, name FROM assistants WHERE account_id = $2',
    `INSERT INTO statuses (account_id, id, assistant_id, name, name_folded, kind, "order", ai_enabled)
       SELECT $1, id, assistant_id, replace(name, 'Ours', 'Theirs'), replace(name_folded, 'ours', 'theirs'), 'failure',
              "order", false FROM statuses WHERE account_id = $2`,
    `INSERT INTO bots (account_id, id, assistant_id, name)
       SELECT $1, id, assistant_id, name FROM bots WHERE account_id = $2`,
    `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone, status_id, status_set_at,
         status_set_by, waiting_message_id, waiting_at)
       SELECT $1, id, assistant_id, bot_id, channel, contact, '+77010000002', status_id, status_set_at, status_set_by,
              waiting_message_id, waiting_at FROM threads WHERE account_id = $2`,
    `INSERT INTO scenarios (account_id, id, assistant_id, status_id, name)
       SELECT $1, id, assistant_id, status_id, name FROM scenarios WHERE account_id = $2`,
    `INSERT INTO scenario_revisions (account_id, scenario_id, revision, steps)
       SELECT $1, scenario_id, revision, steps FROM scenario_revisions WHERE account_id = $2`,
    `UPDATE statuses s SET starts_runs = o.starts_runs FROM statuses o
      WHERE s.account_id = $1 AND o.account_id = $2 AND o.id = s.id`,
  ];
  for (const copy of copies) await database.pool.query(copy, [twin.id, account.id]);
  theirKey = await twin.addKey({ assistantIds: [account.assistantId], botIds: [account.botId] });
  ours = scene.api;
  theirs = scene.apiAt(0, theirKey);
});

/** What is kept of the twin's dialog, and everything that came of it. */
const keptOfTwin = async (): Promise<object[]> => {
  const kept: object[] = [];
  for (const table of ['threads', 'events', 'replies', 'scenario_runs']) {
    const { rows } = await scene.database.pool.query<{ row: object }>(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE account_id = $1`,
      [twinId],
    );
    kept.push(...rows);
  }
  return kept;
};

// What each operation reads and changes is in whose-thing.e2e.spec.ts, beside a twin, too.
describe('two accounts with the same identifiers', () => {
  it('see only their own stage in a dry run', async () => {
    const items = [{ thread_id: thread, status_id: scene.stage(1), answer_pending_message: true }];
    const dryRun = { items, dry_run: true };
    const [own, twin] = [await ours.setStatusBulk(dryRun), await theirs.setStatusBulk(dryRun)];
    expect(own.body.data.results).toMatchObject([
      { ok: true, data: { changed: true, answered_pending_message: true, status: { name: 'Ours 2' } } },
    ]);
    expect(twin.body.data.results).toMatchObject([
      { ok: true, data: { changed: true, answered_pending_message: false, status: { name: 'Theirs 2' } } },
    ]);
  });

  it('find no stage by the name that it has with the other', async () => {
    const named = { thread_id: thread, status_name: 'Theirs 2' };
    expect((await ours.setStatus(named)).body.error.code).toBe('STATUS_NOT_FOUND');
  });

  it('move and answer each their own dialog alone', async () => {
    const before = await keptOfTwin();
    const { body } = await ours.setStatus({
      thread_id: thread,
      status_id: scene.stage(1),
      answer_pending_message: true,
    });
    expect(body.data).toMatchObject({
      changed: true,
      answered_pending_message: true,
      status: { name: 'Ours 2', kind: 'active', ai_enabled: true },
    });
    expect(await keptOfTwin()).toEqual(before);
    const { rows } = await scene.database.pool.query<{ account_id: string }>(
      'SELECT account_id FROM scenario_runs',
    );
    expect(rows).toEqual([{ account_id: scene.account.id }]);
  });

  it('switch each their own agent alone', async () => {
    const before = await keptOfTwin();
    expect((await ours.setAi(thread, false)).body.data).toMatchObject({ changed: true });
    expect((await ours.setAi(thread, true)).body.data).toMatchObject({ changed: true });
    expect(await keptOfTwin()).toEqual(before);
  });

  it('move at once, in statements that they share, and each board gets its own moves alone', async () => {
    const names = ['Ours', 'Theirs'];
    const { rows } = await scene.database.pool.query<{ newest: number }>(
      'SELECT max(seq)::int AS newest FROM events',
    );
    // A board that was just opened may get earlier events, too.
    const before = rows[0]?.newest ?? 0;
    // A move in a dialog that has runs, or that begins some, is made alone.
    await scene.database.pool.query('UPDATE threads SET has_runs = false');
    const keys = [scene.account.key, theirKey];
    const boards = await Promise.all(
      keys.map((api_key) => BoardClient.connect(scene.server.url, { api_key })),
    );
    try {
      for (const board of boards) await board.open(scene.account.assistantId);
      for (let turn = 0; turn < TURNS; turn += 1) {
        const status_id = scene.stage(turn % 2 === 0 ? 2 : 0);
        const move = { thread_id: thread, status_id, skip_scenarios: true };
        const answers = await Promise.all([ours.setStatus(move), theirs.setStatus(move)]);
        expect(answers.map(({ body }) => body.data as object)).toEqual(
          names.map(
            (name) =>
              expect.objectContaining({
                changed: true,
                status: expect.objectContaining({ name: expect.stringContaining(name) as string }) as object,
              }) as object,
          ),
        );
        moved += 1;
      }
      const movesOf = (board: BoardClient) =>
        board.events.filter(({ event, seq }) => event === 'card.moved' && seq > before);
      await eventually(
        async () => boards.every((board) => movesOf(board).length >= TURNS),
        20_000,
        'a board did not hear of each move',
      );
      for (const [index, board] of boards.entries()) {
        expect(movesOf(board)).toHaveLength(TURNS);
        expect(JSON.stringify(board.events)).not.toContain(names[1 - index]);
      }
    } finally {
      for (const board of boards) board.close();
    }
  });

  it('read each their own history, with their own names', async () => {
    const own = await ours.getHistory({ thread_id: thread });
    expect(own.body.data.entries.length).toBeGreaterThan(0);
    expect(JSON.stringify(own.body.data.entries)).not.toContain('Theirs');
    const twin = await theirs.getHistory({ thread_id: thread });
    expect(twin.body.data.entries).toHaveLength(moved);
    expect(JSON.stringify(twin.body.data.entries)).not.toContain('Ours');
  });
});
