import { createHash, randomBytes } from 'node:crypto';
import { ApiClient, type Answer } from '../../support/clients/api.client';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { setErasureScene } from '../../support/scenes/erasure.scene';

const PHONE = '77015550241';
const USER_ID = 'KZ.13491208655302741942';

/** More than one part, and no multiple of three. */
const BYTES = randomBytes(200_000);

const scene = setErasureScene({ stages: [{}, {}] });

interface Line {
  record: string;
  [field: string]: any;
}

const exportOf = (threadId: string, admin: ApiClient = scene.admin): Promise<Answer> =>
  admin.admin('POST', `threads/${threadId}/export`, {});

const linesOf = ({ text }: Answer): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const ofRecord = (lines: Line[], record: string): Line[] => lines.filter((line) => line.record === record);

let threadId: string;

const ofHistory = async (): Promise<{ type: string }[]> => {
  const { body } = await scene.api.getHistory({ thread_id: threadId, limit: 200 });
  return body.data.entries as { type: string }[];
};

beforeAll(async () => {
  const theirs = (content: string | object) =>
    scene.number.message({ phone: PHONE, userId: USER_ID, name: 'Dana at WhatsApp' }, content);
  await scene.model.reply({ text: 'The agent’s words', when: 'Hello' });
  await scene.tell(theirs('Hello'));
  const { id } = await scene.dialog(`+${PHONE}`);
  threadId = `thread_${id}`;
  await scene.untilSaid({ phone: PHONE }, 1);
  scene.both.has('exported-file', BYTES, 'application/octet-stream');
  await scene.tell(
    theirs({
      type: 'document',
      document: { id: 'exported-file', filename: 'contract.bin', caption: 'My contract' },
    }),
    theirs({
      type: 'location',
      location: { latitude: 43.2, longitude: 76.9, name: 'Home', address: 'Abay 1' },
    }),
  );
  await eventually(
    async () => {
      const sql = `SELECT 1 FROM media WHERE account_id = $1 AND state = 'stored'`;
      return (await scene.database.pool.query(sql, [scene.account.id])).rows.length === 1;
    },
    15_000,
    'the file was not stored',
  );
  await scene.api.setName(threadId, 'Dana of Harbour');
  await scene.api.addNote(threadId, 'Prefers mornings');
  await scene.account.addScenario(scene.stage(1), true, [{ kind: 'wait', seconds: 3_600 }]);
  await scene.api.setStatus({ thread_id: threadId, status_id: scene.stage(1) });
  await eventually(
    async () => (await scene.kept.runs(threadId)).length === 1,
    10_000,
    'the scenario did not start',
  );
  // Nothing of it changes while it is compared.
  await scene.untilQuiet(id);
  await eventually(
    async () => (await ofHistory()).some(({ type }) => type === 'scenario'),
    10_000,
    'the history has no scenario',
  );
});

it('is everything that is kept of a customer, a line each, and ends with their numbers', async () => {
  const answer = await exportOf(threadId);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
  ]);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${threadId}.ndjson"`);
  const lines = linesOf(answer);
  expect(lines[0]).toMatchObject({
    record: 'thread',
    thread_id: threadId,
    phone: `+${PHONE}`,
    user_id: USER_ID,
    customer_name: 'Dana of Harbour',
    profile_name: 'Dana at WhatsApp',
    lead_status: { id: scene.stage(1) },
  });
  const { body } = await scene.api.getMessages({ thread_id: threadId, limit: 200 });
  const messages = ofRecord(lines, 'message');
  expect(messages.map(({ record: _, content: __, ...message }) => message)).toEqual(body.data.messages);
  expect(messages.map(({ text }) => text as string)).toEqual(
    expect.arrayContaining(['Hello', 'The agent’s words', 'My contract', 'Prefers mornings']),
  );
  expect(JSON.stringify(messages)).toContain('Abay 1');
  const history = await ofHistory();
  expect(ofRecord(lines, 'history').map(({ record: _, ...entry }) => entry)).toEqual(history);
  expect(ofRecord(lines, 'run')).toMatchObject([{ thread_id: threadId, steps: [{ kind: 'wait' }] }]);
  expect(lines.at(-1)).toEqual({
    record: 'end',
    messages: messages.length,
    media: 1,
    history: history.length,
    runs: 1,
  });
});

it('has the bytes of files, in parts', async () => {
  const parts = ofRecord(linesOf(await exportOf(threadId)), 'media');
  expect(parts.length).toBeGreaterThan(2);
  const places = parts.map(({ part, last }) => ({ part: part as number, last: last as boolean }));
  expect(places).toEqual(parts.map((_, part) => ({ part, last: part === parts.length - 1 })));
  const bytes = Buffer.from(parts.map(({ base64 }) => base64 as string).join(''), 'base64');
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    createHash('sha256').update(BYTES).digest('hex'),
  );
});

it('goes on over many pages', async () => {
  const long = await scene.account.addThread({ statusId: scene.stage(0) });
  await Promise.all(
    Array.from({ length: 250 }, (_, n) => scene.account.addMessage(long, { text: `Message ${n}` })),
  );
  const lines = linesOf(await exportOf(long));
  const ids = ofRecord(lines, 'message').map(({ id }) => id as string);
  expect([ids.length, new Set(ids).size, lines.at(-1)?.messages]).toEqual([250, 250, 250]);
});

it('leaves an entry in the audit before it begins', async () => {
  const answer = await exportOf(threadId);
  const sql = 'SELECT action, subject_type, subject_id, actor_type FROM audit_entries WHERE request_id = $1';
  const { rows } = await scene.database.pool.query(sql, [answer.headers.get('x-request-id')]);
  const subject = { subject_type: 'thread', subject_id: threadId.replace('thread_', '') };
  expect(rows).toEqual([{ action: 'thread.export', ...subject, actor_type: 'key' }]);
});

it('has of an erased customer the skeleton alone', async () => {
  await scene.tell(scene.number.message({ phone: '77015550242', name: 'Sayan' }, 'A secret'));
  const erased = `thread_${(await scene.dialog('+77015550242')).id}`;
  expect((await scene.erase(erased)).status).toBe(200);
  const answer = await exportOf(erased);
  expect(linesOf(answer)[0]).toMatchObject({ phone: null, customer_name: null, profile_name: null });
  expect(answer.text).not.toMatch(/Sayan|A secret|77015550242/);
});

it('is 404 for a dialog that does not exist, without an entry', async () => {
  for (const id of ['thread_019a0000-0000-7000-8000-000000000000', 'nothing']) {
    const { status, body, headers } = await exportOf(id);
    expect([status, body.error.code]).toEqual([404, 'THREAD_NOT_FOUND']);
    const sql = 'SELECT 1 FROM audit_entries WHERE request_id = $1';
    expect((await scene.database.pool.query(sql, [headers.get('x-request-id')])).rows).toEqual([]);
  }
});

it('is refused to keys without the scope admin', async () => {
  const stranger = await AccountFixture.create(scene.database.pool);
  for (const key of [scene.account.key, stranger.key]) {
    const { status, body } = await exportOf(threadId, new ApiClient(scene.server.url, key));
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
  }
});
