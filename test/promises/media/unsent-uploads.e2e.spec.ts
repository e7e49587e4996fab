import type { ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { ApiClient } from '../../support/clients/api.client';
import { addAdminKey } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { FREQUENT_RETENTION } from '../../support/programs/test.limits';
import { untilWaiting } from '../../support/faults/waiting.sessions';
import { PDF } from '../../support/media.samples';
import { setMediaScene, type ShownMedia } from '../../support/scenes/media.scene';

const DEADLINE_MS = 20_000;
const DAYS = 7;
const SENT = IS_LONG ? 60 : 30;
const MANY = IS_LONG ? 20_000 : 4_000;

const scene = setMediaScene({ environment: FREQUENT_RETENTION });

let admin: ApiClient;
let threadId: string;

beforeAll(async () => {
  admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool, { limitGeneral: 100_000 }));
  threadId = await scene.account.addThread({ waitingMinutes: 1 });
});

const query = async <T extends object>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await scene.database.pool.query<T>(sql, values)).rows;

const api = () => scene.apiAt(0, scene.manyCallsKey);
const upload = (bytes: Buffer = Buffer.concat([PDF, randomBytes(1_000)])): Promise<ShownMedia> =>
  scene.uploaded({ bytes, name: 'a.pdf' });
const statusOf = async (media: ShownMedia): Promise<number> =>
  (await scene.read(media.url, {}, scene.manyCallsKey)).status;
const isKept = async ({ sha256 }: ShownMedia): Promise<boolean> =>
  (await scene.keptFiles()).some((path) => path.endsWith(sha256 ?? '?'));
const used = async (): Promise<number> =>
  (await admin.admin('GET', `accounts/${scene.account.id}`)).body.data.media_used_bytes as number;

/** So much time passes for what was uploaded. */
async function pass(days: number, ...uploads: ShownMedia[]): Promise<void> {
  const ids = uploads.map(({ id }) => id);
  await query(
    `UPDATE media SET created_at = created_at - $2 * interval '1 day', due_at = due_at - $2 * interval '1 day' WHERE id = ANY ($1)`,
    ...[ids, days],
  );
  await query(
    `UPDATE media_files SET claim_until = claim_until - $2 * interval '1 day' WHERE sha256 = ANY ($1)`,
    ...[uploads.map(({ sha256 }) => sha256), days],
  );
}

const untilGone = (media: ShownMedia): Promise<boolean> =>
  eventually(async () => (await statusOf(media)) === 404, DEADLINE_MS, 'the upload was left');

/** Waits until uploads that are due by now have been looked at. */
async function untilLookedAt(): Promise<void> {
  const other = await upload();
  await pass(DAYS, other);
  await untilGone(other);
}

const untilNotKept = (media: ShownMedia): Promise<boolean> =>
  eventually(async () => !(await isKept(media)), DEADLINE_MS, 'the file was left in the store');

it('an upload that nobody sends is gone after seven days, with its file and its use of the quota, and not before', async () => {
  const before = await used();
  const [older, newer] = [await upload(), await upload()];
  await pass(DAYS, older);
  await pass(DAYS - 0.01, newer);
  await untilGone(older);
  await untilNotKept(older);
  await eventually(
    async () => (await used()) === before + (newer.size ?? 0),
    DEADLINE_MS,
    'the quota was not given back',
  );
  expect([await statusOf(newer), await isKept(newer)]).toEqual([200, true]);
  const missing = { ...older, url: older.url.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) };
  const bodyOf = async ({ url }: ShownMedia): Promise<object> => {
    const { error } = (await (await scene.read(url, {}, scene.manyCallsKey)).json()) as { error: object };
    return { ...error, request_id: null };
  };
  expect(await bodyOf(older)).toEqual(await bodyOf(missing));
  const sent = await api().sendFile(threadId, older.id);
  expect([sent.status, sent.body.error.code]).toEqual([404, 'MEDIA_NOT_FOUND']);
});

it('an upload that was sent stays with its message', async () => {
  const media = await upload();
  expect((await api().sendFile(threadId, media.id)).status).toBe(200);
  await pass(DAYS + 1, media);
  await untilLookedAt();
  expect([await statusOf(media), await isKept(media)]).toEqual([200, true]);
});

it('those that are due are forgotten, however many, and their table is not read as a whole for it', async () => {
  const { id } = await upload();
  /** Rows that were read without an index. PostgreSQL tells it once a second. */
  const read = async (): Promise<number> => {
    await setTimeout(1_500);
    const [row] = await query<{ n: number }>(
      `SELECT seq_tup_read::int AS n FROM pg_stat_user_tables WHERE relname = 'media'`,
    );
    return row?.n ?? 0;
  };
  const before = await read();
  const holder = await scene.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query(
    `INSERT INTO media (account_id, id, kind, state, sha256, size, mime_type, file_name, due_at)
     SELECT account_id, gen_random_uuid(), kind, state, sha256, size, mime_type, file_name, now() - interval '1 hour'
       FROM media, generate_series(1, $2::int) WHERE id = $1`,
    [id, MANY],
  );
  await holder.query('ANALYZE media');
  await holder.query('COMMIT');
  holder.release();
  const left = () => query('SELECT 1 FROM media WHERE due_at < now() LIMIT 1');
  await eventually(async () => (await left()).length === 0, DEADLINE_MS, 'uploads were left');
  expect((await read()) - before).toBeLessThan(MANY);
});

it('a file stays while another upload or message of the account has the same bytes', async () => {
  const bytes = Buffer.concat([PDF, randomBytes(1_000)]);
  const [unsent, sent] = [await upload(bytes), await upload(bytes)];
  expect((await api().sendFile(threadId, sent.id)).status).toBe(200);
  await pass(DAYS, unsent, sent);
  await untilGone(unsent);
  await untilLookedAt();
  expect([await statusOf(sent), await isKept(sent)]).toEqual([200, true]);
});

it('an upload that is being sent when it comes due keeps its file', async () => {
  const media = await upload();
  await query(`UPDATE media SET due_at = clock_timestamp() + interval '5 seconds' WHERE id = $1`, media.id);
  await query(`UPDATE media_files SET claim_until = clock_timestamp() WHERE sha256 = $1`, media.sha256);
  let held: ServerResponse | undefined;
  scene.files.uploadFaults.push((response) => void (held = response));
  const sending = api().sendFile(threadId, media.id);
  await eventually(() => Promise.resolve(held), DEADLINE_MS, 'the provider was not given the file');
  const comesDue = await upload();
  await query(
    `UPDATE media SET due_at = clock_timestamp() + interval '5 seconds' WHERE id = $1`,
    comesDue.id,
  );
  await untilGone(comesDue);
  held?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'given' }));
  const { status, body, text } = await sending;
  expect([status, text]).toEqual([200, text]);
  const message = await api().getMessage(body.data.id as string);
  expect(message.body.data.media).toMatchObject({ id: media.id, state: 'stored' });
  expect([await statusOf(media), await isKept(media)]).toEqual([200, true]);
});

it('uploads that come due while many are sent are sent with their files, or are missing and nothing is sent', async () => {
  if (IS_LONG) await scene.addServer();
  const uploads = await Promise.all(Array.from({ length: SENT }, () => upload()));
  await pass(DAYS - 1 / 86_400, ...uploads);
  const answers = await Promise.all(
    uploads.map(async (media, place) => {
      // Spread over the time in which they come due.
      await setTimeout((place * 1_800) / SENT);
      return { media, ...(await scene.apiAt(place, scene.manyCallsKey).sendFile(threadId, media.id)) };
    }),
  );
  await untilLookedAt();
  for (const { media, status, body, text } of answers) {
    if (status === 200) expect([await statusOf(media), await isKept(media)]).toEqual([200, true]);
    else expect([status, body.error.code, text]).toEqual([404, 'MEDIA_NOT_FOUND', text]);
  }
  const messages = await query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE media_id = ANY ($1)',
    uploads.map(({ id }) => id),
  );
  expect(messages).toEqual([{ n: answers.filter(({ status }) => status === 200).length }]);
});

it('a process that is killed between forgetting and deleting leaves nothing for good', async () => {
  const media = await upload();
  const before = await used();
  const holder = await scene.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM media_usage WHERE account_id = $1 FOR UPDATE', [scene.account.id]);
  await pass(DAYS, media);
  await untilGone(media);
  await untilWaiting(scene.database.pool, 1);
  await Promise.all(scene.servers.map((server) => server.kill('SIGKILL')));
  scene.servers.length = 0;
  // Its statement that waits would go on otherwise, as one that the kill came after.
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  await eventually(
    async () =>
      (
        await query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).length === 0,
    DEADLINE_MS,
    'statements were left waiting',
  );
  await holder.query('COMMIT');
  holder.release();
  expect(await query('SELECT 1 FROM media_files WHERE sha256 = $1', media.sha256)).toHaveLength(1);
  await query(`UPDATE media_files SET claim_until = clock_timestamp() WHERE sha256 = $1`, media.sha256);
  const { url } = await scene.addServer();
  admin = new ApiClient(url, await addAdminKey(scene.database.pool, { limitGeneral: 100_000 }));
  await untilNotKept(media);
  await eventually(
    async () => (await used()) === before - (media.size ?? 0),
    DEADLINE_MS,
    'the quota was not given back',
  );
});
