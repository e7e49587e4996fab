import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { dumpOf } from '../../support/database/database.dump';
import { AccountFixture, addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { planted } from '../../support/faults/planted.environment';
import { startServer } from '../../support/programs/server.process';
import { AdminScene } from '../../support/scenes/admin.scene';
import { RateBench } from '../../support/scenes/rate.bench';

const HOUR_MS = 3_600_000;
/** Longer than any call here takes. */
const SLACK_MS = 60_000;

let scene: AdminScene;

beforeAll(async () => {
  scene = await AdminScene.open();
});

afterAll(() => scene?.close());

interface Issued {
  id: string;
  key: string;
}

async function issue(more: object = {}): Promise<Issued> {
  const { body } = await scene.admin.admin('POST', 'api-keys', {
    account_id: scene.account.id,
    name: 'Accounting',
    scopes: ['leads'],
    assistant_ids: [scene.account.assistantId],
    ...more,
  });
  return body.data as Issued;
}

const rotate = (id: string, body: object = {}): Promise<Answer> =>
  scene.admin.admin('POST', `api-keys/${id}/rotate`, body);

async function rotated(id: string, body: object = {}): Promise<string> {
  const answer = await rotate(id, body);
  expect(answer.status).toBe(200);
  return answer.body.data.key as string;
}

const call = async (key: string): Promise<number> =>
  (await new ApiClient(scene.server.url, key).getStatuses()).status;

/** The status of a call by each of the secrets, one after the other. */
async function calls(...keys: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const key of keys) statuses.push(await call(key));
  return statuses;
}

/** As if so much time had passed since the rotation. */
const letPass = (id: string, seconds: number) =>
  scene.database.pool.query(
    'UPDATE api_keys SET old_key_expires_at = old_key_expires_at - make_interval(secs => $2) WHERE id = $1',
    [id, seconds],
  );

describe('a rotated key', () => {
  it('has a new secret, shown this once, and for 24 hours the old one too', async () => {
    const { id, key: old } = await issue();
    const asked = Date.now();
    const { status, body } = await rotate(id);
    const { key, old_key_expires_at } = body.data as { key: string; old_key_expires_at: string };
    expect([status, body.data]).toEqual([200, { id, key, old_key_expires_at: expect.any(String) }]);
    expect(Math.abs(Date.parse(old_key_expires_at) - asked - 24 * HOUR_MS)).toBeLessThan(SLACK_MS);
    expect(Buffer.from(key.replace(/^ll_/, ''), 'base64url')).toHaveLength(32);
    expect(await calls(old, key, old, key)).toEqual([200, 200, 200, 200]);
    const listed = (await scene.admin.admin('GET', 'api-keys?limit=200')).text;
    expect([listed.includes(key.slice(0, 10)), listed.includes(key)]).toEqual([true, false]);
    const dump = JSON.stringify(await dumpOf(scene.database.pool));
    for (const secret of [old, key]) expect(dump).not.toContain(secret.slice(11));
  });

  it('stays the same key: its attachments, limits and last use, and histories name it', async () => {
    const { id, key: old } = await issue({ limit_leads: 90, expires_at: '2199-01-31T12:00:00.000Z' });
    const find = async () => {
      const { data } = (await scene.admin.admin('GET', 'api-keys?limit=200')).body;
      return (data.api_keys as Record<string, unknown>[]).find((key) => key.id === id)!;
    };
    const before = await find();
    const key = await rotated(id);
    expect(await find()).toEqual({ ...before, prefix: key.slice(0, 10) });
    const thread = await scene.account.addThread({});
    for (const [secret, stage] of [
      [old, 0],
      [key, 1],
    ] as const) {
      const api = new ApiClient(scene.server.url, secret);
      await api.setStatus({ thread_id: thread, status_id: scene.account.stages[stage] });
    }
    const { body } = await new ApiClient(scene.server.url, key).getHistory({ thread_id: thread });
    const actors = (body.data.entries as { actor: { id: string } }[]).map(({ actor }) => actor.id);
    expect(actors).toEqual([id, id]);
    expect((await find()).last_used_at).not.toBeNull();
  });

  it('is refused by its old secret once the overlap is over, by the database’s clock', async () => {
    const { id, key: old } = await issue();
    const key = await rotated(id, { overlap_hours: 2 });
    await letPass(id, 7_170);
    expect(await calls(old, key)).toEqual([200, 200]);
    await letPass(id, 60);
    expect(await calls(old, key, old)).toEqual([401, 200, 401]);
  });

  it.each([HOUR_MS, -HOUR_MS])(
    'has the overlap judged so by a process whose clock is %i ms off',
    async (shift) => {
      const askew = await startServer(scene.database.url, {
        ...planted('wrong-clock'),
        WRONG_CLOCK_MS: String(shift),
      });
      const { id, key: old } = await issue();
      const admin = new ApiClient(askew.url, scene.admin.key);
      const { body } = await admin.admin('POST', `api-keys/${id}/rotate`, { overlap_hours: 1 });
      const expires = Date.parse(body.data.old_key_expires_at as string);
      const before = (await new ApiClient(askew.url, old).getStatuses()).status;
      await letPass(id, 3_660);
      const after = (await new ApiClient(askew.url, old).getStatuses()).status;
      await askew.stop();
      expect(Math.abs(expires - Date.now() - HOUR_MS)).toBeLessThan(SLACK_MS);
      expect([before, after]).toEqual([200, 401]);
    },
  );

  it('is refused by its old secret at once where there is no overlap', async () => {
    const { id, key: old } = await issue();
    expect(await call(old)).toBe(200);
    const key = await rotated(id, { overlap_hours: 0 });
    expect(await calls(old, key)).toEqual([401, 200]);
  });

  it('is refused by the secret before the old one', async () => {
    const { id, key: first } = await issue();
    const second = await rotated(id);
    expect(await call(first)).toBe(200);
    const third = await rotated(id);
    expect(await calls(first, second, third)).toEqual([401, 200, 200]);
  });

  it('by two calls at once has the secrets of both answers, and not the one before', async () => {
    const { id, key: first } = await issue();
    const keys = await Promise.all([rotated(id), rotated(id)]);
    expect(await calls(first, ...keys)).toEqual([401, 200, 200]);
  });

  it('is refused by both secrets once it is revoked, and gets no new one', async () => {
    const { id, key: old } = await issue();
    const key = await rotated(id);
    expect(await calls(old, key)).toEqual([200, 200]);
    await scene.admin.admin('DELETE', `api-keys/${id}`);
    expect(await calls(old, key)).toEqual([401, 401]);
    await expectRefused(scene.database.pool, () => rotate(id), [409, 'API_KEY_REVOKED'], []);
  });

  it('is refused by both secrets from its expiry on', async () => {
    const { id, key: old } = await issue({ expires_at: '2199-01-31T12:00:00.000Z' });
    const key = await rotated(id);
    await scene.database.pool.query('UPDATE api_keys SET expires_at = clock_timestamp() WHERE id = $1', [id]);
    expect(await calls(old, key)).toEqual([401, 401]);
  });

  it('keeps the boards of its old secret until that ends, and those of its new one', async () => {
    const { id, key: old } = await issue();
    const before = await BoardClient.connect(scene.server.url, { api_key: old });
    const key = await rotated(id);
    const [late, after] = await Promise.all(
      [old, key].map((api_key) => BoardClient.connect(scene.server.url, { api_key })),
    );
    await sleep(2_500);
    expect([before, late, after].map((board) => board!.disconnectedBecause)).toEqual([null, null, null]);
    await letPass(id, 24 * 3_600);
    const areOver = async () => [before, late].every((board) => board!.disconnectedBecause !== null);
    await eventually(areOver, 4_000, 'boards of the old secret stayed open');
    await sleep(1_500);
    expect(after!.disconnectedBecause).toBeNull();
    await expect(BoardClient.connect(scene.server.url, { api_key: old })).rejects.toThrow('UNAUTHORIZED');
    after!.close();
  });

  it('may govern the installation', async () => {
    const { body } = await scene.admin.admin('POST', 'api-keys', { name: 'Second', scopes: ['admin'] });
    const { id, key: old } = body.data as Issued;
    const key = await rotated(id, { overlap_hours: 720 });
    for (const secret of [old, key]) {
      const governing = new ApiClient(scene.server.url, secret);
      expect((await governing.admin('GET', 'accounts')).status).toBe(200);
    }
  });
});

describe('both secrets of a key', () => {
  it.each([
    ['its limit', 5],
    ['its raised limit', 245],
  ])('count against %s together', async (_, limit_leads) => {
    const { id, key: old } = await issue({ limit_leads });
    const key = await rotated(id);
    const statuses = await Promise.all(
      Array.from({ length: limit_leads + 6 }, (_, index) => call(index % 2 ? old : key)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit_leads);
    expect(await calls(old, key)).toEqual([429, 429]);
  });

  it('let exactly 59 of 240 calls at once pass on two processes beside one before, and exactly one where one is left', async () => {
    const bench = await RateBench.start();
    try {
      const account = await AccountFixture.create(bench.database.pool);
      const adminKey = await addAdminKey(bench.database.pool);
      const passing = async (calls: number, ago: number[]): Promise<number> => {
        const old = await account.addKey({ limitLeads: null, limitGeneral: null });
        const key = await bench.rotated(old, adminKey);
        await bench.remember(key, ago);
        const answers = await Promise.all([old, key].map((secret) => bench.burst(secret, 'leads', calls)));
        return answers.flat().filter(bench.passed).length;
      };
      expect(await passing(120, [10])).toBe(59);
      expect(await passing(30, Array<number>(59).fill(10))).toBe(1);
    } finally {
      await bench.stop();
    }
  });
});

describe('a rotation is refused and changes nothing', () => {
  it.each([-1, 721, 1.5, '24', null, true])('with overlap_hours %j', async (overlap_hours) => {
    const { id } = await issue();
    await scene.expectRefused(() => rotate(id, { overlap_hours }), 'VALIDATION_ERROR', ['overlap_hours']);
  });

  it('for a key that does not exist', async () => {
    for (const id of [randomUUIDv7(), 'malformed', scene.account.id]) {
      await scene.expectRefused(() => rotate(id), 'API_KEY_NOT_FOUND');
    }
  });
});
