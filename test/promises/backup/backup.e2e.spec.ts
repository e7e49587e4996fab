import { randomUUIDv7 } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import disk from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { backUp } from '@app/domain/backup/backup.service';
import { restore, type RestoredBackup } from '@app/domain/backup/restore.service';
import { BackupFileReader, BackupFileWriter } from '@app/integrations/backup/backup-file';
import { MediaFolderSource, MediaFolderTarget } from '@app/integrations/backup/media-files';
import { Database, WorkDatabase } from '@app/persistence/database/database.service';
import { Heartbeat } from '@app/persistence/work/heartbeat';
import { SendQueueRepository } from '@app/persistence/messages/batches/send-queue.repository';
import { EndpointQueueRepository } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { metricsOf } from '../../support/clients/metrics.reader';
import { TransferClient } from '../../support/clients/transfer.client';
import { UploadClient } from '../../support/clients/upload.client';
import { addAdminKey } from '../../support/database/fixture';
import { everyRowOf } from '../../support/database/database.dump';
import { describeSchema } from '../../support/database/schema.description';
import { CLUSTERS, createDatabase, type TestDatabase } from '../../support/database/test.database';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { CommandProcess } from '../../support/programs/command.process';
import { outcomeOf, type Outcome } from '../../support/programs/program.outcome';
import type { ServerProcess } from '../../support/programs/server.process';
import { untilTaken } from '../../support/faults/held.webhooks';
import { injected } from '../../support/faults/injected.faults';
import { ENDPOINT_TIMES, FREQUENT_RETENTION, limits } from '../../support/programs/test.limits';
import { RowLock } from '../../support/faults/row.lock';
import { newCustomer, setReplyScene } from '../../support/scenes/reply.scene';
import { newPhone, newPhones } from '../../support/scenes/send.scene';
import { ANSWERS, EndpointReceiver } from '../../support/stand-ins/endpoint.receiver';
import { cloudBody, postCloud } from '../../support/stand-ins/cloud.webhooks';

const LISTED = 5;
const MOVED = 30;
/** Between two moves of the load. */
const THINKING_MS = 20;
/** A chunk of the import that is half taken in, and half another one. */
const IMPORTED = 150;
const CHUNK = 100;
/** As many as a column of a board shows at most. */
const CARDS = 100;

const folder = mkdtempSync(join(tmpdir(), 'leadline-backup-'));
const MEDIA = join(folder, 'media');
const FILE = join(folder, 'leadline.backup');
const commandOf = (name: string): string => `apps/server/src/commands/${name}.command.js`;

/** Keeps the rest of the import from being taken in. */
let rest: RowLock | null = null;
const letRestGo = async (): Promise<void> => {
  const lock = rest;
  rest = null;
  await lock?.release();
};
afterAll(letRestGo);

/** What failed at an endpoint is sent again when a test says so. */
const ENDPOINTS = {
  ...injected('on-this-machine'),
  ...ENDPOINT_TIMES,
  ...FREQUENT_RETENTION,
  ...limits({ 'webhookRetries.retriesMs': [3_600_000] }),
};

const scene = setReplyScene({
  stages: [{}, {}, {}, {}],
  environment: { MEDIA_DIR: MEDIA, ...ENDPOINTS },
});
const databases: TestDatabase[] = [];

async function emptyDatabase(version?: string): Promise<TestDatabase> {
  const database = await createDatabase(version, { empty: true });
  databases.push(database);
  return database;
}

/** What was in the database when it was backed up. */
let customers: { answered: string; waiting: string; listed: string[]; inRun: string; sending: string };
let inRun: string;
let moved: string[];
let imported: string[];
let endpoint: EndpointReceiver;
let restored: TestDatabase;

const run = (command: string, url: string, ...args: string[]): Promise<Outcome> =>
  outcomeOf(commandOf(command), args, { DATABASE_URL: url, MEDIA_DIR: MEDIA });

/** As the command does, in this process. */
async function restoreInto({ url }: TestDatabase, path: string, media?: string): Promise<RestoredBackup> {
  const file = await BackupFileReader.open(path, () => undefined);
  const files = media === undefined ? null : new MediaFolderTarget(media);
  return restore(url, file, files, () => undefined);
}

/** All keys, without what a restore ends of them. */
const keysOf = async ({ pool }: TestDatabase): Promise<{ key: { revoked_at: string | null } }[]> =>
  (
    await pool.query<{ key: { revoked_at: string | null } }>(
      `SELECT to_jsonb(k) - '{old_key_hash,old_key_expires_at}'::text[] AS key FROM api_keys k ORDER BY id`,
    )
  ).rows;

const tablesOf = async ({ pool }: TestDatabase): Promise<number> =>
  (await pool.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`)).rows.length;

const ask = (text: string, values: unknown[] = []) => scene.database.pool.query(text, values);

/** An answered dialog, a reply that is due, a list, a run that waits, a message that a killed process was sending. */
async function fill(): Promise<void> {
  const [answered, waits] = [newCustomer(), newCustomer()];
  await scene.model.reply({ text: 'Мы открыты.' });
  await scene.write(answered, 'Вы открыты?');
  await scene.untilSaid(answered, 1);
  await ask('UPDATE assistants SET reply_delay_ms = 600000');
  await scene.write(waits, 'Есть ли доставка?');
  const listed = newPhones(LISTED);
  await ask(`UPDATE bot_channels SET paused_until = clock_timestamp() + interval '1 day'`);
  const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
  void scene.api
    .sendTemplate({ ...order, to: [...listed, newPhone()].map((phone) => ({ phone })) })
    .catch(() => undefined);
  const isListed = async () =>
    (await ask(`SELECT 1 FROM messages WHERE status = 'queued'`)).rows.length === LISTED + 1;
  await eventually(isListed, 5_000, 'the list was not stored');
  const phone = newPhone();
  inRun = await scene.account.addThread({ phone });
  await scene.account.addScenario(scene.stage(3), true, [
    { kind: 'wait', seconds: 3_600 },
    { kind: 'send_template', template_id: 'order_ready' },
  ]);
  await scene.api.setStatus({ thread_id: inRun, status_id: scene.stage(3) });
  const waitsForTime = async () =>
    (await ask(`SELECT 1 FROM scenario_runs WHERE state = 'waiting'`)).rows.length === 1;
  await eventually(waitsForTime, 5_000, 'the run does not wait');
  const uploads = new UploadClient(scene.server.url, { 'X-API-Key': scene.account.key });
  expect((await uploads.upload({ bytes: Buffer.from('%PDF-1.4 a bill'), name: 'bill.pdf' })).status).toBe(
    200,
  );
  await scene.join();
  await scene.invite();
  await scene.account.addKey({ revokedAt: new Date() });
  await ask(
    `UPDATE api_keys SET old_key_hash = sha256(convert_to(id::text, 'UTF8')), old_key_expires_at = now() + interval '1 day'`,
  );
  moved = [];
  for (let n = 0; n < MOVED; n++) {
    const thread_id = await scene.account.addThread();
    await scene.api.setStatus({ thread_id, status_id: scene.stage(0) });
    moved.push(thread_id);
  }
  customers = {
    answered: `+${answered.phone}`,
    waiting: `+${waits.phone}`,
    listed,
    inRun: phone,
    sending: await takeOne(listed),
  };
  await addEndpoint();
  await addImport();
}

/** An endpoint that has had one event, and has failed at another one. */
async function addEndpoint(): Promise<void> {
  endpoint = await EndpointReceiver.start();
  const admin = new ApiClient(scene.server.url, await addAdminKey(scene.database.pool));
  const settings = { account_id: scene.account.id, url: endpoint.url, events: ['lead.ai_switched'] };
  endpoint.secret = String((await admin.admin('POST', 'webhook-endpoints', settings)).body.data.secret);
  const switchOff = async (): Promise<void> => {
    const thread = await scene.account.addThread();
    expect((await scene.api.setAi(thread, false)).status).toBe(200);
  };
  const heard = (count: number) =>
    eventually(async () => endpoint.events.length === count, 10_000, 'the endpoint was not called');
  await switchOff();
  await heard(1);
  endpoint.next.push(ANSWERS.fail);
  await switchOff();
  await heard(2);
  const isNoted = async () =>
    (await ask(`SELECT 1 FROM endpoint_deliveries WHERE attempts <> '[]'`)).rows.length === 2;
  await eventually(isNoted, 5_000, 'the attempts were not kept');
}

/** An import of which one chunk is taken in: somebody holds a dialog of the next one. */
async function addImport(): Promise<void> {
  imported = newPhones(IMPORTED);
  rest = await RowLock.take(scene.database, await scene.account.addThread({ phone: imported.at(-1) }));
  const client = new TransferClient(scene.api);
  const { assistantId, botId } = scene.account;
  const rows = imported.map((phone, n) => `${phone},${scene.stage(n % 3)}`);
  const { body } = await client.import(['phone,status', ...rows].join('\n'), {
    ...{ assistant_id: assistantId, bot_id: botId, channel: 'waba_coexistence' },
  });
  const isHalf = async () => (await client.get(body.data.import_id as string)).body.data.done === CHUNK;
  await eventually(isHalf, 10_000, 'the first rows were not taken in');
}

/** A message of the list is as one that a killed process was sending, until the claim's end. @returns its phone */
async function takeOne(listed: readonly string[]): Promise<string> {
  const { rows } = await ask(
    `UPDATE messages SET status = 'sending', claim_token = gen_random_uuid(), claim_until = clock_timestamp() + interval '1 hour'
      WHERE id = (SELECT id FROM messages WHERE status = 'queued' AND NOT recipient = ANY ($1)) RETURNING recipient`,
    [listed],
  );
  return (rows[0] as { recipient: string }).recipient;
}

/** Does something while a backup stands still at a table in the middle of the alphabet. */
async function whileItWaits(act: () => Promise<void>): Promise<void> {
  const lock = await scene.database.pool.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE media_usage');
    await eventually(() => isWaiting(scene.database, 'leadline backup'), 15_000, 'the backup did not wait');
    await act();
  } finally {
    await lock.query('ROLLBACK');
    lock.release();
  }
}

beforeAll(() => fill());

afterAll(async () => {
  await endpoint?.stop();
  await Promise.all(databases.map((database) => database.drop()));
  rmSync(folder, { recursive: true, force: true });
});

describe('a backup', () => {
  it('that is killed leaves no file under its name', async () => {
    const killed = new CommandProcess(commandOf('backup'), ['--out', FILE], {
      DATABASE_URL: scene.database.url,
      MEDIA_DIR: MEDIA,
    });
    await whileItWaits(() => killed.kill());
    expect(readdirSync(folder)).not.toContain('leadline.backup');
  });

  it('is one snapshot, however much changes meanwhile, and says what is in it', async () => {
    let moves = 0;
    let isOver = false;
    const load = (async () => {
      for (; !isOver; moves += 1) {
        const thread_id = moved[moves % MOVED] ?? '';
        await scene.api.setStatus({ thread_id, status_id: scene.stage(moves % 3) });
        await pause(THINKING_MS);
      }
    })();
    const backup = run('backup', scene.database.url, '--out', FILE);
    // It has read the events, and not yet the dialogs.
    await whileItWaits(async () => {
      const before = moves;
      await eventually(async () => moves > before + MOVED, 20_000, 'nobody moved anything');
    });
    const outcome = await backup;
    isOver = true;
    await load;
    await letRestGo();
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(
      /^Wrote \S+leadline\.backup \([\d.]+ KiB\): \d+ rows and 1 files of \S+media, as of \S+Z\.\n$/,
    );
    restored = await emptyDatabase();
    const back = await run('restore', restored.url, '--from', FILE, '--media', join(folder, 'restored'));
    expect(back).toMatchObject({ code: 0, stderr: '' });
    const { rows } = await restored.pool.query(
      `SELECT t.version::int, max(e.version)::int AS newest FROM threads t
         JOIN events e ON e.account_id = t.account_id AND e.thread_id = t.id
        WHERE t.id = ANY ($1) GROUP BY t.account_id, t.id`,
      [moved.map(uuidOf)],
    );
    expect(rows).toHaveLength(MOVED);
    for (const row of rows as { version: number; newest: number }[]) expect(row.newest).toBe(row.version);
  });

  it('does not replace a file', async () => {
    const before = readFileSync(FILE);
    const refused = `${FILE} is there already: name another file.`;
    await expect(BackupFileWriter.create(FILE)).rejects.toThrow(refused);
    expect(readFileSync(FILE).equals(before)).toBe(true);
  });
});

describe('a restore', () => {
  it.each(CLUSTERS.map(({ name }) => name))(
    'gives every row of every table back on PostgreSQL %s, the schema, the numbers and the files',
    async (version) => {
      const quiet = join(folder, `quiet-${version}.backup`);
      const copy = await emptyDatabase(version);
      const media = join(folder, `media-${version}`);
      // Nothing changes between the backup and the comparison.
      await scene.server.kill('SIGSTOP');
      const written = await BackupFileWriter.create(quiet);
      await backUp(scene.database.url, '1.0.0', written, new MediaFolderSource(MEDIA), () => undefined);
      const was = await everyRowOf(scene.database.pool);
      const wereGood = await keysOf(scene.database);
      await scene.server.kill('SIGCONT');
      expect(await restoreInto(copy, quiet, media)).toMatchObject({ files: 1, leftOut: [], warnings: [] });
      const is = await everyRowOf(copy.pool);
      // What a restore adds: the hold, and an event of each funnel.
      const { sending_holds: hold, events = '', figure_positions: _positions, migrations, ...all } = is;
      const {
        sending_holds: none,
        events: before = '',
        figure_positions: _former,
        migrations: ran,
        ...formerly
      } = was;
      // What it ends: sessions, links, and former secrets of keys.
      const { user_sessions: sessions, invitations: links, api_keys: _keys, ...rest } = all;
      const { user_sessions: open, invitations: good, api_keys: _rotated, ...former } = formerly;
      expect(rest).toEqual(former);
      expect([open, good]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
      expect(sessions?.split('\n')).toHaveLength(open?.split('\n').length ?? 0);
      expect(links).toBe('');
      const keys = await keysOf(copy);
      expect(keys).toEqual(wereGood);
      expect(keys.filter(({ key }) => key.revoked_at !== null)).toHaveLength(1);
      const { rows: left } = await copy.pool.query(
        `SELECT (SELECT count(*)::int FROM user_sessions WHERE ended_at IS NULL) AS sessions,
                (SELECT count(*)::int FROM api_keys WHERE old_key_hash IS NOT NULL) AS old_keys`,
      );
      expect(left).toEqual([{ sessions: 0, old_keys: 0 }]);
      expect([hold?.length, none]).toEqual([expect.any(Number), '']);
      expect(migrations?.split('\n')).toHaveLength(ran?.split('\n').length ?? 0);
      const known = new Set(before.split('\n'));
      const added = events.split('\n').filter((row) => !known.delete(row));
      expect([known.size, added]).toEqual([0, [expect.stringContaining(',funnel,')]]);
      expect(await describeSchema(copy.pool)).toBe(await describeSchema(scene.database.pool));
      const { rows } = await copy.pool.query(
        `SELECT (SELECT max(id)::int FROM replies) AS newest, nextval(pg_get_serial_sequence('replies', 'id'))::int AS next`,
      );
      const [{ newest, next }] = rows as [{ newest: number; next: number }];
      expect(next).toBe(newest + 1);
      expect(filesOf(media)).toEqual(filesOf(MEDIA));
    },
  );

  it('refuses a file of which any byte has changed, or the end is missing, before it does anything', async () => {
    const whole = readFileSync(FILE);
    const damaged = join(folder, 'damaged.backup');
    const places = [
      0,
      9,
      700,
      Math.floor(whole.length / 2),
      whole.length - 100,
      whole.length - 40,
      whole.length - 1,
    ];
    for (const place of places) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
      writeFileSync(damaged, bytes);
      await expect(BackupFileReader.open(damaged, () => undefined)).rejects.toThrow(/is no whole backup/);
    }
    for (const length of [0, 60, whole.length - 1, whole.length - 500]) {
      writeFileSync(damaged, whole.subarray(0, length));
      await expect(BackupFileReader.open(damaged, () => undefined)).rejects.toThrow(/is no whole backup/);
    }
    const empty = await emptyDatabase();
    const outcome = await run('restore', empty.url, '--from', damaged, '--without-files');
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/is no whole backup/) });
    expect(await tablesOf(empty)).toBe(0);
  });

  it('refuses a database that is not empty, and a folder with files, and changes neither', async () => {
    const before = await everyRowOf(restored.pool);
    await expect(restoreInto(restored, FILE)).rejects.toThrow(/is not empty: it has/);
    expect(await everyRowOf(restored.pool)).toEqual(before);
    const empty = await emptyDatabase();
    await expect(restoreInto(empty, FILE, MEDIA)).rejects.toThrow(/is not empty\. Files that/);
    expect(await tablesOf(empty)).toBe(0);
    expect(filesOf(MEDIA)).toHaveLength(1);
  });

  it('refuses a database to which a process is connected that was left running', async () => {
    const empty = await emptyDatabase();
    const left = new Client({ connectionString: empty.url, application_name: 'leadline listener' });
    await left.connect();
    try {
      await expect(restoreInto(empty, FILE)).rejects.toThrow(/is used by .* stop /);
    } finally {
      await left.end();
    }
    expect(await tablesOf(empty)).toBe(0);
  });

  it('that is killed leaves the database empty, and is simply done again', async () => {
    const target = await emptyDatabase();
    const media = join(folder, 'killed');
    // It stands still when the rows are there, before the first index is made again.
    await target.pool.query(`
      CREATE FUNCTION stand_still() RETURNS event_trigger LANGUAGE plpgsql AS $$
      DECLARE filled boolean := false;
      BEGIN
        IF to_regclass('threads') IS NOT NULL THEN EXECUTE 'SELECT EXISTS (SELECT FROM threads)' INTO filled; END IF;
        IF filled THEN PERFORM pg_advisory_xact_lock(7); END IF;
      END $$`);
    await target.pool.query(
      `CREATE EVENT TRIGGER stands_still ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION stand_still()`,
    );
    const lock = await target.pool.connect();
    await lock.query('SELECT pg_advisory_lock(7)');
    const killed = new CommandProcess(commandOf('restore'), ['--from', FILE, '--media', media], {
      DATABASE_URL: target.url,
    });
    await eventually(() => isWaiting(target, 'leadline restore'), 20_000, 'the restore did not wait');
    await killed.kill();
    await lock.query('SELECT pg_advisory_unlock(7)');
    lock.release();
    await target.pool.query('DROP EVENT TRIGGER stands_still');
    // Its commit is what fails next.
    await target.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room is left'; END $$;
      CREATE FUNCTION plant() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF to_regclass('sending_holds') IS NOT NULL AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'refused') THEN
          CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON sending_holds DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION refuse();
        END IF;
      END $$;
      CREATE EVENT TRIGGER planted ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION plant()`);
    await expect(restoreInto(target, FILE, media)).rejects.toThrow('no room is left');
    expect(await tablesOf(target)).toBe(0);
    // What ANALYZE meets in another schema of the database.
    await target.pool.query(`
      DROP EVENT TRIGGER planted;
      CREATE SCHEMA other;
      CREATE FUNCTION other.odd(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n';
      CREATE TABLE other.things AS SELECT 1 AS n;
      CREATE INDEX ON other.things (other.odd(n));
      CREATE OR REPLACE FUNCTION other.odd(n int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RAISE 'odd'; END $$`);
    const again = await run('restore', target.url, '--from', FILE, '--media', media);
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^The database is whole, .*\(odd\)\n$/),
    });
    expect(filesOf(media)).toEqual(filesOf(MEDIA));
  });
});

describe('a folder of files that a killed restore left half filled', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is emptied by the next one, however often that is killed meanwhile', async () => {
    const half = join(folder, 'half-filled');
    const files = ['one', 'two', '.restoring', 'three', 'four', 'five'];
    // Killed before its first, its second, its third … step.
    for (let steps = 0; steps <= files.length; steps++) {
      rmSync(half, { recursive: true, force: true });
      mkdirSync(half);
      for (const name of files) writeFileSync(join(half, name), name);
      const { rm } = disk;
      let done = 0;
      jest.spyOn(disk, 'rm').mockImplementation(async (...given) => {
        if (done++ === steps) throw new Error('killed');
        return rm(...given);
      });
      await new MediaFolderTarget(half).begin().catch(() => undefined);
      jest.restoreAllMocks();
      await new MediaFolderTarget(half).begin();
      expect(filesOf(half)).toEqual(['.restoring']);
    }
  });
});

describe('after a restore', () => {
  let server: ServerProcess;
  let api: ApiClient;
  let sentBefore: number;
  let readBefore: number;
  let heardBefore: number;
  /** A customer's message, as the provider names it. */
  let readWhileHeld: string;

  beforeAll(async () => {
    // The number's pause is over, and the times of the reply and of the run have come.
    await restored.pool.query('UPDATE bot_channels SET paused_until = NULL');
    await restored.pool.query(`UPDATE replies SET due_at = clock_timestamp() WHERE state = 'due'`);
    await restored.pool.query(
      `UPDATE scenario_runs SET next_at = clock_timestamp(), due_since = due_since - interval '1 hour',
              progress = jsonb_set(progress, '{0,until}', to_jsonb(clock_timestamp())) WHERE state = 'waiting'`,
    );
    await restored.pool.query('UPDATE scenario_queues SET due_at = clock_timestamp()');
    await restored.pool.query(
      `UPDATE endpoint_deliveries SET due_at = clock_timestamp() WHERE state = 'pending'`,
    );
    // The lease of the process that was lost is over.
    await restored.pool.query('UPDATE endpoint_queues SET lease_until = clock_timestamp()');
    await restored.pool.query(
      `INSERT INTO imports (account_id, id, assistant_id, bot_id, channel, dry_run, start_scenarios, set_by, actor, state,
         created_at, finished_at)
       VALUES ($1, gen_random_uuid(), $2, $3, 'waba_coexistence', false, false, 'SYSTEM', '{}', 'done',
         clock_timestamp() - interval '40 days', clock_timestamp() - interval '31 days')`,
      [scene.account.id, scene.account.assistantId, scene.account.botId],
    );
    heardBefore = endpoint.events.length;
    sentBefore = scene.provider.ledger.length;
    readBefore = scene.provider.reads.length;
    server = await scene.addServer({ MEDIA_DIR: join(folder, 'restored'), ...ENDPOINTS }, restored.url);
    api = new ApiClient(server.url, scene.account.key);
  });

  it('nothing goes out, and the service says so', async () => {
    const admin = new ApiClient(server.url, await addAdminKey(restored.pool));
    const isDue = async () => {
      const { queues } = (await admin.admin('GET', 'work')).body.data as {
        queues: { name: string; due: number }[];
      };
      const due = Object.fromEntries(queues.map((queue) => [queue.name, queue.due]));
      return (
        due['send-queues'] === LISTED && due.replies === 1 && due.scenarios === 1 && due['webhooks-out'] === 1
      );
    };
    await eventually(isDue, 10_000, 'what is held is not due');
    // What comes in is taken in meanwhile.
    const late = newCustomer();
    await postCloud(server, cloudBody([scene.number.message(late, 'Здравствуйте')]));
    await untilTaken(restored.pool);
    const [thread] = (await api.getThreads({ phones: [`+${late.phone}`] })).body.data.threads;
    const [message] = (await api.getMessages({ thread_id: thread.thread_id })).body.data.messages;
    const read = { thread_id: thread.thread_id, up_to: message.id, tell_customer: true };
    expect((await api.markRead(read)).body.data).toMatchObject({ changed: true, unread_count: 0 });
    readWhileHeld = message.message_id;
    const { body } = await admin.admin('GET', 'work');
    expect(body.data.sending_held_since).toEqual(expect.any(String));
    const ready = await fetch(`${server.url}/health/ready`);
    expect(await ready.json()).toMatchObject({ data: { status: 'ready', sending: 'held' } });
    expect(await metricsOf(server)).toMatch(/^leadline_sending_held 1$/m);
    expect(server.output()).toMatch(/Sending is held: .*npm run db:resume-sending/);
    expect(scene.provider.ledger).toHaveLength(sentBefore);
    expect(scene.provider.reads).toHaveLength(readBefore);
    expect(endpoint.events).toHaveLength(heardBefore);
    expect(await importedNow()).toBe(CHUNK + 1);
    expect(await isOldThere()).toBe(true);
  });

  it('what a person or a program would send is refused, and nothing is stored', async () => {
    const count = async () => (await restored.pool.query('SELECT 1 FROM messages')).rows.length;
    const before = await count();
    const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const phone = newPhone();
    for (const answer of [
      await api.sendTemplate({ ...order, to: { phone } }),
      await api.sendTemplate({ ...order, to: [{ phone }] }),
      await api.call('messages/send-text', { thread_id: inRun, text: 'Здравствуйте' }),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([503, 'UNAVAILABLE']);
      expect(answer.headers.get('retry-after')).toBe('60');
    }
    expect(await count()).toBe(before);
    expect(scene.provider.ledger).toHaveLength(sentBefore);
    const admin = new ApiClient(server.url, await addAdminKey(restored.pool));
    const { bot_id, channel } = order;
    const draft = { bot_id, channel, name: 'held', category: 'utility', body: 'Здравствуйте' };
    const { id } = (await admin.admin('POST', 'templates', draft)).body.data;
    const submitted = await admin.admin('POST', `templates/${String(id)}/submit`, {});
    expect([submitted.status, submitted.body.error.code]).toEqual([503, 'UNAVAILABLE']);
    expect((await admin.admin('GET', `templates/${String(id)}`)).body.data.status).toBe('draft');
    const { webhook_endpoints: endpoints } = (await admin.admin('GET', 'webhook-endpoints')).body.data;
    const tested = await admin.admin('POST', `webhook-endpoints/${endpoints[0].id}/test`, {});
    expect([tested.status, tested.body.error.code]).toEqual([503, 'UNAVAILABLE']);
    expect(endpoint.events).toHaveLength(heardBefore);
  });

  it('a board that saw what was lost shows what is there', async () => {
    const { assistantId, key } = scene.account;
    const model = new BoardModel();
    const lost = await BoardClient.connect(scene.server.url, { api_key: key });
    await lost.show(model, assistantId, CARDS);
    for (const [n, thread_id] of moved.entries())
      await scene.api.setStatus({ thread_id, status_id: scene.stage(n % 2 ? 2 : 0) });
    await model.untilEqual(scene.database.pool, assistantId);
    lost.close();
    const { rows } = await restored.pool.query(
      `SELECT min(seq)::float8 AS seq FROM events WHERE type = 'funnel'`,
    );
    const { rows: kept } = await restored.pool.query(
      'SELECT max(seq)::float8 AS seq FROM events WHERE seq < $1',
      [seqOf(rows)],
    );
    // One of the numbers that the lost database gave; the restored one gives more numbers than that.
    model.seq = seqOf(kept) + 5;
    for (const thread_id of moved.slice(0, 10)) await api.setStatus({ thread_id, status_id: scene.stage(1) });
    const board = await BoardClient.connect(server.url, { api_key: key });
    await board.show(model, assistantId, CARDS);
    await model.untilEqual(restored.pool, assistantId);
    board.close();
  });

  it('without a terminal and --yes the command changes nothing, and tells what is held', async () => {
    const outcome = await run('resume-sending', restored.url);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: 'Nothing was changed. Without a terminal, agree by --yes.\n',
    });
    expect(outcome.stdout).toContain(
      `- ${LISTED} queued messages: are sent; ${LISTED} of them may be sent twice\n`,
    );
    expect(outcome.stdout).toMatch(/- 1 runs of scenarios: go on\n/);
    expect((await restored.pool.query('SELECT 1 FROM sending_holds')).rows).toHaveLength(1);
    expect(await run('resume-sending', restored.url, '--discard', 'letters')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Usage: /),
    });
  });

  it('each goes out once when a person says so, and nothing that was sent or begun before', async () => {
    await restored.pool.query(`UPDATE messages SET claim_until = clock_timestamp() WHERE status = 'sending'`);
    await restored.pool.query('UPDATE imports SET lease_until = clock_timestamp()');
    await scene.model.reply({ text: 'Да, доставка есть.' });
    const outcome = await run('resume-sending', restored.url, '--yes');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/Sending goes on\. All processes know within a second\.\n$/);
    const { listed, inRun: runs, waiting: asked, answered, sending } = customers;
    for (const phone of [...listed, runs, asked])
      await eventually(
        () => Promise.resolve(scene.provider.sendsTo(phone).length > 0),
        15_000,
        `${phone} got nothing`,
      );
    const open = `SELECT 1 FROM messages WHERE status IN ('queued', 'sending')
                  UNION ALL SELECT 1 FROM scenario_runs WHERE finished_at IS NULL
                  UNION ALL SELECT 1 FROM replies WHERE state = 'due' AND due_at < clock_timestamp()`;
    const isQuiet = async () => (await restored.pool.query(open)).rows.length === 0;
    await eventually(isQuiet, 15_000, 'something was left');
    for (const phone of [...listed, runs, asked, answered])
      expect([phone, scene.provider.sendsTo(phone).length]).toEqual([phone, 1]);
    const hears = async () => endpoint.events.length > heardBefore;
    await eventually(hears, 10_000, 'the endpoint was not called');
    const [delivered, failed] = endpoint.events;
    expect(endpoint.events.map(({ id, accepted }) => [id, accepted])).toEqual([
      [delivered?.id, true],
      [failed?.id, false],
      [failed?.id, true],
    ]);
    await eventually(async () => (await importedNow()) === IMPORTED, 10_000, 'the import did not go on');
    await eventually(async () => !(await isOldThere()), 10_000, 'what expired was kept');
    // Whose message was marked as read while sending was held was not told, then or since.
    expect(scene.provider.reads).not.toContain(readWhileHeld);
    expect(scene.provider.sendsTo(sending)).toEqual([]);
    const { rows } = await restored.pool.query('SELECT status FROM messages WHERE recipient = $1', [sending]);
    expect(rows).toEqual([{ status: 'unknown' }]);
    const ready = await fetch(`${server.url}/health/ready`);
    expect(await ready.json()).toMatchObject({ data: { sending: 'on' } });
    const again = await run('resume-sending', restored.url, '--discard', 'messages', '--yes');
    expect(again).toEqual({ code: 0, stdout: 'Sending is not held.\n', stderr: '' });
  });

  it('a process that is sending a list as the hold comes sends no more of it', async () => {
    await restored.pool.query('UPDATE bot_channels SET messages_per_second = 1, revision = revision + 1');
    const order = { bot_id: scene.account.botId, channel: 'waba_coexistence', template_id: 'order_ready' };
    const phones = newPhones(LISTED);
    const sentOf = () => phones.filter((phone) => scene.provider.sendsTo(phone).length > 0).length;
    const list = api.sendTemplate({ ...order, to: phones.map((phone) => ({ phone })) });
    await eventually(async () => sentOf() > 0, 10_000, 'nothing was sent');
    await restored.pool.query('INSERT INTO sending_holds (id, backup_at) VALUES (1, now())');
    const isLeft = async () =>
      (await restored.pool.query('SELECT 1 FROM bot_channels WHERE lease_token IS NOT NULL')).rows.length ===
      0;
    await eventually(isLeft, 15_000, 'the queue is still served');
    const { rows } = await restored.pool.query(`SELECT 1 FROM messages WHERE status = 'queued'`);
    expect([rows.length > 0, rows.length]).toEqual([true, LISTED - sentOf()]);
    await restored.pool.query('UPDATE bot_channels SET messages_per_second = NULL, revision = revision + 1');
    await restored.pool.query('DELETE FROM sending_holds');
    await eventually(async () => sentOf() === LISTED, 15_000, 'the list did not go on');
    expect((await list).status).toBe(200);
    for (const phone of phones) expect(scene.provider.sendsTo(phone)).toHaveLength(1);
  });

  it('what a person discards does not go out', async () => {
    const copy = await emptyDatabase();
    await restoreInto(copy, FILE);
    await copy.pool.query(`UPDATE messages SET claim_until = clock_timestamp() WHERE status = 'sending'`);
    await copy.pool.query(
      `UPDATE endpoint_deliveries SET due_at = clock_timestamp() WHERE state = 'pending'`,
    );
    expect(await gotBefore(copy)).toEqual([0, 0, 0]);
    const { rows: holds } = await copy.pool.query('DELETE FROM sending_holds RETURNING backup_at');
    expect(await gotBefore(copy)).toEqual([1, 1, 1]);
    await copy.pool.query('INSERT INTO sending_holds (id, backup_at) VALUES (1, $1)', [
      (holds[0] as { backup_at: Date }).backup_at,
    ]);
    const outcome = await run(
      'resume-sending',
      copy.url,
      '--yes',
      '--discard',
      'messages,replies,runs,webhooks,imports',
    );
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const { rows } = await copy.pool.query(
      `SELECT (SELECT count(*)::int FROM messages WHERE status = 'failed') AS failed,
              (SELECT count(*)::int FROM messages WHERE status = 'queued') AS queued,
              (SELECT count(*)::int FROM replies WHERE state = 'due') AS replies,
              (SELECT count(*)::int FROM endpoint_deliveries WHERE state = 'skipped') AS skipped,
              (SELECT count(*)::int FROM endpoint_queues WHERE seq < (SELECT max(seq) FROM events)) AS behind,
              (SELECT count(*)::int FROM scenarios WHERE cancel_before IS NULL OR wake_at IS NULL) AS scenarios,
              (SELECT array_agg(state) FROM imports) AS imports`,
    );
    expect(rows).toEqual([
      { failed: LISTED, queued: 0, replies: 0, skipped: 1, behind: 0, scenarios: 0, imports: ['cancelled'] },
    ]);
  });
});

/** How much a process gets that took an endpoint and a number before it knows of a hold: a delivery, the number, a message. */
async function gotBefore({ pool }: TestDatabase): Promise<number[]> {
  const [token, { id: accountId, botId }] = [randomUUIDv7(), scene.account];
  const statements = new Database(pool, new InFlightLimiter(1));
  const endpoints = new EndpointQueueRepository(statements, new WorkDatabase(pool));
  const queues = new SendQueueRepository(statements, new WorkDatabase(pool), new Heartbeat());
  const { rows } = await pool.query(
    `UPDATE endpoint_queues SET lease_token = $1 RETURNING endpoint_id,
       (SELECT min(id::text) FROM messages WHERE status = 'queued') AS message`,
    [token],
  );
  const [{ endpoint_id: endpointId, message }] = rows as [{ endpoint_id: string; message: string }];
  const held = { accountId, endpointId, token };
  const next = await endpoints.nextDeliveries(held, { ids: [], threadIds: [] }, 1);
  const queue = { accountId, botId, channel: 'waba_coexistence' as const };
  const number = await queues.take(queue, token, 1);
  const { rows: leased } = await pool.query(
    `UPDATE bot_channels SET lease_token = $1, lease_until = clock_timestamp() + interval '1 minute', paused_until = NULL
      WHERE account_id = $2 AND bot_id = $3 RETURNING revision`,
    [token, accountId, botId],
  );
  const lease = { token, ...(leased[0] as { revision: number }) };
  const claimed = await queues.claim(queue, lease, [message], token, 1_000);
  await queues.putBackAll(queue, token);
  await queues.leave(queue, token);
  return [next?.due.length ?? 0, number ? 1 : 0, claimed.length];
}

/** How many phones of the import's file have a dialog. */
const importedNow = async (): Promise<number> =>
  (await restored.pool.query('SELECT 1 FROM threads WHERE contact = ANY ($1)', [imported])).rows.length;

/** Whether what expired long ago was kept. */
const isOldThere = async (): Promise<boolean> =>
  (await restored.pool.query(`SELECT 1 FROM imports WHERE created_at < now() - interval '39 days'`)).rows
    .length > 0;

const seqOf = (rows: unknown[]): number => (rows[0] as { seq: number }).seq;

const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

const isWaiting = async ({ pool }: TestDatabase, application: string): Promise<boolean> =>
  (
    await pool.query(
      `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1 AND wait_event_type = 'Lock'`,
      [application],
    )
  ).rows.length > 0;
