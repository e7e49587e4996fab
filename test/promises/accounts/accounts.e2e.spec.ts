import { randomUUIDv7 } from 'node:crypto';
import { setScene } from '../../support/scenes/base.scene';
import { readPages } from '../../support/clients/page.reader';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const scene = setScene();

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

  it('has no quota when none is given', async () => {
    const { body } = await scene.admin.admin('POST', 'accounts', { name: 'Without' });
    expect(body.data.monthly_message_quota).toBeNull();
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
    for (const default_country of ['kz', 'XX', 'KAZ', 'Kazakhstan', '', 7, ['KZ']])
      await scene.expectRefused(
        () => scene.admin.admin('PATCH', path, { default_country }),
        'VALIDATION_ERROR',
        ['default_country'],
      );
  });

  it('has a clock for its agents, and words of its own by which customers opt out and in', async () => {
    const path = `accounts/${scene.account.id}`;
    for (const change of [
      { timezone: 'Asia/Almaty' },
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
    const refused: [string, unknown][] = [
      ...['true', 0, null].map((value): [string, unknown] => ['assign_on_reply', value]),
      ...['asks', '', null].map((end): [string, unknown] => ['takeover_end', end]),
      ...['true', 1, null].map((flag): [string, unknown] => ['transcription', flag]),
      ...['Almaty', '+05:00', '', null, 5].map((zone): [string, unknown] => ['timezone', zone]),
      ...['opt_out_words', 'opt_in_words'].flatMap((field) =>
        [null, 'no', ['\u200B'], ['x'.repeat(61)], new Array(51).fill('no')].map(
          (words): [string, unknown] => [field, words],
        ),
      ),
    ];
    for (const [field, value] of refused)
      await scene.expectRefused(
        () => scene.admin.admin('PATCH', path, { [field]: value }),
        'VALIDATION_ERROR',
        [field],
      );
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
    expect((await make()).status).toBe(201);
    const { rows } = await scene.database.pool.query(`SELECT FROM accounts WHERE name = 'Made once'`);
    expect(rows).toHaveLength(1);
  });

  it.each([randomUUIDv7(), 'malformed', '%00', "'", 'x'.repeat(2000)])(
    'that does not exist (%s) is 404 for reading and changing',
    async (id) => {
      await scene.expectRefused(() => scene.admin.admin('GET', `accounts/${id}`), 'ACCOUNT_NOT_FOUND');
      await scene.expectRefused(
        () => scene.admin.admin('PATCH', `accounts/${id}`, { name: 'x' }),
        'ACCOUNT_NOT_FOUND',
      );
    },
  );

  it('is not made without a name, and has its body looked at before its existence', async () => {
    const path = `accounts/${randomUUIDv7()}`;
    await scene.expectRefused(() => scene.admin.admin('PATCH', path, { name: '' }), 'VALIDATION_ERROR', [
      'name',
    ]);
    await scene.expectRefused(() => scene.admin.admin('POST', 'accounts', {}), 'VALIDATION_ERROR', ['name']);
  });

  it('is listed exactly once over the pages, in the order of making', async () => {
    await Promise.all(
      Array.from({ length: 51 }, () => scene.admin.admin('POST', 'accounts', { name: 'many' })),
    );
    const { rows } = await scene.database.pool.query<{ id: string }>('SELECT id FROM accounts ORDER BY id');
    const listed = await readPages(scene.admin, 'accounts?limit=20', 'accounts');
    expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    const { data } = (await scene.admin.admin('GET', 'accounts')).body;
    expect([data.accounts.length, typeof data.next_cursor]).toEqual([50, 'string']);
    expect((await scene.admin.admin('GET', 'accounts?limit=200')).body.data.next_cursor).toBeNull();
    for (const wrong of ['limit', 'cursor']) {
      const list = () => scene.admin.admin('GET', `accounts?${wrong}=x`);
      await scene.expectRefused(list, 'VALIDATION_ERROR', [wrong]);
    }
  });
});
