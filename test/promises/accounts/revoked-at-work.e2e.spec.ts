import { connect, type Socket } from 'node:net';
import { ApiClient } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { addAdminKey } from '../../support/database/fixture';
import { LeadScene } from '../../support/scenes/lead.scene';
import { RowLock } from '../../support/faults/row.lock';

/** What is promised. */
const REVOKED_WITHIN_MS = 1_000;

let scene: LeadScene;
let admin: ApiClient;

beforeAll(async () => {
  scene = await LeadScene.open();
  admin = scene.apiAt(0, await addAdminKey(scene.database.pool));
});

afterAll(() => scene?.close());

async function issue(): Promise<{ id: string; key: string }> {
  const { body } = await admin.admin('POST', 'api-keys', {
    account_id: scene.account.id,
    name: 'short-lived',
    scopes: ['leads'],
    assistant_ids: [scene.account.assistantId],
  });
  return body.data as { id: string; key: string };
}

/** Revokes a key, and waits until calls with it are refused and the second is over. */
async function revoke({ id, key }: { id: string; key: string }): Promise<void> {
  expect((await admin.admin('DELETE', `api-keys/${id}`)).status).toBe(200);
  const begun = performance.now();
  await eventually(
    async () =>
      (await scene.apiAt(0, key).getStatuses()).status === 401 &&
      performance.now() - begun > REVOKED_WITHIN_MS,
    REVOKED_WITHIN_MS + 2_000,
    'the key was not refused',
  );
}

describe('a key that is revoked while a call of it is at work', () => {
  it('is refused when the body came later, and nothing is moved', async () => {
    const threadId = await scene.account.addThread({ statusId: scene.stage(0) });
    const before = await scene.kept.everything(threadId);
    const issued = await issue();
    const body = JSON.stringify({ thread_id: threadId, status_id: scene.stage(1) });
    const head = `POST /api/v1/leads/set-status HTTP/1.1\r\nHost: x\r\nX-API-Key: ${issued.key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { hostname, port } = new URL(scene.server.url);
    const caller: Socket = connect(Number(port), hostname);
    const answer = new Promise<string>((resolve, reject) => {
      let text = '';
      caller.on('data', (chunk) => (text += chunk.toString()));
      caller.once('end', () => resolve(text));
      caller.once('error', reject);
    });
    caller.write(head + body.slice(0, 10));
    await revoke(issued);
    caller.end(body.slice(10));
    expect(await answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*"UNAUTHORIZED"/);
    expect(await scene.kept.everything(threadId)).toEqual(before);
  });

  it('keeps what a bulk has done, and everything after is refused', async () => {
    const [first, held, last] = [
      await scene.account.addThread(),
      await scene.account.addThread(),
      await scene.account.addThread(),
    ];
    const untouched = await scene.kept.everything(last);
    const issued = await issue();
    const lock = await RowLock.take(scene.database, held);
    const items = [first, held, last].map((thread_id) => ({ thread_id, status_id: scene.stage(1) }));
    const answer = scene.apiAt(0, issued.key).setStatusBulk({ items });
    try {
      await lock.waiters(1);
      await revoke(issued);
    } finally {
      await lock.release();
    }
    const { status, body } = await answer;
    const results = body.data.results as { ok: boolean; error?: { code: string } }[];
    expect([status, results.map(({ ok, error }) => (ok ? 'moved' : error?.code))]).toEqual([
      200,
      ['moved', 'moved', 'UNAUTHORIZED'],
    ]);
    expect(await scene.kept.everything(last)).toEqual(untouched);
  });
});
