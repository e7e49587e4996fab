import { setScene } from '../../support/scenes/base.scene';
import { readPages } from '../../support/clients/page.reader';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const scene = setScene();

// What each field may be is in dto-pipe.spec.ts.

const OPENING_HOURS = {
  spans: [{ weekdays: [1, 5], from: '09:00', to: '18:00' }],
  closed: ['2026-12-31'],
};

describe('an account', () => {
  it('is made with 201 and its quota, and read as it was made', async () => {
    const made = await scene.admin.admin('POST', 'accounts', { name: 'Кофе ☕', monthly_message_quota: 500 });
    expect([made.status, made.body.ok]).toEqual([201, true]);
    expect(made.body.data).toEqual({
      id: expect.stringMatching(UUID_7),
      name: 'Кофе ☕',
      monthly_message_quota: 500,
      media_quota_bytes: null,
      media_used_bytes: 0,
      automation_paused: false,
      second_factor_required: false,
      retention_days: null,
      default_country: null,
      ...{
        timezone: 'UTC',
        opening_hours: null,
        takeover_end: 'ask',
        transcription: true,
        assign_on_reply: true,
        opt_out_words: [],
        opt_in_words: [],
      },
      quota_used: 0,
      quota_reset_at: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00\.000Z$/),
    });
    const read = await scene.admin.admin('GET', `accounts/${made.body.data.id}`);
    expect([read.status, read.body.data]).toEqual([200, made.body.data]);
  });

  it('is made with the settings that it is given, by the rules of a change', async () => {
    const settings = {
      ...{ monthly_message_quota: 7, media_quota_bytes: 1_000_000, automation_paused: true },
      ...{ second_factor_required: true, retention_days: 30, default_country: 'KZ', timezone: 'Asia/Almaty' },
      ...{ opening_hours: OPENING_HOURS },
      ...{ takeover_end: 'keep', transcription: false, assign_on_reply: false },
      ...{ opt_out_words: ['хватит'], opt_in_words: ['go on'] },
    };
    const make = (given: object) => scene.admin.admin('POST', 'accounts', { name: 'Set up', ...given });
    const { status, body } = await make(settings);
    expect([status, body.data]).toEqual([201, expect.objectContaining(settings)]);
    await scene.expectRefused(() => make({ takeover_end: 'never' }), 'VALIDATION_ERROR', ['takeover_end']);
  });

  it('shows what of its quota is used this month, and when the next begins', async () => {
    await scene.database.pool.query(
      `INSERT INTO quota_usage SELECT $1, (m - make_interval(months => ago))::date, 40 + ago
         FROM date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') m, unnest(ARRAY[0, 1]) ago`,
      [scene.account.id],
    );
    const { body } = await scene.admin.admin('GET', `accounts/${scene.account.id}`);
    const now = new Date();
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    expect(body.data).toMatchObject({ quota_used: 40, quota_reset_at: next });
  });

  it('keeps what a change does not name', async () => {
    const made = await scene.admin.admin('POST', 'accounts', { name: 'Before', monthly_message_quota: 5 });
    const change = async (body: object) =>
      (await scene.admin.admin('PATCH', `accounts/${made.body.data.id}`, body)).body.data as object;
    expect(await change({ name: 'After' })).toMatchObject({ name: 'After', monthly_message_quota: 5 });
    expect(await change({ monthly_message_quota: 0 })).toMatchObject({
      name: 'After',
      monthly_message_quota: 0,
    });
    expect(await change({})).toMatchObject({ name: 'After', monthly_message_quota: 0 });
    expect(await change({ monthly_message_quota: null })).toMatchObject({ monthly_message_quota: null });
  });

  it('has the country of ISO 3166 in which phones of files are read, or none', async () => {
    const path = `accounts/${scene.account.id}`;
    for (const default_country of ['KZ', 'AQ', null]) {
      const { status, body } = await scene.admin.admin('PATCH', path, { default_country });
      expect([status, body.data]).toEqual([200, expect.objectContaining({ default_country })]);
    }
    await scene.expectRefused(
      () => scene.admin.admin('PATCH', path, { default_country: 'XX' }),
      'VALIDATION_ERROR',
      ['default_country'],
    );
  });

  it('has a clock for its agents, and words of its own by which customers opt out and in', async () => {
    const path = `accounts/${scene.account.id}`;
    for (const change of [
      { timezone: 'Asia/Almaty' },
      { opening_hours: OPENING_HOURS },
      { opening_hours: null },
      { takeover_end: 'keep' },
      { takeover_end: 'ask' },
      { transcription: false },
      { transcription: true },
      { assign_on_reply: false },
      { assign_on_reply: true },
      { opt_out_words: ['хватит', 'no more', '❌'], opt_in_words: ['go on'] },
      { timezone: 'UTC', opt_out_words: [], opt_in_words: [] },
    ]) {
      const { status, body } = await scene.admin.admin('PATCH', path, change);
      expect([status, body.data]).toEqual([200, expect.objectContaining(change)]);
    }
  });

  it('is made once by a caller who repeats what was refused as unavailable', async () => {
    const holder = await scene.database.pool.connect();
    const make = () => scene.admin.admin('POST', 'accounts', { name: 'Made once' });
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE quota_usage IN ACCESS EXCLUSIVE MODE');
      expect((await make()).status).toBe(503);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    const { status, body } = await make();
    expect([status, body.data.monthly_message_quota]).toEqual([201, null]);
    const { rows } = await scene.database.pool.query(`SELECT FROM accounts WHERE name = 'Made once'`);
    expect(rows).toHaveLength(1);
  });

  it('is listed exactly once over the pages, in the order of their ids', async () => {
    await scene.database.pool.query(
      `INSERT INTO accounts (id, name) SELECT gen_random_uuid(), 'many' FROM generate_series(1, 51)`,
    );
    const { rows } = await scene.database.pool.query<{ id: string }>('SELECT id FROM accounts ORDER BY id');
    const listed = await readPages(scene.admin, 'accounts?limit=20', 'accounts');
    expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    const { data } = (await scene.admin.admin('GET', 'accounts')).body;
    expect([data.accounts.length, typeof data.next_cursor]).toEqual([50, 'string']);
    expect((await scene.admin.admin('GET', 'accounts?limit=200')).body.data.next_cursor).toBeNull();
    // What a page may be asked by is in page.query.spec.ts.
    const list = () => scene.admin.admin('GET', 'accounts?limit=x');
    await scene.expectRefused(list, 'VALIDATION_ERROR', ['limit']);
  });
});
