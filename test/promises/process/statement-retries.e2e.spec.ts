import { setScene } from '../../support/scenes/base.scene';

/** More at once than the process has connections, so that each of them has every statement planned. */
const CALLS = 60;

const scene = setScene();
let threads: string[];

beforeAll(async () => {
  threads = await Promise.all(Array.from({ length: CALLS }, () => scene.account.addThread()));
});

/** The distinct statuses of many calls at once, of every kind. */
async function statusesOf(stage: string | undefined): Promise<number[]> {
  const calls = threads.map(async (thread, index) => {
    if (index % 4 === 0) return scene.api.getStatuses();
    if (index % 4 === 1) return scene.api.getLead(thread);
    if (index % 4 === 2) return scene.api.getHistory({ thread_id: thread });
    return scene.api.setStatus({ thread_id: thread, status_id: stage });
  });
  return [...new Set((await Promise.all(calls)).map(({ status }) => status))];
}

describe('a migration that runs while a process serves', () => {
  it('fails no call, though it changes what the planned statements of every connection give', async () => {
    for (let round = 0; round < 4; round++) expect(await statusesOf(scene.account.stages[0])).toEqual([200]);
    await scene.database.pool.query(`
      ALTER TABLE statuses ALTER COLUMN name TYPE varchar(500), ALTER COLUMN kind TYPE varchar(50);
      ALTER TABLE threads ALTER COLUMN phone TYPE varchar(50), ADD COLUMN added text;
      ALTER TABLE events ALTER COLUMN type TYPE varchar(50);
      ALTER TABLE api_keys ALTER COLUMN name TYPE varchar(500), ADD COLUMN added text`);
    expect(await statusesOf(scene.account.stages[1])).toEqual([200]);
    expect(scene.server.output()).not.toContain('our own fault');
  });
});

describe('a move that the database breaks off for another transaction', () => {
  /** Makes the first moves of this database fail, up to the given number. */
  const breakOff = (times: number, code: string): Promise<unknown> =>
    scene.database.pool.query(`
      DROP TRIGGER IF EXISTS broken ON threads;
      DROP SEQUENCE IF EXISTS breaks;
      CREATE SEQUENCE breaks;
      CREATE OR REPLACE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('breaks') <= ${times} THEN RAISE EXCEPTION 'broken off' USING ERRCODE = '${code}'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER broken BEFORE UPDATE ON threads FOR EACH ROW EXECUTE FUNCTION break_off()`);
  const move = (stage: number) =>
    scene.api.setStatus({ thread_id: threads[0], status_id: scene.account.stages[stage] });

  afterAll(() => scene.database.pool.query('DROP TRIGGER IF EXISTS broken ON threads'));

  it.each(['40P01', '40001'])('is done by trying once more after %s', async (code) => {
    await scene.api.setStatus({ thread_id: threads[0], status_id: null });
    await breakOff(1, code);
    expect((await move(2)).body).toMatchObject({ ok: true, data: { changed: true } });
  });

  it.each(['40P01', '40001'])('is a 503 to be repeated when %s comes again', async (code) => {
    await breakOff(1_000, code);
    const { status, headers, body } = await move(0);
    expect([status, body.error?.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1']);
    expect(scene.server.output()).not.toContain('our own fault');
  });
});
