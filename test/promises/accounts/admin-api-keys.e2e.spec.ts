import { createHash, randomUUIDv7 } from 'node:crypto';
import { AdminScene } from '../../support/scenes/admin.scene';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { dumpOf } from '../../support/database/database.dump';
import { eventually } from '../../support/eventually';
import { planted } from '../../support/faults/planted.environment';
import { AccountFixture } from '../../support/database/fixture';
import { readPages } from '../../support/clients/page.reader';
import { startServer } from '../../support/programs/server.process';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let scene: AdminScene;

beforeAll(async () => {
  scene = await AdminScene.open();
});

afterAll(() => scene?.close());

describe('an API key', () => {
  const issue = (body: object): Promise<Answer> =>
    scene.admin.admin('POST', 'api-keys', {
      account_id: scene.account.id,
      name: 'Accounting',
      scopes: ['leads'],
      ...body,
    });

  it('is issued with 201, works at once, and is shown this once', async () => {
    const attached = { assistant_ids: [scene.account.assistantId], bot_ids: [scene.account.botId] };
    const { status, body } = await issue({ scopes: ['messages', 'leads'], ...attached });
    const { key, ...shown } = body.data as { key: string; id: string };
    expect(status).toBe(201);
    expect(shown).toEqual({
      id: expect.stringMatching(UUID_7),
      account_id: scene.account.id,
      name: 'Accounting',
      prefix: key.slice(0, 10),
      scopes: ['messages', 'leads'],
      ...attached,
      limit_leads: null,
      limit_general: null,
      created_at: expect.stringMatching(ISO),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(Buffer.from(key.replace(/^ll_/, ''), 'base64url')).toHaveLength(32);
    expect((await new ApiClient(scene.server.url, key).getStatuses()).status).toBe(200);
    expect((await scene.admin.admin('GET', 'api-keys?limit=200')).text).not.toContain(key);
  });

  it('has an agent and a bot once, however often and in whatever case they are named', async () => {
    const { assistantId, botId } = scene.account;
    const { status, body } = await issue({
      assistant_ids: [assistantId, assistantId.toUpperCase(), assistantId],
      bot_ids: [botId.toUpperCase(), botId],
    });
    expect([status, body.data.assistant_ids, body.data.bot_ids]).toEqual([201, [assistantId], [botId]]);
    const { body: funnel } = await new ApiClient(scene.server.url, body.data.key).getStatuses();
    expect(funnel.data.assistant_id).toBe(assistantId);
  });

  it('is kept as its hash only', async () => {
    const { key, id } = (await issue({})).body.data as { key: string; id: string };
    const { rows } = await scene.database.pool.query<{ key_hash: Buffer }>(
      'SELECT key_hash FROM api_keys WHERE id = $1',
      [id],
    );
    expect(rows[0]?.key_hash).toEqual(createHash('sha256').update(key).digest());
    expect(JSON.stringify(await dumpOf(scene.database.pool))).not.toContain(key.slice(11));
  });

  it('never equals another', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => issue({})));
    expect(new Set(keys.map(({ body }) => body.data.key as string)).size).toBe(20);
  });

  it.each([
    [{ scopes: [] }, ['scopes']],
    [{ scopes: undefined }, ['scopes']],
    [{ scopes: 'leads' }, ['scopes']],
    [{ scopes: ['leads', 'everything'] }, ['scopes']],
    [{ scopes: [null] }, ['scopes']],
    [{ scopes: ['leads', 'leads'] }, ['scopes']],
    [{ scopes: ['admin', 'admin'], account_id: undefined }, ['scopes']],
    [{ scopes: ['admin', 'leads'], account_id: undefined }, ['scopes']],
    [{ scopes: ['admin'] }, ['account_id']],
    [{ account_id: undefined }, ['account_id']],
    [{ account_id: null }, ['account_id']],
    [{ account_id: '' }, ['account_id']],
    [{ name: undefined }, ['name']],
    [{ bot_ids: null }, ['bot_ids']],
    [{ bot_ids: 'x' }, ['bot_ids']],
    [{ assistant_ids: [''] }, ['assistant_ids']],
    [{ assistant_ids: [[]] }, ['assistant_ids']],
    [{ expires_at: '2001-01-01T00:00:00Z' }, ['expires_at']],
    [{ expires_at: 'tomorrow' }, ['expires_at']],
    [{ expires_at: '2199-01-01' }, ['expires_at']],
    [{ expires_at: '2199-13-01T00:00:00Z' }, ['expires_at']],
    [{ expires_at: '2199-02-30T00:00:00Z' }, ['expires_at']],
    [{ expires_at: 4102444800 }, ['expires_at']],
    [{ expires_at: null }, ['expires_at']],
  ])('is not issued for %j', async (fields, paths) => {
    await scene.expectRefused(() => issue(fields), 'VALIDATION_ERROR', paths);
  });

  it('is not issued for an account that does not exist', async () => {
    for (const id of [randomUUIDv7(), 'malformed']) {
      await scene.expectRefused(() => issue({ account_id: id }), 'ACCOUNT_NOT_FOUND');
    }
  });

  it.each([
    ['bot_ids', 'BOT_NOT_FOUND'],
    ['assistant_ids', 'ASSISTANT_NOT_FOUND'],
  ])(
    'is not attached by %s to what another account has, nobody has or no id is: all are %s',
    async (field, code) => {
      const other = await AccountFixture.create(scene.database.pool);
      const [own, theirs] =
        field === 'bot_ids'
          ? [scene.account.botId, other.botId]
          : [scene.account.assistantId, other.assistantId];
      const said: object[] = [];
      for (const id of [theirs, randomUUIDv7(), 'malformed']) {
        const { body } = await scene.expectRefused(() => issue({ [field]: [own, id] }), code);
        said.push({ ...body.error, request_id: '' });
      }
      expect(said).toEqual(said.map(() => said[0]));
    },
  );

  it('of the scope admin has no account and governs all', async () => {
    const { body, status } = await issue({ account_id: undefined, scopes: ['admin'] });
    expect([status, body.data.account_id]).toEqual([201, null]);
    const governing = new ApiClient(scene.server.url, body.data.key as string);
    expect((await governing.admin('GET', `accounts/${scene.account.id}`)).status).toBe(200);
  });

  it('is refused from its expiry on', async () => {
    const expires = new Date(Date.now() + 2_000).toISOString();
    const { body } = await issue({ expires_at: expires, assistant_ids: [scene.account.assistantId] });
    expect(body.data.expires_at).toBe(expires);
    const api = new ApiClient(scene.server.url, body.data.key as string);
    expect((await api.getStatuses()).status).toBe(200);
    await eventually(async () => (await api.getStatuses()).status === 401, 10_000, 'the key did not expire');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires));
  });

  it.each([
    ['an hour fast', 3_600_000],
    ['an hour slow', -3_600_000],
  ])('has its expiry held against the clock of the database, though the process is %s', async (_, shift) => {
    const askew = await startServer(scene.database.url, {
      ...planted('wrong-clock'),
      WRONG_CLOCK_MS: String(shift),
    });
    const issueAt = async (seconds: number) => {
      const expires_at = new Date(Date.now() + seconds * 1_000).toISOString();
      const body = { account_id: scene.account.id, name: 'Brief', scopes: ['leads'], expires_at };
      const answer = await new ApiClient(askew.url, scene.admin.key).admin('POST', 'api-keys', body);
      return [answer.status, answer.body.error?.details?.map(({ path }) => path)];
    };
    const issued = [await issueAt(120), await issueAt(-120)];
    await askew.stop();
    expect(issued).toEqual([
      [201, undefined],
      [422, ['expires_at']],
    ]);
  });

  it('tells when it was last used, and a refused call leaves no trace', async () => {
    const { body } = await issue({ assistant_ids: [scene.account.assistantId] });
    const { id, key } = body.data as { id: string; key: string };
    const lastUsed = async (): Promise<string | null> => {
      const { data } = (await scene.admin.admin('GET', 'api-keys?limit=200')).body;
      return (data.api_keys as { id: string; last_used_at: string | null }[]).find((k) => k.id === id)!
        .last_used_at;
    };
    expect(await lastUsed()).toBeNull();
    await new ApiClient(scene.server.url, key).getStatuses();
    const used = await lastUsed();
    expect(used).toMatch(ISO);
    await scene.database.pool.query(
      `UPDATE rate_windows SET hits = array_fill(clock_timestamp() - interval '9 s', ARRAY[60]) WHERE key_id = $1`,
      [id],
    );
    const before = await lastUsed();
    expect((await new ApiClient(scene.server.url, key).getStatuses()).status).toBe(429);
    expect(await lastUsed()).toBe(before);
  });

  it('tells of its open boards as of calls, which they do not make', async () => {
    const { body } = await issue({ assistant_ids: [scene.account.assistantId] });
    const { id, key } = body.data as { id: string; key: string };
    const board = await BoardClient.connect(scene.server.url, { api_key: key });
    const lastUsed = async (): Promise<string | null> => {
      const { data } = (await scene.admin.admin('GET', 'api-keys?limit=200')).body;
      return (data.api_keys as { id: string; last_used_at: string | null }[]).find((k) => k.id === id)!
        .last_used_at;
    };
    expect(await eventually(lastUsed, 3_000, 'the board left no trace')).toMatch(ISO);
    await scene.database.pool.query(
      `UPDATE rate_windows SET hits = ARRAY[clock_timestamp() - interval '61 s'] WHERE key_id = $1`,
      [id],
    );
    const before = Date.now() - 30_000;
    await eventually(
      async () => Date.parse((await lastUsed()) ?? '') > before,
      3_000,
      'the board was not noted again',
    );
    board.close();
  });

  it('is revoked for good, at once here, and revoking again keeps the time', async () => {
    const { id, key } = (await issue({ assistant_ids: [scene.account.assistantId] })).body.data as {
      id: string;
      key: string;
    };
    const api = new ApiClient(scene.server.url, key);
    expect((await api.getStatuses()).status).toBe(200);
    const first = await scene.admin.admin('DELETE', `api-keys/${id}`);
    expect([first.status, first.body.data.id]).toEqual([200, id]);
    expect(first.body.data.revoked_at).toMatch(ISO);
    expect((await api.getStatuses()).body.error.code).toBe('UNAUTHORIZED');
    const again = await scene.admin.admin('DELETE', `api-keys/${id}`);
    expect(again.body.data.revoked_at).toBe(first.body.data.revoked_at);
  });

  it('that does not exist is 404 API_KEY_NOT_FOUND', async () => {
    for (const id of [randomUUIDv7(), 'malformed', scene.account.id]) {
      await scene.expectRefused(() => scene.admin.admin('DELETE', `api-keys/${id}`), 'API_KEY_NOT_FOUND');
    }
  });

  it('is listed exactly once over the pages, newest first, of one account when asked', async () => {
    for (let index = 0; index < 5; index++) await issue({});
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE account_id = $1 ORDER BY id DESC',
      [scene.account.id],
    );
    const listed = await readPages(
      scene.admin,
      `api-keys?limit=2&account_id=${scene.account.id}`,
      'api_keys',
    );
    expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    for (const nobody of [randomUUIDv7(), 'malformed']) {
      expect(await readPages(scene.admin, `api-keys?limit=2&account_id=${nobody}`, 'api_keys')).toEqual([]);
    }
    const wrong = 'api-keys?account_id=';
    await scene.expectRefused(() => scene.admin.admin('GET', wrong), 'VALIDATION_ERROR', ['account_id']);
  });
});
