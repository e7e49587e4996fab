import { randomUUID } from 'node:crypto';
import { CLUSTERS, createDatabase, type TestDatabase } from '../../support/database/test.database';

const REFUSED = 'an entry of the audit cannot be changed, and not be deleted for two years';

const CUSTOMER = { name: 'Айгуль', phone: '77015550101' };

describe.each(CLUSTERS.map(({ name }) => name))('an entry of the audit, on PostgreSQL %s', (version) => {
  let database: TestDatabase;
  let id: string;

  const append = async (age = '0 days'): Promise<string> => {
    const entry = {
      account_id: randomUUID(),
      id: randomUUID(),
      actor_type: 'user',
      actor_id: randomUUID(),
      actor_name: 'Dana',
      action: 'thread.export',
      subject_type: 'thread',
      subject_id: randomUUID(),
      subject_name: CUSTOMER.name,
      before: { name: CUSTOMER.name, list: ['a', CUSTOMER.phone], count: 3, none: null },
      after: null,
      request_id: 'r-1',
      ip: '192.0.2.1',
    };
    await database.pool.query(
      `INSERT INTO audit_entries SELECT * FROM jsonb_populate_record(NULL::audit_entries, $1::jsonb
         || jsonb_build_object('at', clock_timestamp() - $2::interval, 'after', NULL))`,
      [JSON.stringify(entry), age],
    );
    return entry.id;
  };

  const change = (assignment: string): Promise<unknown> =>
    database.pool.query(`UPDATE audit_entries SET ${assignment} WHERE id = $1`, [id]);

  beforeAll(async () => {
    database = await createDatabase(version);
  });

  afterAll(() => database?.drop());

  beforeEach(async () => {
    id = await append();
  });

  it.each([
    'account_id = gen_random_uuid()',
    'id = gen_random_uuid()',
    "at = at - interval '1 ms'",
    "actor_type = 'key'",
    'actor_id = gen_random_uuid()::text',
    "actor_name = 'Nobody'",
    "action = 'thread.erase'",
    "subject_type = 'key'",
    'subject_id = gen_random_uuid()::text',
    "subject_name = 'Somebody'",
    'subject_name = NULL',
    'before = NULL',
    "before = '{}'",
    'before = before || \'{"more": 1}\'',
    "before = jsonb_set(before, '{name}', '\"Somebody\"')",
    "before = jsonb_set(before, '{count}', '\"erased\"')",
    "before = jsonb_set(before, '{list}', '[\"a\"]')",
    "before = jsonb_set(before, '{list}', '\"erased\"')",
    "before = jsonb_set(before, '{none}', '\"erased\"')",
    "after = '{}'",
    "request_id = 'r-2'",
    'ip = NULL',
  ])('cannot be changed: %s', async (assignment) => {
    await expect(change(assignment)).rejects.toThrow(REFUSED);
  });

  it.each([
    "subject_name = 'erased'",
    "request_id = 'erased'",
    "before = jsonb_set(before, '{name}', '\"erased\"')",
    "before = jsonb_set(before, '{list,1}', '\"erased\"')",
  ])('may have a text erased: %s', async (assignment) => {
    await change(assignment);
  });

  it('cannot be deleted in its first two years, alone or with all others', async () => {
    const young = await append('729 days');
    await expect(database.pool.query('DELETE FROM audit_entries WHERE id = $1', [young])).rejects.toThrow(
      REFUSED,
    );
    await expect(database.pool.query('TRUNCATE audit_entries')).rejects.toThrow(REFUSED);
    const old = await append('732 days');
    const { rowCount } = await database.pool.query('DELETE FROM audit_entries WHERE id = $1', [old]);
    expect(rowCount).toBe(1);
  });

  it('loses a name where it is the whole text, and a phone wherever it occurs, and nothing else', async () => {
    const { rows } = await database.pool.query<{ erased: unknown }>(
      'SELECT audit_erase($1, $2, $3) AS erased',
      [
        JSON.stringify({
          name: 'Али',
          note: 'Алишер called 77015550101 twice',
          deep: [{ phone: '+77015550101' }, 'Али', 7, null, true],
          scenario: 'Алишер',
        }),
        ['Али'],
        ['77015550101'],
      ],
    );
    expect(rows[0]?.erased).toEqual({
      name: 'erased',
      note: 'erased',
      deep: [{ phone: 'erased' }, 'erased', 7, null, true],
      scenario: 'Алишер',
    });
  });

  it('a page of an account, an actor, an action or a thing reads an index, however many there are', async () => {
    await database.pool.query(
      `INSERT INTO audit_entries (account_id, id, action, actor_type, actor_id, actor_name, subject_type, subject_id, at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'a.' || n % 50, 'user', gen_random_uuid()::text, 'N', 'key', gen_random_uuid()::text,
              now() - n * interval '1 s'
         FROM generate_series(1, 20000) n`,
    );
    await database.pool.query('ANALYZE audit_entries');
    for (const filter of [
      `account_id = '${randomUUID()}'`,
      `actor_id = 'x'`,
      `action = 'x'`,
      `subject_id = 'x'`,
    ]) {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT * FROM audit_entries WHERE ${filter} ORDER BY at DESC, id DESC LIMIT 50`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect([filter, plan]).toEqual([filter, expect.stringMatching(/Index Scan Backward|Index Scan/)]);
      expect(plan).not.toContain('Seq Scan');
    }
  });
});
