import { AccountFixture } from '../../support/database/fixture';
import { fieldOf, formOf, partOf, UploadClient, type GivenFile } from '../../support/clients/upload.client';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { HTML, image, movingSticker, mp4, MP3, opus, padded, PDF } from '../../support/media.samples';
import { setMediaScene } from '../../support/scenes/media.scene';

const scene = setMediaScene();
const KIB = 1024;
const MIB = 1024 * KIB;

const refusedWith = (code: string, ...paths: string[]) => ({
  ok: false,
  error: { code, ...(paths.length > 0 && { details: paths.map((path) => ({ path })) }) },
});

/** In the long mode only. */
const LARGE: [string, () => Promise<Buffer> | Buffer, number, string][] = [
  ['a video', () => mp4(1), 16 * MIB, 'video'],
  ['audio', () => MP3, 16 * MIB, 'audio'],
  ['a voice message', () => opus(1), 16 * MIB, 'voice'],
  ['a document', () => PDF, 100 * MIB, 'document'],
];

const NOT_ONE_FILE = refusedWith('VALIDATION_ERROR', 'file');
const INVALID = refusedWith('VALIDATION_ERROR', '');

/** Runs what must leave nothing behind: no file, no row, no use of the quota. */
async function leavingNothing<T>(act: () => Promise<T>): Promise<T> {
  const stateOf = async () => {
    const { rows } = await scene.database.pool.query<object>(
      `SELECT (SELECT count(*) FROM media) AS media, (SELECT count(*) FROM media_files) AS files,
              (SELECT sum(bytes) FROM media_usage) AS used`,
    );
    return [rows, (await scene.keptFiles()).sort()];
  };
  const before = await stateOf();
  const result = await act();
  let after: unknown;
  await eventually(
    async () => JSON.stringify((after = await stateOf())) === JSON.stringify(before),
    5_000,
    'something was left behind',
  ).catch(() => undefined);
  expect(after).toEqual(before);
  return result;
}

describe('an uploaded file', () => {
  it.each<[string, () => Promise<Buffer> | Buffer, string, object]>([
    ['a.webp', () => image('webp'), 'image/webp', { kind: 'sticker', width: 40, height: 30 }],
    ['a.ogg', () => opus(7.2), 'audio/ogg', { kind: 'voice', seconds: 8 }],
    ['a.jpg', () => HTML, 'application/octet-stream', { kind: 'document' }],
    [
      'a.docx',
      () => Buffer.from('PK\x03\x04rest'),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      { kind: 'document' },
    ],
  ])('%s is what its bytes say, and is read as it came', async (name, make, mimeType, expected) => {
    const bytes = await make();
    const media = await scene.uploaded({ bytes, name });
    expect(media).toMatchObject({ ...expected, mime_type: mimeType, file_name: name, state: 'stored' });
    const read = await scene.read(media.url);
    expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes);
  });

  it.each<[string, () => Promise<Buffer> | Buffer, number, string]>([
    ['a sticker that moves', movingSticker, 500 * KIB, 'sticker'],
    ...(IS_LONG ? LARGE : []),
  ])(
    'that is %s may have as many bytes as WhatsApp takes, and not one more',
    async (_, make, limit, kind) => {
      const bytes = await make();
      expect(await scene.uploaded({ bytes: padded(bytes, limit) })).toMatchObject({ size: limit });
      const refused = await leavingNothing(() => scene.uploads().upload({ bytes: padded(bytes, limit + 1) }));
      expect([refused.status, refused.body]).toMatchObject([413, refusedWith('PAYLOAD_TOO_LARGE')]);
      expect(refused.body.error.message).toContain(kind);
      expect(refused.body.error.message).toContain(`${limit} bytes`);
    },
  );

  it('has its name without folders, and is kept alone, whatever else its form has', async () => {
    const before = (await scene.keptFiles()).length;
    const bytes = Buffer.concat([PDF, Buffer.from('alone')]);
    const file = partOf({ bytes, name: `..%22/x%0D%0A/Счёт 😀\u202e.pdf` });
    const form = formOf(fieldOf('kind', 'image'), partOf({ bytes: MP3 }, 'a'), file, fieldOf('note', 'я'));
    const { status, body } = await scene.uploads().post(form);
    expect([status, body.data.media]).toMatchObject([
      200,
      { kind: 'document', size: bytes.length, file_name: 'Счёт 😀.pdf' },
    ]);
    expect((await scene.keptFiles()).length).toBe(before + 1);
  });

  it('belongs to its account: for another one it does not exist', async () => {
    const foreign = await AccountFixture.create(scene.database.pool);
    const media = await scene.uploaded({ bytes: PDF });
    expect((await scene.read(media.url, {}, foreign.key)).status).toBe(404);
  });
});

describe('an upload is refused and leaves nothing behind', () => {
  const file: GivenFile = { bytes: PDF, name: 'a.pdf', type: 'application/pdf' };

  it.each<[string, () => ReturnType<UploadClient['post']>, number, object]>([
    [
      'without bytes',
      () => scene.uploads().upload({ bytes: Buffer.alloc(0) }),
      422,
      refusedWith('VALIDATION_ERROR', 'file'),
    ],
    ['with a second file', () => scene.uploads().post(formOf(partOf(file), partOf(file))), 422, NOT_ONE_FILE],
    [
      'without the end of the form',
      () =>
        scene.uploads().post({ ...formOf(partOf(file)), body: formOf(partOf(file)).body.subarray(0, -60) }),
      422,
      INVALID,
    ],
    [
      'without a key',
      () => new UploadClient(scene.server.url, {}).upload(file),
      401,
      refusedWith('UNAUTHORIZED'),
    ],
  ])('%s', async (_, act, status, body) => {
    const answer = await leavingNothing(act);
    expect([answer.status, answer.body]).toMatchObject([status, body]);
  });

  it('when the account’s quota has no room, and equal bytes take none', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    await scene.database.pool.query('UPDATE accounts SET media_quota_bytes = 1000 WHERE id = $1', [
      account.id,
    ]);
    const upload = (bytes: Buffer) => scene.uploads(account.key).upload({ bytes });
    const first = padded(PDF, 600);
    expect((await upload(first)).status).toBe(200);
    expect((await upload(first)).status).toBe(200);
    const refused = await leavingNothing(() => upload(padded(PDF, 401)));
    expect([refused.status, refused.body]).toMatchObject([429, refusedWith('MEDIA_QUOTA_EXCEEDED')]);
    expect((await upload(padded(PDF, 400))).status).toBe(200);
  });

  it('when its connection is cut in the middle', async () => {
    await leavingNothing(async () => {
      const { request } = scene.uploads().begin({
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': '5000000',
      });
      request.on('error', () => undefined);
      request.write(Buffer.concat([Buffer.from('--b\r\n'), partOf({ bytes: Buffer.alloc(300_000) })]));
      const spooled = async () => (await scene.keptFiles()).some((path) => path.includes('.incoming'));
      await eventually(spooled, 5_000, 'nothing was spooled');
      request.destroy();
      await eventually(async () => !(await spooled()), 5_000, 'the temporary file stays');
    });
  });

  it('when nothing more of it comes for 15 seconds', async () => {
    const answer = await leavingNothing(async () => {
      const upload = scene.uploads().begin({
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': '5000000',
      });
      upload.request.on('error', () => undefined);
      upload.request.write(Buffer.concat([Buffer.from('--b\r\n'), partOf({ bytes: Buffer.alloc(300_000) })]));
      const refused = await upload.answer;
      upload.request.destroy();
      return refused;
    });
    expect([answer.status, answer.body]).toMatchObject([422, refusedWith('VALIDATION_ERROR', '')]);
  });

  it('when its key is revoked in the middle', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    const answer = await leavingNothing(async () => {
      const form = formOf(partOf({ bytes: Buffer.alloc(300_000) }));
      const upload = scene.uploads(account.key).begin({
        'content-type': form.type,
        'content-length': String(form.body.length),
      });
      upload.request.write(form.body.subarray(0, 200_000));
      await eventually(
        async () => (await scene.keptFiles()).some((path) => path.includes('.incoming')),
        5_000,
        'nothing was spooled',
      );
      await scene.database.pool.query('UPDATE api_keys SET revoked_at = now() WHERE account_id = $1', [
        account.id,
      ]);
      upload.request.end(form.body.subarray(200_000));
      return upload.answer;
    });
    expect([answer.status, answer.body]).toMatchObject([401, refusedWith('UNAUTHORIZED')]);
  });
});

describe('a person', () => {
  const file: GivenFile = { bytes: PDF, name: 'a.pdf' };

  it('uploads by a session with its CSRF token from an own page, and without either gets 403', async () => {
    const person = await scene.join();
    const { url, cookie, csrfToken } = person;
    const upload = (headers: Record<string, string>) =>
      new UploadClient(url, { Cookie: cookie, ...headers }).upload(file);
    const own = { Origin: url, 'X-CSRF-Token': csrfToken };
    const { body } = await upload(own);
    expect(body.data.media).toMatchObject({ kind: 'document', state: 'stored' });
    const others: Record<string, string>[] = [
      {},
      { Origin: url },
      { ...own, Origin: 'https://evil.example' },
    ];
    for (const headers of others) expect((await upload(headers)).body).toMatchObject(refusedWith('CSRF'));
    expect((await person.call('auth/sign-out', {})).status).toBe(200);
    expect((await upload(own)).status).toBe(401);
  });
});

it('equal bytes of two accounts are kept twice, and each is counted once for its account', async () => {
  const foreign = await AccountFixture.create(scene.database.pool);
  const bytes = await image('webp', 33, 44);
  const first = await scene.stored({ bytes });
  const second = await scene.stored({ bytes });
  expect([second.sha256, second.id === first.id]).toEqual([first.sha256, false]);
  const own = () => scene.keptFiles().then((files) => files.filter((file) => file.endsWith(first.sha256!)));
  expect(await own()).toHaveLength(1);
  const { rows } = await scene.database.pool.query<{ files: number; counted: boolean }>(
    `SELECT (count(*) FILTER (WHERE f.sha256 = $2))::int AS files, sum(f.size) = (SELECT bytes FROM media_usage u WHERE u.account_id = $1) AS counted
       FROM media_files f WHERE f.account_id = $1`,
    [scene.account.id, first.sha256],
  );
  expect(rows).toEqual([{ files: 1, counted: true }]);
  const other = await scene.storedFor(foreign, { bytes });
  expect(other.sha256).toBe(first.sha256);
  expect(await own()).toHaveLength(2);
});

it('an upload that was not sent is for who uploaded it and for admins, a sent one for who sees its message', async () => {
  const foreign = await AccountFixture.create(scene.database.pool);
  const assistant = await scene.account.addAssistant();
  const bot = await scene.account.addBot(undefined, assistant);
  await scene.account.connect('waba_coexistence', { botId: bot });
  const other = await scene.account.addKey({ assistantIds: [assistant], botIds: [bot] });
  const upload = await scene.uploaded({ bytes: await image('png', 21, 22) }, scene.account.key);
  const people = [await scene.join({ role: 'admin' }), await scene.join()];
  const reads = async (): Promise<number[]> => {
    const byKeys = [scene.account.key, other, foreign.key].map((key) => scene.read(upload.url, {}, key));
    const byPeople = people.map(({ cookie }) =>
      fetch(scene.server.url + upload.url, { headers: { Cookie: cookie } }),
    );
    return (await Promise.all([...byKeys, ...byPeople])).map(({ status }) => status);
  };
  expect(await reads()).toEqual([200, 404, 404, 200, 404]);
  const theirs = await scene.account.addThread({ waitingMinutes: 1 }, assistant, bot);
  const refused = await scene.apiAt(0, other).sendFile(theirs, upload.id);
  expect(refused.body.error?.code).toBe('MEDIA_NOT_FOUND');
  const own = await scene.account.addThread({ waitingMinutes: 1 });
  expect((await scene.api.sendFile(own, upload.id)).body.ok).toBe(true);
  expect(await reads()).toEqual([200, 404, 404, 200, 200]);
});

it('an upload, once sent, is seen by its messages only, and by nobody once they are deleted', async () => {
  const assistant = await scene.account.addAssistant();
  const bot = await scene.account.addBot(undefined, assistant);
  const number = await scene.addNumber(scene.account, bot);
  const other = await scene.account.addKey({ assistantIds: [assistant], botIds: [bot] });
  const admin = await scene.join({ role: 'admin' });
  const upload = await scene.uploaded({ bytes: await image('png', 23, 24) }, scene.account.key);
  const reads = async (): Promise<number[]> => {
    const byKeys = [scene.account.key, other].map((key) => scene.read(upload.url, {}, key));
    const byAdmin = fetch(scene.server.url + upload.url, { headers: { Cookie: admin.cookie } });
    return (await Promise.all([...byKeys, byAdmin])).map(({ status }) => status);
  };
  const phone = '77015550123';
  const thread = await scene.account.addThread({ phone: `+${phone}`, waitingMinutes: 1 }, assistant, bot);
  const sent = await admin.call('messages/send-text', { thread_id: thread, media_id: upload.id });
  expect(sent.body.ok).toBe(true);
  expect(await reads()).toEqual([404, 200, 200]);
  const { rows } = await scene.database.pool.query<{ provider_id: string }>(
    'SELECT provider_id FROM messages WHERE media_id = $1',
    [upload.id],
  );
  const revoke = { type: 'revoke', revoke: { original_message_id: rows[0]?.provider_id } };
  await scene.tell(number.echo({ phone }, revoke));
  expect(await reads()).toEqual([404, 404, 404]);
  await scene.database.pool.query('UPDATE media SET uploaded_by = NULL WHERE id = $1', [upload.id]);
  expect(await reads()).toEqual([404, 404, 404]);
});
