import { createHash, randomUUIDv7 } from 'node:crypto';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { addAdminKey } from '../../support/database/fixture';
import { LeadScene } from '../../support/scenes/lead.scene';
import { requestLiterally } from '../../support/clients/raw.request';
import { expectRefused } from '../../support/clients/refusal.expectation';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);

let scene: LeadScene;
let threadId: string;

beforeAll(async () => {
  scene = await LeadScene.open({ stages: [{ name: 'A' }, { name: 'Twin' }, { name: 'twin' }] });
  threadId = await scene.account.addThread({ statusId: scene.account.stages[0], optedOut: true });
});

afterAll(() => scene?.close());

const post = (operation: string, key: string | string[] | undefined, body: string): Promise<Answer> =>
  requestLiterally(scene.server.url, {
    path: `/api/v1/leads/${operation}`,
    headers: { ...JSON_TYPE, ...(key !== undefined && { 'X-API-Key': key }) },
    body,
  });

/** Spends the window of a key that may make one call. */
const spent = async (given: object): Promise<string> => {
  const key = await scene.account.addKey({ limitLeads: 1, ...given });
  await post('get-statuses', key, '{}');
  return key;
};

const rowsOf = async (table: string): Promise<unknown[]> =>
  (await scene.database.pool.query<object>(`SELECT * FROM ${table} ORDER BY 1, 2`)).rows;

describe('a key', () => {
  it.each<[string, (key: string) => string | string[] | undefined]>([
    ['that is missing', () => undefined],
    ['that is empty', () => ''],
    ['that is unknown', () => `ll_${'A'.repeat(43)}`],
    ['in another case', (key) => key.toUpperCase()],
    ['without its last character', (key) => key.slice(0, -1)],
    ['with one character more', (key) => `${key}x`],
    ['in quotes', (key) => `"${key}"`],
    ['as a bearer token', (key) => `Bearer ${key}`],
    ['given twice', (key) => [key, key]],
    ['in place of which stands its hash', (key) => createHash('sha256').update(key).digest('hex')],
    ['of SQL', () => "' OR true --"],
    ['of 12,000 characters', () => 'x'.repeat(12_000)],
    ['beyond ASCII', () => 'ÿ'.repeat(4)],
  ])('%s is 401, counts nowhere, and all look the same', async (_, of) => {
    const windows = await rowsOf('rate_windows');
    const answer = await expectRefused(
      scene.database.pool,
      () =>
        post('set-status', of(scene.account.key), JSON.stringify({ thread_id: threadId, status_id: null })),
      [401, 'UNAUTHORIZED'],
    );
    const { text } = await post('set-status', undefined, '{}');
    const withoutId = (json: string): string => json.replace(/"request_id":"[^"]+"/, '');
    expect(withoutId(answer.text)).toBe(withoutId(text));
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
    expect(await rowsOf('rate_windows')).toEqual(windows);
  });

  it('that is revoked or expired is 401', async () => {
    const past = new Date(Date.now() - 1_000);
    for (const given of [{ revokedAt: past }, { expiresAt: past }]) {
      const key = await scene.account.addKey(given);
      await expectRefused(scene.database.pool, () => post('get-statuses', key, '{}'), [401, 'UNAUTHORIZED']);
    }
  });

  it('is taken with its header’s name in any case, and with blanks around it', async () => {
    const headers = { ...JSON_TYPE, 'x-api-KEY': ` ${scene.account.key} ` };
    const path = '/api/v1/leads/get-statuses';
    expect((await requestLiterally(scene.server.url, { path, headers, body: '{}' })).status).toBe(200);
  });

  it('is not taken from the query, a cookie or Authorization', async () => {
    const path = `/api/v1/leads/get-statuses?X-API-Key=${scene.account.key}&api_key=${scene.account.key}`;
    const headers = {
      ...JSON_TYPE,
      Cookie: `X-API-Key=${scene.account.key}`,
      Authorization: scene.account.key,
    };
    const call = () => requestLiterally(scene.server.url, { path, headers, body: '{}' });
    await expectRefused(scene.database.pool, call, [401, 'UNAUTHORIZED']);
  });
});

describe('the order of checks', () => {
  it('checks the key before the body, however large or broken', async () => {
    for (const body of [TOO_LARGE, '{', '']) {
      await expectRefused(scene.database.pool, () => post('set-status', 'll_wrong', body), [
        401,
        'UNAUTHORIZED',
      ]);
    }
  });

  it('asks whether the key lives before its rate', async () => {
    const full = Array<Date>(60).fill(new Date());
    const key = await scene.account.addKey({ limitLeads: null, revokedAt: new Date() });
    await scene.database.pool.query(
      `INSERT INTO rate_windows (key_id, scope, hits) SELECT id, 'leads', $2 FROM api_keys WHERE key_hash = $1`,
      [createHash('sha256').update(key).digest(), full],
    );
    await expectRefused(scene.database.pool, () => post('get-statuses', key, '{}'), [401, 'UNAUTHORIZED']);
  });

  it('asks for the rate before the scope', async () => {
    const key = await spent({ scopes: ['messages'] });
    await expectRefused(scene.database.pool, () => post('get-statuses', key, '{'), [429, 'RATE_LIMITED']);
  });

  it('checks the rate before the body', async () => {
    const key = await spent({});
    for (const body of [TOO_LARGE, '{']) {
      await expectRefused(scene.database.pool, () => post('set-status', key, body), [429, 'RATE_LIMITED']);
    }
  });

  it('checks the scope before the body', async () => {
    const messages = await scene.account.addKey({ scopes: ['messages'] });
    const admin = await addAdminKey(scene.database.pool);
    for (const body of [TOO_LARGE, '{', '{}']) {
      for (const key of [messages, admin]) {
        await expectRefused(scene.database.pool, () => post('set-status', key, body), [403, 'FORBIDDEN']);
      }
    }
  });

  it('asks for the scope before what an admin operation names', async () => {
    const api = new ApiClient(scene.server.url, scene.account.key);
    const call = () => api.admin('PATCH', `accounts/${randomUUIDv7()}`, { name: '' });
    await expectRefused(scene.database.pool, call, [403, 'FORBIDDEN']);
  });

  it.each<[string, string, object, [number, string], string[]]>([
    [
      'the body before the dialog',
      'set-ai',
      { thread_id: 'x', ai_enabled: 'true' },
      [422, 'VALIDATION_ERROR'],
      ['ai_enabled'],
    ],
    [
      'the body before the stage',
      'set-status',
      { thread_id: '', status_id: 'x' },
      [422, 'VALIDATION_ERROR'],
      ['thread_id'],
    ],
    [
      'the cursor before the dialog',
      'get-history',
      { thread_id: 'x', cursor: 'x' },
      [422, 'VALIDATION_ERROR'],
      ['cursor'],
    ],
    [
      'the dialog before the stage',
      'set-status',
      { thread_id: 'x', status_id: 'x' },
      [404, 'THREAD_NOT_FOUND'],
      [],
    ],
    [
      'the dialog before the name',
      'set-status',
      { thread_id: 'x', status_name: 'twin' },
      [404, 'THREAD_NOT_FOUND'],
      [],
    ],
    [
      'the stage before what was expected',
      'set-status',
      { status_id: 'x', expected_status_id: null },
      [404, 'STATUS_NOT_FOUND'],
      [],
    ],
    [
      'the name before what was expected',
      'set-status',
      { status_name: 'TWIN', expected_status_id: null },
      [422, 'STATUS_AMBIGUOUS'],
      [],
    ],
    [
      'what was expected last',
      'set-status',
      { status_id: null, expected_status_id: null },
      [409, 'STATUS_CONFLICT'],
      [],
    ],
    [
      'the dialog before its opt-out',
      'set-ai',
      { thread_id: 'x', ai_enabled: true },
      [404, 'THREAD_NOT_FOUND'],
      [],
    ],
    ['the opt-out last', 'set-ai', { ai_enabled: true }, [422, 'THREAD_OPTED_OUT'], []],
  ])('asks for %s', async (_, operation, body, expected, paths) => {
    const whole = JSON.stringify({ thread_id: threadId, ...body });
    await expectRefused(
      scene.database.pool,
      () => post(operation, scene.account.key, whole),
      expected,
      paths,
    );
  });
});
