import { randomUUIDv7 } from 'node:crypto';
import { ApiClient, request } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { setScene } from '../../support/scenes/base.scene';
import { requestLiterally } from '../../support/clients/raw.request';
import { RowLock } from '../../support/faults/row.lock';
import { untilWaiting } from '../../support/faults/waiting.sessions';

/** Half of the sixteen connections that a process has for accounts' statements. */
const AT_ONCE_MAX = 8;
/** Of one account, each of which waits for a dialog. */
const CALLS = 40;
/** Less than the two seconds after which a statement stops waiting for a lock. */
const LOOKS_FOR_MS = 1_000;

// Without background work, whose statements would be counted among the waiting.
const scene = setScene({ agentCouldAnswer: true });
let greedy: AccountFixture;
let other: ApiClient;

beforeAll(async () => {
  greedy = scene.account;
  other = new ApiClient(scene.server.url, (await AccountFixture.create(scene.database.pool)).key);
});

const SERVER = { application: 'leadline' };

/** Waits until the group has all that it may have, and checks that it gets no more while others are served. */
async function expectHalfOfThePool(
  serveAnother: () => Promise<{ status: number }>,
  words?: string,
): Promise<void> {
  await untilWaiting(scene.database.pool, AT_ONCE_MAX, { ...SERVER, words });
  const more = untilWaiting(scene.database.pool, AT_ONCE_MAX + 1, {
    ...SERVER,
    words,
    deadlineMs: LOOKS_FOR_MS,
  }).then(
    () => 'more',
    () => 'not more',
  );
  const [outcome, { status }] = await Promise.all([more, serveAnother()]);
  expect([outcome, status]).toEqual(['not more', 200]);
}

describe('half of a process’s connections are taken at most', () => {
  it('by calls whose callers hung up while their statements still run', async () => {
    const threads: string[] = [];
    while (threads.length < CALLS) threads.push(await greedy.addThread());
    const lock = await RowLock.take(scene.database, ...threads);
    const hangUp = new AbortController();
    const calls = threads.map((thread_id) =>
      requestLiterally(scene.server.url, {
        path: '/api/v1/leads/set-status',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': greedy.key },
        body: JSON.stringify({ thread_id, status_id: greedy.stages[0] }),
        signal: hangUp.signal,
      }).catch(() => null),
    );
    try {
      await lock.waiters(AT_ONCE_MAX);
      hangUp.abort();
      await Promise.all(calls);
      await expectHalfOfThePool(() => other.getStatuses());
    } finally {
      await lock.release();
    }
    // Every slot is free again.
    const again = Array.from({ length: AT_ONCE_MAX + 1 }, () =>
      new ApiClient(scene.server.url, greedy.key).getLead(threads[0] ?? ''),
    );
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual(again.map(() => 200));
  });

  describe('by its boards’ requests', () => {
    const AGENTS = 15;
    let agents: string[];
    let boards: BoardClient[];
    let seq: number;

    beforeAll(async () => {
      agents = [];
      while (agents.length < AGENTS) agents.push(await greedy.addAssistant());
      const bot = await greedy.addBot(undefined, agents[0]);
      const thread = await greedy.addThread({}, agents[0], bot);
      const [stage] = await greedy.addStages(agents[0] ?? '', [{}]);
      const api = new ApiClient(scene.server.url, await greedy.addKey({ assistantIds: agents }));
      expect((await api.setStatus({ thread_id: thread, status_id: stage })).status).toBe(200);
      const { rows } = await scene.database.pool.query<{ seq: number }>(
        'SELECT max(seq)::int AS seq FROM events',
      );
      seq = rows[0]?.seq ?? 0;
    });

    beforeEach(async () => {
      const api_key = await greedy.addKey({ assistantIds: agents });
      boards = await Promise.all([1, 2].map(() => BoardClient.connect(scene.server.url, { api_key })));
    });

    afterEach(() => {
      for (const board of boards) board.close();
    });

    const cursor = Buffer.from(`2026-01-01 00:00:00.000000 ${randomUUIDv7()}`).toString('base64url');

    it.each([
      ['board:more', () => ({ status_id: null, cursor })],
      ['board:open', () => ({})],
      ['board:open', () => ({ since: seq })],
    ])('such as %s (%#)', async (event, fields) => {
      const holder = await scene.database.pool.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('LOCK TABLE threads IN ACCESS EXCLUSIVE MODE');
        const answers = Promise.allSettled(
          boards.flatMap((board) =>
            agents.map((assistant_id) => board.request(event, { assistant_id, ...fields() })),
          ),
        );
        await expectHalfOfThePool(() => other.getStatuses());
        await holder.query('COMMIT');
        for (const answer of await answers) expect(answer.status).toBe('fulfilled');
      } finally {
        await holder.query('ROLLBACK');
        holder.release();
      }
      const again = await Promise.all(
        boards.map((board) => board.request('board:close', { assistant_id: agents[0] })),
      );
      expect(again.map(({ ok }) => ok)).toEqual([true, true]);
    });
  });

  it('by handshakes of all accounts, whose they are being known only afterwards', async () => {
    const holder = await scene.database.pool.connect();
    let boards: PromiseSettledResult<BoardClient>[];
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
      const connecting = Promise.allSettled(
        Array.from({ length: 40 }, () => BoardClient.connect(scene.server.url, { api_key: greedy.key })),
      );
      // Keys behind boards that are still open are looked up too, all in one statement.
      await expectHalfOfThePool(() => request(`${scene.server.url}/health/ready`), 'k.key_hash = $1');
      await holder.query('COMMIT');
      boards = await connecting;
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    for (const board of boards) if (board.status === 'fulfilled') board.value.close();
    (await BoardClient.connect(scene.server.url, { api_key: greedy.key })).close();
  });
});
