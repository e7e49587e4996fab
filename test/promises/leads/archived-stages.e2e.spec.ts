import { ApiClient, type Answer } from '../../support/clients/api.client';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { addAdminKey, type GivenStage } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { setScenarioScene } from '../../support/scenes/scenario.scene';

const scene = setScenarioScene({ servers: 2 });
let admin: ApiClient;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
});

/** A funnel of its own for each test. */
beforeEach(() => newFunnel([{ name: 'Left' }, { name: 'Next' }, { name: 'Other' }]));

const newFunnel = async (stages: GivenStage[]): Promise<void> => {
  const { account } = scene;
  const pool = scene.database.pool;
  await pool.query(
    'UPDATE threads SET status_id = NULL, status_set_at = NULL, status_set_by = NULL WHERE account_id = $1',
    [account.id],
  );
  await pool.query('DELETE FROM scenario_secrets');
  await pool.query('DELETE FROM scenario_revisions');
  await pool.query('DELETE FROM scenario_runs');
  await pool.query('DELETE FROM scenarios');
  await pool.query('DELETE FROM statuses WHERE account_id = $1', [account.id]);
  account.stages = await account.addStages(account.assistantId, stages);
};

const LEFT = 0;
const NEXT = 1;
const OTHER = 2;

const archive = (stage: string, moveTo?: string | null, by = admin): Promise<Answer> =>
  by.admin('DELETE', `statuses/${stage}${moveTo === undefined ? '' : `?move_to=${moveTo ?? 'none'}`}`);

const leads = (count: number, stage = scene.stage(LEFT)): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => scene.account.addThread({ statusId: stage })));

const stageOf = async (thread: string): Promise<string | null> => (await scene.kept.thread(thread)).status_id;

const standing = async (stage: string): Promise<number> => {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM threads WHERE status_id = $1',
    [stage],
  );
  return rows[0]?.n ?? -1;
};

const untilNobodyStands = (stage: string): Promise<unknown> =>
  eventually(
    async () => (await standing(stage)) === 0,
    10_000,
    'somebody still stands in the archived stage',
  );

/** Dialogs whose entries do not lead from one to the next, or whose versions do not follow one another. */
const brokenChains = async (threads: readonly string[]): Promise<object[]> => {
  const { rows } = await scene.database.pool.query<object>(
    `SELECT thread_id, version, body FROM (
       SELECT thread_id, version, body, version - lag(version) OVER w AS step, lag(body ->> 'to') OVER w AS stood,
              row_number() OVER w AS n, lead(version) OVER w IS NULL AS is_last
         FROM events WHERE thread_id = ANY ($1) AND type = 'status' WINDOW w AS (PARTITION BY thread_id ORDER BY seq)) e
      WHERE n > 1 AND (step <> 1 OR body ->> 'from' IS DISTINCT FROM stood)
         OR is_last AND (body ->> 'to')::uuid IS DISTINCT FROM (SELECT status_id FROM threads t WHERE t.id = e.thread_id)`,
    [threads.map(uuidOf)],
  );
  return rows;
};

const set = (thread: string, target: object, server = 0): Promise<Answer> =>
  scene.apiAt(server).setStatus({ thread_id: thread, ...target });

// Emptied by another process than one that was killed: process/due-work.e2e.spec.ts.
describe('a stage that is archived', () => {
  it('moves its leads by SYSTEM to the stage that is named, and starts no scenario there', async () => {
    const threads = await leads(5);
    await scene.scenario(NEXT, [{ kind: 'wait', seconds: 60 }]);
    const was = (await admin.admin('GET', `statuses/${scene.stage(LEFT)}`)).body.data;
    const { status, body } = await archive(scene.stage(LEFT), scene.stage(NEXT));
    expect([status, body.data]).toEqual([200, was]);
    for (const thread of threads) {
      expect(await scene.kept.thread(thread)).toMatchObject({
        ...{ status_id: scene.stage(NEXT), status_set_by: 'SYSTEM', version: 2 },
      });
      const { entries } = (await scene.api.getHistory({ thread_id: thread })).body.data;
      expect(entries).toMatchObject([
        {
          type: 'status',
          by: 'SYSTEM',
          actor: { type: 'key', name: 'key' },
          from: { id: scene.stage(LEFT), name: 'Left' },
          to: { id: scene.stage(NEXT) },
        },
      ]);
      expect(await scene.kept.runs(thread)).toEqual([]);
    }
  });

  it('moves its leads to no stage with move_to=none, each by the request that archived it', async () => {
    const [thread = ''] = await leads(1);
    const answer = await archive(scene.stage(LEFT), null);
    const [move] = await scene.kept.events(thread);
    expect([answer.status, await scene.kept.thread(thread)]).toMatchObject([
      200,
      { status_id: null, status_cleared_at: move?.at },
    ]);
    const { rows } = await scene.database.pool.query<{ id: string }>(
      `SELECT body ->> 'request_id' AS id FROM events WHERE thread_id = $1`,
      [uuidOf(thread)],
    );
    expect(rows).toEqual([{ id: answer.headers.get('x-request-id') }]);
  });

  it('is not archived without move_to while leads stand there, and is without any', async () => {
    const [thread = ''] = await leads(1);
    const call = () => archive(scene.stage(LEFT));
    await expectRefused(scene.database.pool, call, [409, 'STATUS_IN_USE']);
    await set(thread, { status_id: scene.stage(NEXT) });
    expect((await call()).status).toBe(200);
  });

  it('cannot be entered by id, by name, in bulk, by a scenario, or as move_to', async () => {
    const { database } = scene;
    const { threadId: thread } = await scene.dialog();
    await scene.scenario(OTHER, [{ kind: 'set_status', status_id: scene.stage(LEFT) }]);
    await archive(scene.stage(LEFT), null);
    const byId = { status_id: scene.stage(LEFT) };
    for (const target of [byId, { status_name: 'Left' }])
      await expectRefused(database.pool, () => set(thread, target), [404, 'STATUS_NOT_FOUND']);
    const { body } = await scene.apiAt(1).setStatusBulk({ items: [{ thread_id: thread, ...byId }] });
    expect(body.data.results).toMatchObject([{ ok: false, error: { code: 'STATUS_NOT_FOUND' } }]);
    await expectRefused(
      database.pool,
      () => archive(scene.stage(NEXT), scene.stage(LEFT)),
      [422, 'VALIDATION_ERROR'],
      ['move_to'],
    );
    await scene.move(thread, OTHER);
    const run = await scene.untilRun(thread, 'failed');
    expect(run.progress).toMatchObject([{ error: { code: 'STATUS_NOT_FOUND' } }]);
    expect(await stageOf(thread)).toBe(scene.stage(OTHER));
  });

  it('is in no list, in no funnel, and 404 for every call about it', async () => {
    const id = scene.stage(LEFT);
    await archive(id, null);
    const { assistantId } = scene.account;
    const listed = (await admin.admin('GET', `statuses?assistant_id=${assistantId}`)).body.data.statuses;
    const funnel = (await scene.api.getStatuses()).body.data.statuses;
    const rest = scene.account.stages.slice(1);
    const ids = (stages: { id: string }[]) => stages.map((stage) => stage.id);
    expect([ids(listed as []), ids(funnel as [])]).toEqual([rest, rest]);
    const calls = [
      () => admin.admin('GET', `statuses/${id}`),
      () => admin.admin('PATCH', `statuses/${id}`, { name: 'x' }),
      () => archive(id, null),
    ];
    for (const call of calls) await expectRefused(scene.database.pool, call, [404, 'STATUS_NOT_FOUND']);
  });

  it('is refused with a move_to that names no other open stage of its funnel', async () => {
    const { account } = scene;
    const [foreign = ''] = await account.addStages(await account.addAssistant(), [{}]);
    const [own] = await leads(1);
    for (const moveTo of [scene.stage(LEFT), foreign, ''])
      await expectRefused(
        scene.database.pool,
        () => archive(scene.stage(LEFT), moveTo),
        [422, 'VALIDATION_ERROR'],
        ['move_to'],
      );
    expect(await stageOf(own ?? '')).toBe(scene.stage(LEFT));
  });

  it('hands its leads over by the rule of the stage that they enter', async () => {
    const [thread = ''] = await leads(1);
    await admin.admin('PATCH', `statuses/${scene.stage(NEXT)}`, { on_enter: 'operator' });
    await archive(scene.stage(LEFT), scene.stage(NEXT));
    expect(await scene.kept.thread(thread)).toMatchObject({ takeover: true, version: 3, ai_epoch: 1 });
    expect((await scene.kept.events(thread)).map(({ type, version }) => [type, version])).toEqual([
      ['status', 2],
      ['handler', 3],
    ]);
  });
});

describe('the scenarios of a stage that is archived', () => {
  it('are archived with it, and their runs end, wherever their leads stand', async () => {
    const dialogs = [await scene.dialog(), await scene.dialog()].map(({ threadId }) => threadId);
    const id = await scene.scenario(LEFT, [{ kind: 'wait', seconds: 7_000 }], { on_leave: 'continue' });
    for (const thread of dialogs) {
      await scene.move(thread, LEFT);
      await scene.untilRun(thread, 'waiting');
    }
    await scene.move(dialogs[1] ?? '', OTHER);
    await archive(scene.stage(LEFT), scene.stage(NEXT));
    for (const thread of dialogs)
      expect(await scene.untilRun(thread, 'cancelled')).toMatchObject({ reason: 'archived' });
    const { rows } = await scene.database.pool.query(
      `SELECT s.archived_at IS NOT NULL AS stage, c.archived_at IS NOT NULL AS scenario, s.starts_runs
         FROM scenarios c JOIN statuses s ON s.id = c.status_id WHERE c.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ stage: true, scenario: true, starts_runs: false }]);
  });
});

describe('a move that read the stage before it was archived', () => {
  it('may commit after it, and the lead goes on to where the others went', async () => {
    const [thread = ''] = await leads(1, scene.stage(OTHER));
    const lock = await RowLock.take(scene.database, thread);
    const late = set(thread, { status_id: scene.stage(LEFT) }, 1);
    await lock.waiters(1);
    const { status } = await archive(scene.stage(LEFT), scene.stage(NEXT));
    await lock.release();
    expect([status, (await late).body.data]).toMatchObject([200, { changed: true }]);
    await untilNobodyStands(scene.stage(LEFT));
    expect(await stageOf(thread)).toBe(scene.stage(NEXT));
    expect(await brokenChains([thread])).toEqual([]);
  });

  it('leads where the stage that it goes on to is archived, too', async () => {
    const [thread = ''] = await leads(1, scene.stage(OTHER));
    const lock = await RowLock.take(scene.database, thread);
    const late = set(thread, { status_id: scene.stage(LEFT) }, 1);
    await lock.waiters(1);
    await archive(scene.stage(LEFT), scene.stage(NEXT));
    await archive(scene.stage(NEXT), scene.stage(OTHER));
    await lock.release();
    await late;
    await untilNobodyStands(scene.stage(LEFT));
    expect(await stageOf(thread)).toBe(scene.stage(OTHER));
  });

  it('leaves nobody there in a storm of moves over two processes, and every chain unbroken', async () => {
    const threads = await leads(24, scene.stage(OTHER));
    let isOver = false;
    // Each goes there and back, until a call that began after the answer was refused.
    const mover = async (thread: string, n: number): Promise<string[]> => {
      const words: string[] = [];
      for (let turn = 0, last = false; !last || turn % 2 === 1; turn += 1) {
        last = isOver;
        const target = turn % 2 === 0 ? scene.stage(LEFT) : scene.stage(OTHER);
        const { body } = await set(thread, { status_id: target }, n + turn);
        words.push(body.ok ? 'ok' : body.error.code);
        if (last && turn % 2 === 0) expect(words.at(-1)).toBe('STATUS_NOT_FOUND');
      }
      return words;
    };
    const storm = Promise.all(threads.map(mover));
    await eventually(async () => (await standing(scene.stage(LEFT))) > 5, 5_000, 'no lead entered the stage');
    const { status } = await archive(scene.stage(LEFT), scene.stage(NEXT)).finally(() => (isOver = true));
    const words = new Set((await storm).flat());
    expect([status, words]).toEqual([200, new Set(['ok', 'STATUS_NOT_FOUND'])]);
    await untilNobodyStands(scene.stage(LEFT));
    expect(await brokenChains(threads)).toEqual([]);
  });
});

describe('two calls at once', () => {
  it('archive a stage once', async () => {
    const threads = await leads(20);
    const there = new ApiClient(scene.servers[1]?.url ?? '', admin.key);
    const answers = await Promise.all([
      archive(scene.stage(LEFT), scene.stage(NEXT)),
      archive(scene.stage(LEFT), null, there),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await brokenChains(threads)).toEqual([]);
  });

  it('that archive two stages into one another close one of them', async () => {
    const there = new ApiClient(scene.servers[1]?.url ?? '', admin.key);
    const answers = await Promise.all([
      archive(scene.stage(LEFT), scene.stage(NEXT)),
      archive(scene.stage(NEXT), scene.stage(LEFT), there),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});
