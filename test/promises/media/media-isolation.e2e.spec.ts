import { randomUUIDv7 } from 'node:crypto';
import { AccountFixture } from '../../support/database/fixture';
import { image } from '../../support/media.samples';
import { setMediaScene, type ShownMedia } from '../../support/scenes/media.scene';

const scene = setMediaScene();
let media: ShownMedia;
let foreign: AccountFixture;

beforeAll(async () => {
  foreign = await AccountFixture.create(scene.database.pool);
  media = await scene.stored({ type: 'image', bytes: await image('png') });
});

/** An answer as bytes, but for the request's id, the date and the counter. */
async function bytesOf(path: string, key: string): Promise<string> {
  const answer = await scene.read(path, {}, key);
  const varying = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];
  const kept = [...answer.headers].filter(([name]) => !varying.includes(name));
  const text = await answer.text();
  return JSON.stringify([
    answer.status,
    kept,
    text.replaceAll(answer.headers.get('x-request-id') ?? '', 'ID'),
  ]);
}

const pathOf = (id: string, query: string): string => `/api/v1/messages/media/${id}${query}`;

describe.each(['', '?preview=1'])('a file, read with %j', (query) => {
  it('is the same 404, byte for byte, for all who may not see it, as one that does not exist', async () => {
    const strangers = [
      foreign.key,
      await scene.account.addKey({ assistantIds: [], botIds: [] }),
      await scene.account.addKey({ assistantIds: [await scene.account.addAssistant()], botIds: [] }),
    ];
    for (const key of strangers) {
      const missing = await bytesOf(pathOf(randomUUIDv7(), query), key);
      expect(missing).toContain('MEDIA_NOT_FOUND');
      for (const id of [media.id, 'malformed', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '%00', 'ё'.repeat(100)])
        expect(await bytesOf(pathOf(id, query), key)).toBe(missing);
    }
    expect((await scene.read(pathOf(media.id, query))).status).toBe(200);
  });

  it('is shown to nobody without a key', async () => {
    expect((await scene.read(pathOf(media.id, query), {}, '')).status).toBe(401);
    expect((await scene.read(pathOf(media.id, query), {}, 'll_unknown')).status).toBe(401);
  });
});

it('a file is read with the scope messages: a key for leads only is refused', async () => {
  const key = await scene.account.addKey({ scopes: ['leads'] });
  for (const query of ['', '?preview=1'])
    expect((await scene.read(pathOf(media.id, query), {}, key)).status).toBe(403);
});

it('equal bytes of two accounts are kept twice, and each is counted once for its account', async () => {
  const bytes = await image('webp', 33, 44);
  const first = await scene.stored({ bytes });
  const second = await scene.stored({ bytes });
  expect([second.sha256, second.id === first.id]).toEqual([first.sha256, false]);
  const own = () => scene.keptFiles().then((files) => files.filter((file) => file.endsWith(first.sha256!)));
  expect(await own()).toHaveLength(1);
  const { rows } = await scene.database.pool.query<{ files: number; counted: boolean }>(
    `SELECT count(*)::int AS files, sum(f.size) = (SELECT bytes FROM media_usage u WHERE u.account_id = $1) AS counted
       FROM media_files f WHERE f.account_id = $1`,
    [scene.account.id],
  );
  expect(rows).toEqual([{ files: 2, counted: true }]);
  const other = await scene.storedFor(foreign, { bytes });
  expect(other.sha256).toBe(first.sha256);
  expect(await own()).toHaveLength(2);
});

it('an upload stays usable for each key of its account, whoever sent it and wherever', async () => {
  const assistant = await scene.account.addAssistant();
  const bot = await scene.account.addBot(undefined, assistant);
  await scene.account.connect('waba_coexistence', { botId: bot });
  const other = await scene.account.addKey({ assistantIds: [assistant], botIds: [bot] });
  const upload = await scene.uploaded({ bytes: await image('png', 21, 22) }, scene.account.key);
  const theirs = await scene.account.addThread({ waitingMinutes: 1 }, assistant, bot);
  expect((await scene.apiAt(0, other).sendFile(theirs, upload.id)).body.ok).toBe(true);
  expect((await scene.read(upload.url)).status).toBe(200);
  const own = await scene.account.addThread({ waitingMinutes: 1 });
  expect((await scene.api.sendFile(own, upload.id)).body.ok).toBe(true);
  expect((await scene.read(upload.url, {}, foreign.key)).status).toBe(404);
});
