import { createHash, randomUUIDv7 } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { readPages } from '../../support/clients/page.reader';
import { expectRefused, refusalOf } from '../../support/clients/refusal.expectation';
import { dumpOf } from '../../support/database/database.dump';
import { DialogRecords } from '../../support/database/dialog.records';
import { AccountFixture } from '../../support/database/fixture';
import { createDatabase } from '../../support/database/test.database';
import { eventually } from '../../support/eventually';
import { RowLock } from '../../support/faults/row.lock';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import { setScene } from '../../support/scenes/base.scene';

// What each field may be is in dto-pipe.spec.ts and api-key.rules.spec.ts, how calls are counted in admission.db.spec.ts.

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const LATE = '2199-01-31T12:00:00.000Z';
const HOUR_MS = 3_600_000;
/** Longer than any call here takes. */
const SLACK_MS = 60_000;
/** What is promised. */
const REVOKED_WITHIN_MS = 1_000;

const scene = setScene();

interface Issued {
  id: string;
  key: string;
  api: ApiClient;
}

const issuing = (body: object = {}): Promise<Answer> =>
  scene.admin.admin('POST', 'api-keys', {
    account_id: scene.account.id,
    name: 'Accounting',
    scopes: ['leads'],
    ...body,
  });
const apiOf = (key: string): ApiClient => new ApiClient(scene.server.url, key);

/** A key of the account's agent and bot. */
async function issue(more: object = {}): Promise<Issued> {
  const { assistantId, botId } = scene.account;
  const { body } = await issuing({ assistant_ids: [assistantId], bot_ids: [botId], ...more });
  const { id, key } = body.data as Issued;
  return { id, key, api: apiOf(key) };
}

const change = (id: string, body: object): Promise<Answer> =>
  scene.admin.admin('PATCH', `api-keys/${id}`, body);
const revoke = (id: string): Promise<Answer> => scene.admin.admin('DELETE', `api-keys/${id}`);
/** Without a body, as with one without fields, the old secret is good for a day more. */
const rotate = (id: string, body?: object): Promise<Answer> =>
  scene.admin.admin('POST', `api-keys/${id}/rotate`, body);
const rotated = async (id: string, body?: object): Promise<string> =>
  (await rotate(id, body)).body.data.key as string;

/** The status of a call by each of the secrets, one after the other. */
async function calls(...keys: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const key of keys) statuses.push((await apiOf(key).getStatuses()).status);
  return statuses;
}

async function listed(id: string): Promise<Record<string, unknown>> {
  const keys = await readPages(scene.admin, `api-keys?limit=200&account_id=${scene.account.id}`, 'api_keys');
  return keys.find((key) => key.id === id) as unknown as Record<string, unknown>;
}

/** As if so much time had passed since the rotation. */
const letPass = (id: string, seconds: number) =>
  scene.database.pool.query(
    'UPDATE api_keys SET old_key_expires_at = old_key_expires_at - make_interval(secs => $2) WHERE id = $1',
    [id, seconds],
  );

describe('a new key', () => {
  it('is answered with 201, works at once, is shown this once, and kept as its hash', async () => {
    const attached = { assistant_ids: [scene.account.assistantId], bot_ids: [scene.account.botId] };
    const limits = { limit_leads: 3, expires_at: null };
    const { status, body } = await issuing({ scopes: ['messages', 'leads'], ...limits, ...attached });
    const { key, ...shown } = body.data as { key: string; id: string };
    expect(status).toBe(201);
    expect(shown).toEqual({
      id: expect.stringMatching(UUID_7),
      account_id: scene.account.id,
      name: 'Accounting',
      prefix: key.slice(0, 10),
      scopes: ['messages', 'leads'],
      ...attached,
      limit_leads: 3,
      limit_general: null,
      created_at: expect.stringMatching(ISO),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(Buffer.from(key.replace(/^ll_/, ''), 'base64url')).toHaveLength(32);
    expect(await calls(key, key, key, key)).toEqual([200, 200, 200, 429]);
    expect(JSON.stringify(await listed(shown.id))).not.toContain(key);
    const { rows } = await scene.database.pool.query<{ key_hash: Buffer }>(
      'SELECT key_hash FROM api_keys WHERE id = $1',
      [shown.id],
    );
    expect(rows[0]?.key_hash).toEqual(createHash('sha256').update(key).digest());
    expect(JSON.stringify(await dumpOf(scene.database.pool))).not.toContain(key.slice(11));
  });

  it('has an agent and a bot once, however often and in whatever case they are named', async () => {
    const { assistantId, botId } = scene.account;
    const { body } = await issuing({
      assistant_ids: [assistantId, assistantId.toUpperCase(), assistantId],
      bot_ids: [botId.toUpperCase(), botId],
    });
    expect([body.data.assistant_ids, body.data.bot_ids]).toEqual([[assistantId], [botId]]);
    expect((await apiOf(body.data.key as string).getStatuses()).body.data.assistant_id).toBe(assistantId);
  });

  it('is refused, with nothing changed, for a time that is past, or an account that is not there', async () => {
    await scene.expectRefused(() => issuing({ expires_at: '2001-01-01T00:00:00Z' }), 'VALIDATION_ERROR', [
      'expires_at',
    ]);
    await scene.expectRefused(() => issuing({ account_id: randomUUIDv7() }), 'ACCOUNT_NOT_FOUND');
  });

  it('of the scope admin has no account and governs all', async () => {
    const { body } = await issuing({ account_id: undefined, scopes: ['admin'] });
    expect(body.data.account_id).toBeNull();
    expect((await apiOf(body.data.key as string).admin('GET', `accounts/${scene.account.id}`)).status).toBe(
      200,
    );
  });

  it('is not attached to what another account has, nobody has or no id is: to its issuer all are the same', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    for (const [field, own, theirs, code] of [
      ['bot_ids', scene.account.botId, other.botId, 'BOT_NOT_FOUND'],
      ['assistant_ids', scene.account.assistantId, other.assistantId, 'ASSISTANT_NOT_FOUND'],
    ] as const) {
      const said = [await scene.expectRefused(() => issuing({ [field]: [own, theirs] }), code)];
      for (const named of [randomUUIDv7(), 'malformed']) said.push(await issuing({ [field]: [own, named] }));
      said.push(await change((await issue()).id, { [field]: [theirs] }));
      expect(said.map(refusalOf)).toEqual(said.map(() => refusalOf(said[0]!)));
    }
  });
});

describe('keys', () => {
  it('are listed exactly once over the pages, newest first, of one account when asked', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    for (let index = 0; index < 4; index++) await account.addKey();
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE account_id = $1 ORDER BY id DESC',
      [account.id],
    );
    const pages = await readPages(scene.admin, `api-keys?limit=2&account_id=${account.id}`, 'api_keys');
    expect(pages.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('tell when they were last used, by calls that pass and by open boards, which make none', async () => {
    const { id, key, api } = await issue({ limit_leads: 1 });
    const lastUsed = async (): Promise<unknown> => (await listed(id)).last_used_at;
    expect(await lastUsed()).toBeNull();
    await api.getStatuses();
    const used = await lastUsed();
    expect(used).toMatch(ISO);
    expect(await calls(key)).toEqual([429]);
    expect(await lastUsed()).toBe(used);
    const idle = await issue();
    const board = await BoardClient.connect(scene.server.url, { api_key: idle.key });
    const noted = async (): Promise<unknown> => (await listed(idle.id)).last_used_at;
    expect(await eventually(noted, 3_000, 'the board left no trace')).toMatch(ISO);
    await scene.database.pool.query(
      `UPDATE rate_windows SET hits = ARRAY[clock_timestamp() - interval '61 s'] WHERE key_id = $1`,
      [idle.id],
    );
    const isRecent = async () => Date.parse(String(await noted())) > Date.now() - 30_000;
    await eventually(isRecent, 3_000, 'the board was not noted again');
    board.close();
  });
});

describe('a changed key', () => {
  it('has what is given, and everything else stays', async () => {
    const { id } = await issue({ limit_leads: 90 });
    const before = (await change(id, {})).body.data as object;
    const changed = await change(id, { name: 'Warehouse', limit_general: 40, expires_at: LATE });
    expect(changed.body.data).toEqual({ ...before, name: 'Warehouse', limit_general: 40, expires_at: LATE });
    const again = await change(id, { expires_at: null });
    expect(again.body.data).toMatchObject({ name: 'Warehouse', expires_at: null, limit_leads: 90 });
    expect(JSON.stringify(again.body)).not.toContain('"key"');
  });

  it('has its limits, scopes and agents for the next call', async () => {
    const { id, api } = await issue();
    const limitOf = ({ headers }: Answer): number => Number(headers.get('ratelimit-limit'));
    const seen = [limitOf(await api.getStatuses())];
    for (const limit_leads of [500, 2_000, 7, null]) {
      expect((await change(id, { limit_leads })).body.data.limit_leads).toBe(limit_leads);
      seen.push(limitOf(await api.getStatuses()));
    }
    expect(seen).toEqual([60, 500, 2_000, 7, 60]);
    await change(id, { scopes: ['messages'] });
    expect((await api.getStatuses()).body.error.code).toBe('FORBIDDEN');
    const more = await scene.account.addAssistant();
    await change(id, { scopes: ['leads'], assistant_ids: [more.toUpperCase(), more], bot_ids: [] });
    expect((await api.getStatuses()).body.data.assistant_id).toBe(more);
  });

  it('closes its boards where it has no scope for them any more', async () => {
    const { id, key } = await issue();
    const board = await BoardClient.connect(scene.server.url, { api_key: key });
    await change(id, { scopes: ['messages'] });
    await eventually(async () => board.disconnectedBecause !== null, 4_000, 'the connection stayed open');
  });

  it('stays an admin key, or none', async () => {
    // Which keys are wrong is in api-key.rules.spec.ts.
    const { id } = await issue();
    const admin = { scopes: ['admin'], bot_ids: [], assistant_ids: [] };
    await scene.expectRefused(() => change(id, admin), 'VALIDATION_ERROR', ['scopes']);
  });
});

describe('a rotated key', () => {
  it('has a new secret, shown this once, and for 24 hours the old one too', async () => {
    const { id, key: old } = await issue();
    const { status, body } = await rotate(id);
    const { key, old_key_expires_at } = body.data as { key: string; old_key_expires_at: string };
    expect([status, body.data]).toEqual([200, { id, key, old_key_expires_at: expect.any(String) }]);
    expect(Math.abs(Date.parse(old_key_expires_at) - Date.now() - 24 * HOUR_MS)).toBeLessThan(SLACK_MS);
    expect(Buffer.from(key.replace(/^ll_/, ''), 'base64url')).toHaveLength(32);
    expect(await calls(old, key, old, key)).toEqual([200, 200, 200, 200]);
    const dump = JSON.stringify(await dumpOf(scene.database.pool));
    for (const secret of [old, key]) expect(dump).not.toContain(secret.slice(11));
  });

  it('stays the same key: its attachments, limits and last use, and histories name it', async () => {
    const { id, key: old } = await issue({ limit_leads: 90, expires_at: LATE });
    const before = await listed(id);
    const key = await rotated(id);
    expect(await listed(id)).toEqual({ ...before, prefix: key.slice(0, 10) });
    const thread_id = await scene.account.addThread({});
    for (const [index, secret] of [old, key].entries())
      await apiOf(secret).setStatus({ thread_id, status_id: scene.account.stages[index] });
    const { body } = await apiOf(key).getHistory({ thread_id });
    expect((body.data.entries as { actor: { id: string } }[]).map(({ actor }) => actor.id)).toEqual([id, id]);
    expect((await listed(id)).last_used_at).not.toBeNull();
  });

  it('is refused by its old secret once the overlap is over, or where there is none', async () => {
    const { id, key: old } = await issue();
    const key = await rotated(id, { overlap_hours: 2 });
    await letPass(id, 7_170);
    expect(await calls(old, key)).toEqual([200, 200]);
    await letPass(id, 60);
    expect(await calls(old, key, old)).toEqual([401, 200, 401]);
    const last = await rotated(id, { overlap_hours: 0 });
    expect(await calls(key, last)).toEqual([401, 200]);
  });

  it('is refused by the secret before the old one, also where two rotate it at once', async () => {
    const { id, key: first } = await issue();
    const second = await rotated(id);
    expect(await calls(first)).toEqual([200]);
    const third = await rotated(id);
    expect(await calls(first, second, third)).toEqual([401, 200, 200]);
    const both = await Promise.all([rotated(id), rotated(id)]);
    expect(await calls(third, ...both)).toEqual([401, 200, 200]);
  });

  it('is refused by both secrets from its expiry on, and once it is revoked, when it gets no new one', async () => {
    const { id, key: old } = await issue({ expires_at: LATE });
    const key = await rotated(id);
    expect(await calls(old, key)).toEqual([200, 200]);
    const expire = 'UPDATE api_keys SET expires_at = clock_timestamp() WHERE id = $1';
    await scene.database.pool.query(expire, [id]);
    expect(await calls(old, key)).toEqual([401, 401]);
    await change(id, { expires_at: null });
    expect(await calls(old, key)).toEqual([200, 200]);
    await revoke(id);
    expect(await calls(old, key)).toEqual([401, 401]);
    await expectRefused(scene.database.pool, () => rotate(id), [409, 'API_KEY_REVOKED'], []);
  });

  it('keeps the boards of its old secret until that ends, and those of its new one', async () => {
    const { id, key: old } = await issue();
    const before = await BoardClient.connect(scene.server.url, { api_key: old });
    const key = await rotated(id);
    const [late, after] = await Promise.all(
      [old, key].map((api_key) => BoardClient.connect(scene.server.url, { api_key })),
    );
    await letPass(id, 24 * 3_600);
    const areOver = async () => [before, late].every((board) => board!.disconnectedBecause !== null);
    await eventually(areOver, 4_000, 'boards of the old secret stayed open');
    await expect(BoardClient.connect(scene.server.url, { api_key: old })).rejects.toThrow('UNAUTHORIZED');
    // By now the boards were checked more than once.
    expect(after!.disconnectedBecause).toBeNull();
    after!.close();
  });

  it('may govern the installation', async () => {
    const { body } = await issuing({ account_id: undefined, scopes: ['admin'] });
    const { id, key: old } = body.data as Issued;
    for (const secret of [await rotated(id, { overlap_hours: 720 }), old])
      expect((await apiOf(secret).admin('GET', 'accounts?limit=1')).status).toBe(200);
  });
});

describe('a revoked key', () => {
  it('is refused by a call at once, and when it is revoked again the time stays', async () => {
    const { id, key, api } = await issue();
    expect(await calls(key)).toEqual([200]);
    const first = await revoke(id);
    expect((await api.getStatuses()).body.error.code).toBe('UNAUTHORIZED');
    expect((await revoke(id)).body.data.revoked_at).toBe(first.body.data.revoked_at);
  });

  /** Revokes it, and waits until its calls are refused and the second that is promised is over. */
  async function revokeAtWork({ id, api }: Issued): Promise<void> {
    expect((await revoke(id)).status).toBe(200);
    const begun = performance.now();
    await eventually(
      async () => (await api.getStatuses()).status === 401 && performance.now() - begun > REVOKED_WITHIN_MS,
      REVOKED_WITHIN_MS + 2_000,
      'the key was not refused',
    );
  }
  const kept = (thread: string) => new DialogRecords(scene.database.pool).everything(thread);

  it('moves nothing by a call whose body came later', async () => {
    const [from, to] = scene.account.stages;
    const threadId = await scene.account.addThread({ statusId: from });
    const before = await kept(threadId);
    const issued = await issue();
    const body = JSON.stringify({ thread_id: threadId, status_id: to });
    const head = `POST /api/v1/leads/set-status HTTP/1.1\r\nHost: x\r\nX-API-Key: ${issued.key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { hostname, port } = new URL(scene.server.url);
    const caller: Socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const answer = text(caller);
    caller.write(head + body.slice(0, 10));
    await revokeAtWork(issued);
    caller.end(body.slice(10));
    expect(await answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*"UNAUTHORIZED"/);
    expect(await kept(threadId)).toEqual(before);
  });

  it('keeps what a bulk of it has done, and everything after is refused', async () => {
    const [first, held, last] = [
      await scene.account.addThread(),
      await scene.account.addThread(),
      await scene.account.addThread(),
    ];
    const untouched = await kept(last);
    const issued = await issue();
    const lock = await RowLock.take(scene.database, held);
    const items = [first, held, last].map((thread_id) => ({ thread_id, status_id: scene.account.stages[1] }));
    const answer = issued.api.setStatusBulk({ items });
    try {
      await lock.waiters(1);
      await revokeAtWork(issued);
    } finally {
      await lock.release();
    }
    const { status, body } = await answer;
    const results = body.data.results as { ok: boolean; error?: { code: string } }[];
    expect([status, ...results.map(({ ok, error }) => (ok ? 'moved' : error?.code))]).toEqual([
      ...[200, 'moved', 'moved', 'UNAUTHORIZED'],
    ]);
    expect(await kept(last)).toEqual(untouched);
  });
});

describe('npm run admin:create-key', () => {
  const USAGE = 'Usage: npm run admin:create-key -- --name "First admin"   (with the -- before --name)\n';
  const create = (url: string, ...args: string[]): Promise<Outcome> =>
    outcomeOf('apps/server/src/commands/create-admin-key.command.js', args, { DATABASE_URL: url });

  it('makes nothing by words that it does not understand; a key is alone on standard output, the rest on standard error', async () => {
    const empty = await createDatabase('18', { empty: true });
    try {
      const wrong: [args: string[], word?: string][] = [
        [['--name', '  ']],
        [['--name', 'x'.repeat(201)]],
        [['--name', 'First', 'admin'], 'admin'],
      ];
      const outcomes = await Promise.all(wrong.map(([args]) => create(empty.url, ...args)));
      expect(outcomes).toEqual(
        wrong.map(([, word]) => ({
          code: 1,
          stdout: '',
          stderr: (word ? `"${word}" is not understood. ` : '') + USAGE,
        })),
      );
      const { rows } = await empty.pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
      expect(rows).toEqual([]);
      const { code, stdout, stderr } = await create(empty.url, '--name=First admin');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^ll_[\w-]{43}\n$/)]);
      const { rows: kept } = await empty.pool.query<{ id: string }>('SELECT * FROM api_keys');
      const key_hash = createHash('sha256').update(stdout.trim()).digest();
      expect(kept).toMatchObject([{ key_hash, name: 'First admin', account_id: null, scopes: ['admin'] }]);
      expect(stderr).toMatch(/^The database had no schema of this version: made it \(\w+(?:, \w+)*\)\.\n/);
      expect(stderr.slice(stderr.indexOf('\n') + 1)).toBe(
        `Made the admin key "First admin" with the id ${kept[0]?.id}. Keep what follows: it is not shown again.\n`,
      );
    } finally {
      await empty.drop();
    }
  });
});
