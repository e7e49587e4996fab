import { FeedRepository, type Look } from '@app/persistence/board/feed.repository';
import type { PoolClient } from 'pg';
import { eventually } from '../../../../test/support/eventually';
import { feedReader } from '../../../../test/support/database/feed.reader';
import { AccountFixture } from '../../../../test/support/database/fixture';
import { OwnCluster } from '../../../../test/support/database/own.cluster';
import { CLUSTERS, createDatabase, type TestDatabase } from '../../../../test/support/database/test.database';
import { uuidOf } from '../../../../test/support/database/thread.uuid';
import { EventGaps } from './event-gaps-tracker';

/** The cluster is this file's alone, but a transaction of its autovacuum may end just between ours and spoil the script. */
const TRYING_MS = 30_000;

describe.each(CLUSTERS)('a number of the event log that is missing, on PostgreSQL $name', ({ name }) => {
  let database: OwnCluster;
  let feed: FeedRepository;
  let account: AccountFixture;
  let threads: string[];

  beforeAll(async () => {
    database = await OwnCluster.start(name);
    feed = feedReader(database.pool);
    account = await AccountFixture.create(database.pool);
    threads = [await account.addThread(), await account.addThread()];
  });

  afterAll(async () => {
    await database?.remove();
  });

  const touch = async (client: PoolClient, thread: string): Promise<void> => {
    await client.query('BEGIN');
    await client.query('UPDATE threads SET unread_count = unread_count + 1 WHERE id = $1', [uuidOf(thread)]);
  };
  const append = async (client: PoolClient, thread: string): Promise<number> => {
    const { rows } = await client.query<{ seq: number }>(
      `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
       VALUES ($1, $2, $3, 1, 'status', clock_timestamp(), '{}') RETURNING seq::float8 AS seq`,
      [account.id, uuidOf(thread), account.assistantId],
    );
    return rows[0]?.seq ?? 0;
  };
  const seqsOf = ({ seqs }: Look): number[] => seqs;

  /** The newer of two transactions takes the lower number and stays open; the older one commits the higher. */
  async function holdOneOpen(): Promise<{ obviousCalledItDead: boolean }> {
    const older = await database.pool.connect();
    const younger = await database.pool.connect();
    try {
      const { head } = await feed.start();
      await touch(older, threads[0] ?? '');
      await touch(younger, threads[1] ?? '');
      const held = await append(younger, threads[1] ?? '');
      const seen = await append(older, threads[0] ?? '');
      await older.query('COMMIT');

      const { rows } = await database.pool.query<{ xmax: string }>(
        'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xmax',
      );
      const first = await feed.look({ head, verified: head, gaps: [] }, []);
      const [right, obvious] = [new EventGaps(head), new EventGaps(head)];
      for (const gaps of [right, obvious]) gaps.see({ xmin: first.xmin, seqs: seqsOf(first) });
      expect(right.open).toContain(held);
      obvious.bind(BigInt(rows[0]?.xmax ?? 0));
      right.bind(await feed.currentTransactionId());

      const second = await feed.look({ head: seen, verified: seen, gaps: right.open }, []);
      for (const gaps of [right, obvious]) gaps.see({ xmin: second.xmin, seqs: seqsOf(second) });
      expect(right.open).toContain(held);
      expect(right.mark).toBeLessThan(held);

      await younger.query('COMMIT');
      const third = await feed.look({ head: right.newest, verified: right.newest, gaps: right.open }, []);
      expect(seqsOf(third)).toContain(held);
      right.see({ xmin: third.xmin, seqs: seqsOf(third) });
      expect(right.mark).toBe(seen);
      return { obviousCalledItDead: !obvious.open.includes(held) };
    } finally {
      for (const client of [older, younger]) {
        await client.query('ROLLBACK');
        client.release();
      }
    }
  }

  it('is kept open by an id requested afterwards, and wrongly given up by the xmax of the read that missed it', async () => {
    const last = performance.now() + TRYING_MS;
    let seenWrong = false;
    while (!seenWrong && performance.now() < last) seenWrong = (await holdOneOpen()).obviousCalledItDead;
    expect(seenWrong).toBe(true);
  });

  it('is given up once its transaction has rolled back', async () => {
    const { head } = await feed.start();
    const [loser, winner] = [await database.pool.connect(), await database.pool.connect()];
    await touch(loser, threads[0] ?? '');
    const lost = await append(loser, threads[0] ?? '');
    await touch(winner, threads[1] ?? '');
    const kept = await append(winner, threads[1] ?? '');
    await winner.query('COMMIT');
    await loser.query('ROLLBACK');
    for (const client of [loser, winner]) client.release();

    const gaps = new EventGaps(head);
    const first = await feed.look({ head, verified: head, gaps: [] }, []);
    gaps.see({ xmin: first.xmin, seqs: seqsOf(first) });
    expect(gaps.open).toEqual([lost]);
    const lookAgain = async (): Promise<boolean> => {
      if (gaps.needBound) gaps.bind(await feed.currentTransactionId());
      const look = await feed.look({ head: gaps.newest, verified: gaps.newest, gaps: gaps.open }, []);
      gaps.see({ xmin: look.xmin, seqs: seqsOf(look) });
      return gaps.open.length === 0;
    };
    // Autovacuum holds xmin back for as long as it runs.
    await eventually(lookAgain, 20_000, 'the number was not given up');
    expect(gaps.mark).toBe(kept);
  });
});

describe.each(CLUSTERS)('a feed on PostgreSQL $name', ({ name }) => {
  const ROWS_READ = 100_000;
  let database: TestDatabase;
  let account: AccountFixture;
  let thread: string;

  beforeEach(async () => {
    database = await createDatabase(name);
    account = await AccountFixture.create(database.pool);
    thread = await account.addThread();
  });

  afterEach(() => database?.drop());

  it('that starts right after very many events waits for none below those that it read', async () => {
    await account.addEvents(thread, ROWS_READ + 5);
    const { head, floor, recent } = await feedReader(database.pool).start();
    expect([head, floor, recent.length]).toEqual([ROWS_READ + 5, 5, ROWS_READ]);
  });

  it('replays nothing from a number above the newest, whatever a process still takes for the newest', async () => {
    await account.addEvents(thread, 5);
    const feed = feedReader(database.pool);
    const { head } = await feed.start();
    const behind = async (since: number) =>
      (await feed.sincePoint(account.id, account.assistantId, since, '7 days', 10))?.behind;
    expect([await behind(head - 1), await behind(head), await behind(head + 1)]).toEqual([1, 0, undefined]);
  });
});
