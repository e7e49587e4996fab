import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { randomUUIDv7 } from 'node:crypto';
import type { ClientBase } from 'pg';
import { CLUSTERS, createDatabase, type TestDatabase } from '../../support/database/test.database';
import { ReservedDatabase } from '@app/persistence/database/database.service';
import { Heartbeat, SERVER, type BeatRow } from '@app/persistence/work/heartbeat';
import { SendingHoldRepository } from '@app/persistence/work/sending-hold.repository';

const ENTRY = {
  ...{ accountId: null, actor: null, action: 'sending.held', requestId: null, ip: null, before: null },
  ...{ subject: { type: 'installation', id: null, name: null }, after: { reason: 'database_went_back' } },
};

describe.each(CLUSTERS.map(({ name }) => name))('a process and its database, PostgreSQL %s', (version) => {
  let database: TestDatabase;
  /** Each beat of the process at hand, by what it found. */
  const heard: BeatRow[] = [];

  beforeAll(async () => {
    database = await createDatabase(version);
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    heard.length = 0;
    await database.pool.query('DELETE FROM process_heartbeats; DELETE FROM sending_holds');
  });

  /** A process that has just started. */
  function begin() {
    const heartbeat = new Heartbeat();
    const reserved = new ReservedDatabase(database.pool, new InFlightLimiter(1));
    const holds = new SendingHoldRepository(reserved, heartbeat);
    heartbeat.describe = () => ({ ...ENTRY, id: randomUUIDv7() });
    holds.watch((beat) => heard.push(beat));
    return { heartbeat, beat: () => holds.beat() };
  }

  const wentBack = (): boolean[] => heard.map(({ went_back }) => went_back);

  const countOf = async (rows: string): Promise<number> =>
    Number((await database.pool.query<{ n: string }>(`SELECT count(*) AS n FROM ${rows}`)).rows[0]?.n);

  const entries = (): Promise<number> => countOf(`audit_entries WHERE action = 'sending.held'`);

  /** A transaction that is over. @returns its id */
  async function transact(end: 'COMMIT' | 'ROLLBACK'): Promise<{ permitted_by: string }> {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
      await client.query(end);
      return { permitted_by: rows[0]?.xid ?? '' };
    } finally {
      client.release();
    }
  }

  it('hold nothing while the database has what it acknowledged', async () => {
    const { heartbeat, beat } = begin();
    for (let n = 0; n < 3; n += 1) {
      heartbeat.permitted([await transact('COMMIT')]);
      await beat();
    }
    expect([wentBack(), await countOf('sending_holds')]).toEqual([[false, false, false], 0]);
    expect(heard.at(-1)).toMatchObject({ held_since: null, reason: null });
    const { rows } = await database.pool.query('SELECT beats FROM process_heartbeats');
    expect(rows).toEqual([{ beats: 3 }]);
  });

  it.each([
    ['its row is older', () => database.pool.query('UPDATE process_heartbeats SET beats = beats - 1')],
    ['its row is gone', () => database.pool.query('DELETE FROM process_heartbeats')],
  ])('hold sending once where %s', async (_, goBack) => {
    const { beat } = begin();
    const before = await entries();
    await beat();
    await beat();
    await goBack();
    await beat();
    await beat();
    expect(wentBack()).toEqual([false, false, true, false]);
    expect(heard.at(-1)).toMatchObject({ held_since: expect.any(Date), reason: 'database_went_back' });
    expect(heard.map(({ has_held }) => has_held)).toEqual([false, false, true, false]);
    expect(await entries()).toBe(before + 1);
    await database.pool.query('DELETE FROM sending_holds');
    await beat();
    expect([wentBack().at(-1), await countOf('sending_holds')]).toEqual([false, 0]);
  });

  it.each([
    ['has no end', () => transact('ROLLBACK')],
    ['is not known to the server yet', async () => ({ permitted_by: `${2n ** 40n}` })],
  ])('hold sending where a permit since the last beat %s', async (_, lose) => {
    const { heartbeat, beat } = begin();
    await beat();
    heartbeat.permitted([await transact('COMMIT'), await lose()]);
    await beat();
    await beat();
    expect(wentBack()).toEqual([false, true, false]);
  });

  it('hold nothing where a beat was stored and its answer was lost', async () => {
    const { heartbeat, beat } = begin();
    await beat();
    const lost = heartbeat.beat(async (values) => {
      await database.pool.query('UPDATE process_heartbeats SET beats = $1', [values.beats]);
      throw new Error('the answer was lost');
    });
    await expect(lost).rejects.toThrow('the answer was lost');
    await beat();
    expect(wentBack()).toEqual([false, false]);
  });

  it('hold once where several processes notice at once, and keep the hold of a restore', async () => {
    const [one, other] = [begin(), begin()];
    const before = await entries();
    await Promise.all([one.beat(), other.beat()]);
    await database.pool.query('DELETE FROM process_heartbeats');
    await Promise.all([one.beat(), other.beat()]);
    expect(wentBack()).toEqual([false, false, true, true]);
    expect(await entries()).toBe(before + 1);
    await database.pool.query(`UPDATE sending_holds SET reason = 'database_restored'`);
    await database.pool.query('DELETE FROM process_heartbeats');
    await one.beat();
    expect(heard.at(-1)).toMatchObject({ went_back: true, has_held: false, reason: 'database_restored' });
    expect(await entries()).toBe(before + 1);
  });

  it('look at another server by its first connection, before anything uses one, and at the same one not', async () => {
    const { heartbeat, beat } = begin();
    const asked: string[] = [];
    const connectionTo = (server?: string): ClientBase => {
      const query = async (text: string, values?: unknown[]): Promise<unknown> => {
        asked.push(text);
        return server && text === SERVER.text ? { rows: [{ server }] } : database.pool.query(text, values);
      };
      return { query } as unknown as ClientBase;
    };
    await heartbeat.prove(connectionTo());
    expect(asked).toEqual([]);
    await beat();
    await heartbeat.prove(connectionTo());
    expect([asked, heartbeat.provenAt]).toEqual([[SERVER.text], -Infinity]);
    await database.pool.query('DELETE FROM process_heartbeats');
    await Promise.all([heartbeat.prove(connectionTo('other')), heartbeat.prove(connectionTo('other'))]);
    expect(wentBack()).toEqual([false, true]);
    expect(await countOf('sending_holds')).toBe(1);
  });

  it('forget the rows of processes that ended a month ago, and no others', async () => {
    await database.pool.query(
      `INSERT INTO process_heartbeats (id, beats, at)
       SELECT gen_random_uuid(), 9, now() - age FROM unnest(ARRAY[interval '31 days', interval '29 days']) age`,
    );
    await begin().beat();
    expect(await countOf('process_heartbeats')).toBe(2);
  });
});
