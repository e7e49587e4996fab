import { randomUUIDv7 } from 'node:crypto';
import { AdminScene } from '../../support/scenes/admin.scene';
import { request } from '../../support/clients/api.client';
import { readPages } from '../../support/clients/page.reader';

let scene: AdminScene;

beforeAll(async () => {
  scene = await AdminScene.open();
});

afterAll(() => scene?.close());

/** Keeps an item aside, as the job does that takes webhooks apart. */
async function reject(item: string | Buffer, given: { account?: string; bot?: string; path?: string } = {}) {
  const id = randomUUIDv7();
  await scene.database.pool.query(
    `INSERT INTO webhook_rejects (id, account_id, provider, bot_id, delivery_id, path, reason, item, received_at)
     VALUES ($1, $2, 'cloud', $3, 1, $4, 'cannot be read', $5, '2026-11-21T10:00:00.5Z')`,
    [id, given.account ?? null, given.bot ?? null, given.path ?? id, Buffer.from(item)],
  );
  return id;
}

const newest = async () =>
  (await scene.admin.admin('GET', 'webhook-rejects?limit=1')).body.data.webhook_rejects[0] as object;

describe('what could not be taken in of webhooks', () => {
  it('is shown with its position, its text and the reason', async () => {
    const { id: account, botId: bot } = scene.account;
    const id = await reject('{"a":"\\u0000 я"}', { account, bot, path: 'entry[0].changes[0]' });
    expect(await newest()).toEqual({
      id,
      account_id: account,
      provider: 'cloud',
      bot_id: bot,
      path: 'entry[0].changes[0]',
      reason: 'cannot be read',
      item: '{"a":"\\u0000 я"}',
      received_at: '2026-11-21T10:00:00.500Z',
    });
  });

  it('is also shown where its account is unknown', async () => {
    await reject(Buffer.from([0, 0xff, 0x41]));
    expect(await newest()).toMatchObject({ account_id: null, bot_id: null, item: '\0\ufffdA' });
  });

  it('is cut at 16 KiB, not within a character', async () => {
    await reject(`x${'я'.repeat(10_000)}`);
    expect(await newest()).toMatchObject({ item: `x${'я'.repeat(8_191)}` });
  });

  it('is listed exactly once over the pages, the newest first', async () => {
    for (let index = 0; index < 7; index++) await reject(`x${index}`);
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM webhook_rejects ORDER BY id DESC',
    );
    const listed = await readPages(scene.admin, 'webhook-rejects?limit=3', 'webhook_rejects');
    expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it.each(['limit=0', 'limit=201', 'cursor=x'])('is not listed for %s', async (query) => {
    const call = () => scene.admin.admin('GET', `webhook-rejects?${query}`);
    await scene.expectRefused(call, 'VALIDATION_ERROR', [query.slice(0, query.indexOf('='))]);
  });

  it('is not listed under its former name', async () => {
    expect((await scene.admin.admin('GET', 'webhooks')).body.error.code).toBe('NOT_FOUND');
  });

  it('is for admins alone', async () => {
    const path = `${scene.server.url}/api/v1/admin/webhook-rejects`;
    expect((await request(path)).body.error.code).toBe('UNAUTHORIZED');
    const { body, status } = await request(path, { headers: { 'X-API-Key': scene.account.key } });
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  });
});
