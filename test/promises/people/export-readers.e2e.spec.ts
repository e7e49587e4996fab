import { text } from 'node:stream/consumers';
import { ApiClient } from '../../support/clients/api.client';
import { beginReading, restOf } from '../../support/clients/slow.reader';
import { addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { QUICK_READERS } from '../../support/programs/test.limits';
import { padded, PDF } from '../../support/media.samples';
import { MediaScene } from '../../support/scenes/media.scene';
import { invite, joinBy, PASSWORD } from '../../support/scenes/people.scene';

/** More than the buffers on the way from the server to its reader hold. */
const BYTES = 32 * 1024 * 1024;
/** What ends a key or a session ends it within this time. */
const ENDED_WITHIN_MS = 1_000;

let scene: MediaScene;
let admin: ApiClient;
let path: string;

beforeAll(async () => {
  scene = new MediaScene();
  await scene.start();
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  await scene.stored({ bytes: padded(PDF, BYTES), fileName: 'contract.pdf' });
  const [dialog] = await scene.dialogs();
  path = `/api/v1/admin/threads/thread_${dialog!.id}/export`;
});

afterAll(() => scene?.close());

const begin = (headers: Record<string, string>, url = scene.server.url) => beginReading(url + path, headers);

const logged = (server: { output(): string }, requestId: unknown): Record<string, unknown>[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes(String(requestId)))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('a reader that always takes something, but too slowly in all, is cut off', async () => {
  const { url } = await scene.addServer(QUICK_READERS);
  const answer = await begin({ 'X-API-Key': admin.key }, url);
  answer.on('error', () => undefined);
  let taken = 0;
  const taking = setInterval(() => (taken += (answer.read() as Buffer | null)?.length ?? 0), 60);
  try {
    await eventually(async () => answer.closed, 25_000, 'it is still served');
    expect(answer.complete).toBe(false);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(BYTES);
  } finally {
    clearInterval(taking);
    answer.destroy();
  }
}, 60_000);

describe('whoever may no longer ask gets no more of an export that has begun', () => {
  /** Waits until calls are refused, and the time is over in which they may still pass. */
  const untilRefused = async (headers: Record<string, string>): Promise<void> => {
    const begun = performance.now();
    const statusNow = async () => (await fetch(`${scene.server.url}/api/v1/admin/users`, { headers })).status;
    await eventually(
      async () => (await statusNow()) === 401 && performance.now() - begun > ENDED_WITHIN_MS,
      ENDED_WITHIN_MS + 4_000,
      'the caller was not refused',
    );
  };

  it('as a key that was revoked', async () => {
    const made = await admin.admin('POST', 'api-keys', { name: 'short-lived', scopes: ['admin'] });
    const { id, key } = made.body.data as { id: string; key: string };
    const answer = await begin({ 'X-API-Key': key });
    expect((await admin.admin('DELETE', `api-keys/${id}`)).status).toBe(200);
    await untilRefused({ 'X-API-Key': key });
    const { lines, isWhole } = await restOf(answer);
    expect([isWhole, lines.includes('"record":"end"')]).toEqual([false, false]);
  });

  it('as a person who has signed out', async () => {
    const invited = await invite(admin, scene.account.id, { role: 'admin' });
    const person = await joinBy(scene.server.url, invited);
    expect((await person.call('auth/confirm', { password: PASSWORD })).status).toBe(200);
    const answer = await begin(person.headers);
    expect((await person.call('auth/sign-out', {})).body.ok).toBe(true);
    await untilRefused(person.headers);
    const { lines, isWhole } = await restOf(answer);
    expect([isWhole, lines.includes('"record":"end"')]).toEqual([false, false]);
  });
});

it('an export that breaks by a fault of ours is in the log with its cause', async () => {
  const answer = await begin({ 'X-API-Key': admin.key });
  // Runs come last, so the answer has begun when they cannot be read.
  await scene.database.pool.query('ALTER TABLE scenario_runs RENAME TO runs_elsewhere');
  try {
    const { lines, isWhole } = await restOf(answer);
    expect([isWhole, lines.includes('"record":"end"')]).toEqual([false, false]);
  } finally {
    await scene.database.pool.query('ALTER TABLE runs_elsewhere RENAME TO scenario_runs');
  }
  const [line] = await eventually(
    async () => {
      const found = logged(scene.server, answer.headers['x-request-id']);
      return found.length > 0 && found;
    },
    5_000,
    'no log line of the fault',
  );
  expect(line).toMatchObject({
    level: 'error',
    err: { message: expect.stringContaining('scenario_runs') as string },
  });
});

it('a reader that leaves is no fault of ours', async () => {
  const answer = await begin({ 'X-API-Key': admin.key });
  const requestId = answer.headers['x-request-id'];
  answer.on('error', () => undefined).destroy();
  // By then the server knows that its reader left.
  expect(await text(await begin({ 'X-API-Key': admin.key }))).toContain('"record":"end"');
  expect(logged(scene.server, requestId)).toEqual([]);
});
