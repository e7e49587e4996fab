import type { StoredStep } from '@app/contracts/scenario.words';
import type { Answer } from '../../support/clients/api.client';
import { setScene } from '../../support/scenes/base.scene';
import { uuidOf } from '../../support/database/thread.uuid';

interface BulkResult {
  index: number;
  data?: { changed: boolean; answered_pending_message: boolean };
  error?: { code: string };
}

const UNKNOWN = '0197e6a0-0000-7000-8000-000000000000';

describe('set-status-bulk', () => {
  const scene = setScene({
    agentCouldAnswer: true,
    stages: [{ name: 'New' }, { name: 'Paid' }, { name: 'Mute', aiEnabled: false }, { name: 'new' }],
  });

  beforeAll(async () => {
    for (const stage of scene.account.stages) await scene.account.addScenario(stage);
  });

  /** A dialog and its number of leads at the first stage. */
  const leads = (count: number): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, () => scene.account.addThread({ statusId: scene.stage(0) })));

  const everythingOf = (threads: string[]): Promise<object[]> =>
    Promise.all(threads.map((threadId) => scene.kept.everything(threadId)));

  /** One item of each outcome: a move, an unchanged one, each refusal, and one that takes up what waits. */
  async function oneOfEach(): Promise<{ threads: string[]; items: object[] }> {
    const [moved = '', unchanged = '', conflicting = '', ambiguous = '', lost = '', cleared = ''] =
      await leads(6);
    const waiting = await scene.account.addThread({ statusId: scene.stage(2), waitingMinutes: 5 });
    const old = await scene.account.addThread({ statusId: scene.stage(2), waitingMinutes: 1500 });
    const taken = await scene.account.addThread({ statusId: scene.stage(1), waitingMinutes: 5 });
    const muted = await scene.account.addThread({ waitingMinutes: 5 });
    const answer = { status_id: scene.stage(1), answer_pending_message: true };
    await scene.api.setStatus({ thread_id: taken, ...answer });
    return {
      threads: [moved, unchanged, conflicting, ambiguous, lost, cleared, waiting, old, taken, muted],
      items: [
        { thread_id: moved, status_name: 'PAID' },
        { thread_id: unchanged, status_id: scene.stage(0) },
        { thread_id: conflicting, status_id: scene.stage(1), expected_status_id: null },
        { thread_id: ambiguous, status_name: 'new' },
        { thread_id: lost, status_id: UNKNOWN },
        { thread_id: `thread_${UNKNOWN}`, status_id: null },
        { thread_id: cleared, status_id: null, answer_pending_message: true },
        { thread_id: waiting, ...answer },
        { thread_id: old, ...answer },
        { thread_id: taken, ...answer },
        { thread_id: muted, status_id: scene.stage(2), answer_pending_message: true },
      ],
    };
  }

  const resultsOf = ({ body }: Answer) => body.data.results as BulkResult[];
  /** Of each item what matters: whether it changed and took something up, or the code. */
  const summary = (answer: Answer): unknown[] =>
    resultsOf(answer).map(({ data, error }) =>
      data ? [data.changed, data.answered_pending_message] : error?.code,
    );
  const ONE_OF_EACH = [
    [true, false],
    [false, false],
    'STATUS_CONFLICT',
    'STATUS_AMBIGUOUS',
    'STATUS_NOT_FOUND',
    'THREAD_NOT_FOUND',
    [true, false],
    [true, true],
    [true, false],
    [false, false],
    [true, false],
  ];

  it('answers each item with its index and its data, or its code and sentence', async () => {
    const [threadId] = await leads(1);
    const items = [
      { thread_id: `thread_${UNKNOWN}`, status_id: null },
      { thread_id: threadId, status_id: scene.stage(1) },
    ];
    const { body } = await scene.api.setStatusBulk({ items });
    expect(body).toEqual({
      ok: true,
      data: {
        results: [
          { index: 0, ok: false, error: { code: 'THREAD_NOT_FOUND', message: expect.any(String) } },
          {
            index: 1,
            ok: true,
            data: {
              thread_id: threadId,
              changed: true,
              answered_pending_message: false,
              status: { id: scene.stage(1), name: 'Paid', kind: 'active', order: 2, ai_enabled: true },
            },
          },
        ],
      },
    });
  });

  it('goes in order: one lead moved thrice passes through every stage named', async () => {
    const [threadId = ''] = await leads(1);
    const path = [1, 2, 0].map((index) => scene.stage(index));
    await scene.api.setStatusBulk({
      items: path.map((status_id) => ({ thread_id: threadId, status_id })),
    });
    expect((await scene.kept.events(threadId)).map(({ to }) => to)).toEqual(path);
  });

  it('goes on past a dialog that somebody else holds', async () => {
    const [held = '', free = ''] = await leads(2);
    const holder = await scene.database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM threads WHERE id = $1 FOR UPDATE', [uuidOf(held)]);
      const answer = await scene.api.setStatusBulk({
        items: [free, held, free].map((thread_id, index) => ({
          thread_id,
          status_id: scene.stage(index < 2 ? 1 : 0),
        })),
      });
      expect(summary(answer)).toEqual([[true, false], 'UNAVAILABLE', [true, false]]);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  });

  it('starts no scenarios, and moves and writes history all the same', async () => {
    const [threadId = ''] = await leads(1);
    const items = [{ thread_id: threadId, status_id: scene.stage(1) }];
    for (const [more, statusId] of [
      [{}, scene.stage(1)],
      [{ start_scenarios: false }, scene.stage(0)],
    ] as const)
      expect(
        summary(await scene.api.setStatusBulk({ items: [{ ...items[0], status_id: statusId }], ...more })),
      ).toEqual([[true, false]]);
    expect(await scene.kept.runs(threadId)).toHaveLength(0);
    expect(await scene.kept.events(threadId)).toHaveLength(2);
  });

  it('starts them with start_scenarios, except for items with skip_scenarios, as set-status does', async () => {
    const [bulk = '', single = '', skipping = '', silent = ''] = await leads(4);
    const to = { status_id: scene.stage(1) };
    const items = [
      { thread_id: bulk, ...to },
      { thread_id: silent, ...to, skip_scenarios: true },
    ];
    const dry = await scene.api.setStatusBulk({ items, start_scenarios: true, dry_run: true });
    expect(dry.body.data).toMatchObject({ would_start: { runs: 1 } });
    await scene.api.setStatusBulk({ items, start_scenarios: true });
    await scene.api.setStatus({ thread_id: single, ...to, skip_scenarios: false });
    await scene.api.setStatus({ thread_id: skipping, ...to, skip_scenarios: true });
    const threads = [bulk, single, skipping, silent];
    const runs = await Promise.all(threads.map((threadId) => scene.kept.runs(threadId)));
    expect(runs.map(({ length }) => length)).toEqual([1, 1, 0, 0]);
    expect(await scene.kept.events(skipping)).toHaveLength(1);
  });

  it('tells with dry_run what scenarios would do: for the moves alone, and nothing without start_scenarios', async () => {
    const stage = scene.stage(2);
    const steps: StoredStep[] = [
      { kind: 'send_text', text: 'a' },
      { kind: 'wait', seconds: 60 },
      { kind: 'send_template', template_id: 't' },
    ];
    const scenarioId = await scene.account.addScenario(stage, true, steps);
    await scene.account.addScenario(stage, false, steps);
    const [first, second, third] = await leads(3);
    const items = [
      { thread_id: first, status_id: stage },
      { thread_id: second, status_id: stage },
      { thread_id: third, status_id: scene.stage(0) },
      { thread_id: third, status_id: null },
    ];
    const dry = async (more: object): Promise<unknown> => {
      const { body } = await scene.api.setStatusBulk({ items, dry_run: true, ...more });
      return (body.data as { would_start: unknown }).would_start;
    };
    // Two scenarios of the stage are on, one of which writes twice.
    expect(await dry({ start_scenarios: true })).toEqual({ runs: 4, messages: 4 });
    expect(await dry({})).toEqual({ runs: 0, messages: 0 });
    await scene.database.pool.query('UPDATE scenarios SET archived_at = now() WHERE id = $1', [scenarioId]);
    expect(await dry({ start_scenarios: true })).toEqual({ runs: 2, messages: 0 });
    expect(await scene.kept.runs(first ?? '')).toHaveLength(0);
  });

  it('counts with dry_run no run that would not begin, by the rules of a move', async () => {
    const stage = scene.stage(2);
    const steps: StoredStep[] = [{ kind: 'send_text', text: 'a' }];
    const scenarioId = await scene.account.addScenario(stage, true, steps);
    const { rows: others } = await scene.database.pool.query(
      `SELECT 1 FROM scenarios WHERE status_id = $1 AND id <> $2 AND state = 'on' AND archived_at IS NULL`,
      [stage, scenarioId],
    );
    await scene.database.pool.query(`UPDATE scenarios SET reentry = 'once' WHERE id = $1`, [scenarioId]);
    const [first, second] = await leads(2);
    const unsubscribed = await scene.account.addThread({ optedOut: true });
    await scene.api.setStatus({ thread_id: first, status_id: stage });
    await scene.api.setStatus({ thread_id: first, status_id: null });
    const items = [first, second, unsubscribed].map((id) => ({ thread_id: id, status_id: stage }));
    await scene.database.pool.query(`UPDATE scenario_runs SET state = 'running' WHERE scenario_id = $1`, [
      scenarioId,
    ]);
    const { body } = await scene.api.setStatusBulk({ items, dry_run: true, start_scenarios: true });
    // The stage’s other scenarios write nothing, and begin for the two who did not unsubscribe.
    expect(body.data).toMatchObject({ would_start: { runs: 1 + 2 * others.length, messages: 1 } });
    await scene.database.pool.query('UPDATE scenarios SET archived_at = now() WHERE id = $1', [scenarioId]);
  });

  it('does each item by itself, as with dry_run the same request told and did not do', async () => {
    const { threads, items } = await oneOfEach();
    const before = await everythingOf(threads);
    const predicted = await scene.api.setStatusBulk({ items, dry_run: true });
    expect(await everythingOf(threads)).toEqual(before);
    const real = await scene.api.setStatusBulk({ items });
    expect([predicted.status, real.status]).toEqual([200, 200]);
    expect(summary(real)).toEqual(ONE_OF_EACH);
    expect(resultsOf(predicted)).toEqual(resultsOf(real));
    expect(Object.keys(real.body.data as object)).toEqual(['results']);
  });

  it('predicts with dry_run what items on one lead come to after one another', async () => {
    const [threadId = ''] = await leads(1);
    const waiting = await scene.account.addThread({ statusId: scene.stage(2), waitingMinutes: 5 });
    const path = [1, 1, 0, null, null, 1].map((index) => ({
      thread_id: threadId,
      status_id: index === null ? null : scene.stage(index),
    }));
    const expecting = [0, 1].map((index) => ({
      thread_id: threadId,
      status_id: scene.stage(0),
      expected_status_id: scene.stage(index),
    }));
    // Taken up, not again, dropped by the stage that mutes, taken up once more.
    const taken = [1, 0, 2, 1, 1].map((index) => ({
      thread_id: waiting,
      status_id: scene.stage(index),
      answer_pending_message: true,
    }));
    const items = [...path, ...expecting, ...taken];
    const predicted = await scene.api.setStatusBulk({ items, dry_run: true });
    const real = await scene.api.setStatusBulk({ items });
    expect(resultsOf(predicted)).toEqual(resultsOf(real));
    expect(Object.keys(real.body.data as object)).toEqual(['results']);
    expect(summary(real).slice(-5)).toEqual([
      [true, true],
      [true, false],
      [true, false],
      [true, true],
      [false, false],
    ]);
  });

  it('predicts with dry_run that a message taken up and dropped again may be taken up once more', async () => {
    const threadId = await scene.account.addThread({ statusId: scene.stage(1), waitingMinutes: 5 });
    const items = [{ thread_id: threadId, status_id: scene.stage(1), answer_pending_message: true }];
    const dry = async () => summary(await scene.api.setStatusBulk({ items, dry_run: true }));
    expect(await dry()).toEqual([[false, true]]);
    expect(summary(await scene.api.setStatusBulk({ items }))).toEqual([[false, true]]);
    expect(await dry()).toEqual([[false, false]]);
    await scene.kept.setFacts(threadId, 'ai_epoch = ai_epoch + 1');
    expect(await dry()).toEqual([[false, true]]);
    await scene.kept.sendPart(threadId);
    expect(await dry()).toEqual([[false, false]]);
  });

  it('takes 500 items', async () => {
    const threads = await leads(50);
    const items = Array.from({ length: 500 }, (_, index) => ({
      thread_id: threads[index % 50],
      status_id: scene.stage((Math.floor(index / 50) + 1) % 3),
    }));
    const answer = await scene.api.setStatusBulk({ items });
    expect(answer.status).toBe(200);
    expect(resultsOf(answer).map(({ index }) => index)).toEqual([...items.keys()]);
    expect(summary(answer).every((result) => Array.isArray(result) && result[0] === true)).toBe(true);
  });

  // What else may not be in it: apps/server/src/http/dto/dto-pipe.spec.ts.
  it('refuses the whole for one invalid item and names its position', async () => {
    const threads = await leads(3);
    const before = await everythingOf(threads);
    const items = threads.map((thread_id, index) => ({
      thread_id,
      status_id: scene.stage(1),
      ...(index === 1 && { answer_pending_message: 'yes' }),
      ...(index === 2 && { status_name: 'Paid' }),
    }));
    const { status, body } = await scene.api.setStatusBulk({ items, start_scenarios: 1 });
    expect(status).toBe(422);
    expect(body.error.details?.map(({ path }) => path).toSorted()).toEqual([
      ...['items[1].answer_pending_message', 'items[2].status_id', 'start_scenarios'],
    ]);
    expect(await everythingOf(threads)).toEqual(before);
  });

  it('counts once against the limit, however many items it has', async () => {
    const key = await scene.account.addKey({ limitLeads: 5 });
    const threads = await leads(20);
    const items = threads.map((thread_id) => ({ thread_id, status_id: scene.stage(1) }));
    const { status, headers } = await scene.apiAt(0, key).setStatusBulk({ items });
    expect(status).toBe(200);
    expect(headers.get('RateLimit-Remaining')).toBe('4');
  });
});
