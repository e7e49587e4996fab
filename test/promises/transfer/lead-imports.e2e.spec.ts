import { randomUUIDv7 } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BoardClient } from '../../support/clients/board.client';
import { beginReading, restOf } from '../../support/clients/slow.reader';
import { encoded, TransferClient, type ImportFields } from '../../support/clients/transfer.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { refusalOf } from '../../support/clients/refusal.expectation';
import { PASSWORD } from '../../support/clients/session.client';
import { setScene } from '../../support/scenes/base.scene';

const scene = setScene({
  stages: [{ name: 'Новый' }, { name: 'В работе' }, { name: 'Оплачено' }, { name: 'Тихо', aiEnabled: false }],
});
let client: TransferClient;

beforeAll(async () => {
  await scene.account.connect();
  client = new TransferClient(scene.api);
});

const fields = (further: ImportFields = {}): ImportFields => ({
  assistant_id: scene.account.assistantId,
  bot_id: scene.account.botId,
  channel: 'waba_coexistence',
  ...further,
});

let phones = 0;
/** A phone that no other test has. */
const newPhone = (): string => `+7705${String((phones += 1)).padStart(7, '0')}`;

type Thread = Record<string, any>;

const threadsOf = async (...wanted: string[]): Promise<Thread[]> => {
  const { threads } = (await scene.api.getThreads({ phones: wanted, limit: 200 })).body.data as {
    threads: Thread[];
  };
  return wanted.flatMap((phone) => threads.filter((thread) => thread.phone === phone));
};

const historyOf = async (thread: string): Promise<Thread[]> =>
  (await scene.api.getHistory({ thread_id: thread })).body.data.entries as Thread[];

const rowsOf = async (sql: string, values: unknown[] = []): Promise<Thread[]> =>
  (await scene.database.pool.query<Thread>(sql, values)).rows;

const violationsOf = async (csv: string | Buffer, given: ImportFields): Promise<unknown> => {
  const { status, body } = await client.import(csv, given);
  expect([status, body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
  return body.error.details;
};

describe('an import', () => {
  it('opens dialogs, moves, names and assigns those that are there, and tells what it could not take', async () => {
    const [fresh, bare, known, same, silent] = Array.from({ length: 5 }, newPhone) as [string, ...string[]];
    const person = await scene.account.addUser({ name: 'Айгерим Сеит' });
    await scene.account.addThread({ phone: known, statusId: scene.stage(0) });
    await scene.account.addThread({ phone: same, statusId: scene.stage(1) });
    await scene.account.addThread({ phone: silent, optedOut: true });
    const csv = [
      'phone,name,status,assignee',
      `${fresh},"Аида, оптом",в РАБОТЕ,${person}@example.com`,
      `${bare},,,`,
      `${known},,${scene.stage(2)},айгерим сеит`,
      `${same},,В работе,`,
      `${silent},Не беспокоить,Оплачено,`,
      '',
      `${fresh},Снова,,`,
      '12,,,',
      `${newPhone()},,Нигде,никто`,
    ].join('\r\n');
    const started = await client.import(csv, fields());
    expect([started.status, Object.keys(started.body.data as object)]).toEqual([200, ['import_id']]);
    const ended = await client.ended(started.body.data.import_id as string);
    expect(ended).toMatchObject({
      ...{ state: 'done', failure: null, rows: 8, done: 8, created: 2, moved: 2, unchanged: 1, faulty: 3 },
      ...{ channel: 'WABA_COEXISTENCE', dry_run: false, would_start: null, finished_at: expect.any(String) },
      faults: [
        {
          ...{ row: 8, column: 'phone', reason: 'duplicate', values: { row: 2 } },
          message: 'is the phone of row 2, which counts',
        },
        { row: 9, reason: 'too_short', message: expect.stringContaining('too few digits') },
        { row: 10, column: 'status', reason: 'no_stage', message: 'is no stage of the agent' },
        { row: 10, column: 'assignee', reason: 'nobody', message: expect.stringContaining('is nobody') },
      ],
    });
    expect(
      await threadsOf(fresh, bare as string, known as string, same as string, silent as string),
    ).toMatchObject([
      {
        customer_name: 'Аида, оптом',
        lead_status: { name: 'В работе' },
        status_set_by: 'SYSTEM',
        assignee: { id: person },
      },
      {
        customer_name: null,
        lead_status: null,
        assignee: null,
        last_message: null,
        waiting: false,
        ai_enabled: true,
      },
      { lead_status: { name: 'Оплачено' }, assignee: { id: person, name: 'Айгерим Сеит' } },
      { lead_status: { name: 'В работе' } },
      {
        customer_name: 'Не беспокоить',
        lead_status: { name: 'Оплачено' },
        ai_enabled: false,
        opted_out: true,
      },
    ]);
    const [opened] = await threadsOf(fresh);
    const call = { by: 'SYSTEM', actor: { type: 'key' }, request_id: started.headers.get('x-request-id') };
    expect(await historyOf(opened?.thread_id as string)).toMatchObject([
      { ...call, type: 'assignee', from: null, to: { id: person } },
      { ...call, type: 'name', from: null, to: 'Аида, оптом' },
      { ...call, type: 'status', from: null, to: { name: 'В работе' } },
    ]);
    expect(await rowsOf('SELECT 1 FROM messages m WHERE m.account_id = $1', [scene.account.id])).toEqual([]);
    // The same file again changes nothing.
    const again = await client.done(csv, fields());
    expect(again).toMatchObject({ created: 0, moved: 0, unchanged: 5, faulty: 3 });
  });

  // Each encoding and each sign between cells is shown beside the reader (`csv-lead-files.spec.ts`).
  it('reads a file as spreadsheets save it, in an encoding of its own with semicolons between its cells', async () => {
    const phone = newPhone();
    const csv = `Телефон;Имя;Статус\r\n${phone};"Ёжик; в, тумане";ОПЛАЧЕНО`;
    await client.done(encoded(csv, 'windows-1251'), fields());
    expect(await threadsOf(phone)).toMatchObject([
      { customer_name: 'Ёжик; в, тумане', lead_status: { name: 'Оплачено' } },
    ]);
  });

  it('reads names of Western Europe as they are, and wants to be told what the words do not tell', async () => {
    const [jose, juergen, both] = [newPhone(), newPhone(), newPhone()];
    await client.done(encoded(`phone,name\n${jose},José\n${juergen},Jürgen Groß`, 'windows-1252'), fields());
    expect((await threadsOf(jose, juergen)).map((thread) => thread.customer_name as string)).toEqual([
      'José',
      'Jürgen Groß',
    ]);
    const mixed = Buffer.concat([
      encoded(`phone,name,city\n${both},Айгерим,`, 'windows-1251'),
      encoded('Málaga', 'windows-1252'),
    ]);
    const before = await rowsOf('SELECT id FROM imports WHERE account_id = $1', [scene.account.id]);
    for (const encoding of [{}, { encoding: 'auto' }] as ImportFields[])
      expect(await violationsOf(mixed, fields(encoding))).toMatchObject([
        {
          path: 'encoding',
          reason: 'not_sure',
          message: expect.stringContaining('windows-1251, windows-1252'),
        },
      ]);
    expect(await violationsOf(mixed, fields({ encoding: 'koi8-r' }))).toMatchObject([{ path: 'encoding' }]);
    expect(await rowsOf('SELECT id FROM imports WHERE account_id = $1', [scene.account.id])).toEqual(before);
    await client.done(mixed, fields({ encoding: 'windows-1251' }));
    expect(await threadsOf(both)).toMatchObject([{ customer_name: 'Айгерим' }]);
  });

  it('reads phones in the country of the account, else of the bot’s number, and takes no other number', async () => {
    const setCountry = (country: string | null): Promise<unknown> =>
      rowsOf('UPDATE accounts SET default_country = $2 WHERE id = $1', [scene.account.id, country]);
    const csv = [
      'phone',
      '0084912340001',
      '84912340002',
      '852 9123 0003',
      '85512345678',
      '+44 (0)7911 123456',
    ];
    const further = ['\u202a+77025550010\u202c', '705 999 00 06', '"7,70E+10"', 'none', '07911 123457'];
    const faults = (given: { faults: { row: number; reason: string }[] }): unknown[] =>
      given.faults.map(({ row, reason }) => [row, reason]);
    const checked = await client.done([...csv, ...further].join('\n'), fields());
    expect(faults(checked)).toEqual([
      ...[
        [3, 'ambiguous'],
        [4, 'not_valid'],
        [5, 'not_valid'],
        [9, 'not_valid'],
        [10, 'letters'],
      ],
      [11, 'too_long'],
    ]);
    const read = ['+84912340001', '+447911123456', '+77025550010', '+77059990006'];
    expect((await threadsOf(...read)).map(({ phone }) => phone as string)).toEqual(read);
    await setCountry('GB');
    expect(await client.done('phone\n07911 123457', fields())).toMatchObject({ created: 1, faults: [] });
    expect(await threadsOf('+447911123457')).toHaveLength(1);
    await setCountry(null);
  });

  it('is on every board as it goes, and its end is told to the log once', async () => {
    const board = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    await board.open(scene.account.assistantId);
    // More than one transaction takes in.
    const wanted = Array.from({ length: 110 }, newPhone);
    const ended = await client.done(
      `phone,status\n${wanted.map((phone) => `${phone},Новый`).join('\n')}`,
      fields(),
    );
    expect(ended).toMatchObject({ created: wanted.length, faulty: 0 });
    const moved = (): unknown[] =>
      board.events.flatMap((event) =>
        event.event === 'card.moved' && wanted.includes(event.card.phone ?? '') ? [event.card.phone] : [],
      );
    await eventually(async () => moved().length >= wanted.length, 5_000, 'the board did not hear of all');
    expect(moved().sort()).toEqual(wanted.sort());
    expect(board.resyncs).toEqual([]);
    board.socket.close();
    const told = await rowsOf(
      `SELECT thread_id, assistant_id, body FROM events WHERE body ->> 'import_id' = $1`,
      [ended.import_id],
    );
    expect(told).toEqual([
      {
        thread_id: '00000000-0000-0000-0000-000000000000',
        assistant_id: scene.account.assistantId,
        body: expect.objectContaining({
          by: 'SYSTEM',
          bot_id: scene.account.botId,
          channel: 'waba_coexistence',
          state: 'done',
          actor: expect.objectContaining({ type: 'key' }),
        }),
      },
    ]);
    // Nothing of the rows is kept.
    expect(await rowsOf('SELECT 1 FROM import_chunks WHERE import_id = $1', [ended.import_id])).toEqual([]);
  });

  it('follows the rules of stages, and starts scenarios only where it is asked to', async () => {
    const stage = await scene.account.addStages(scene.account.assistantId, [{ name: 'Оператору' }]);
    await rowsOf(`UPDATE statuses SET on_enter = 'operator' WHERE id = $1`, stage);
    const scenario = await scene.account.addScenario(stage[0] as string);
    const [first, second] = [newPhone(), newPhone()];
    const runs = (): Promise<Thread[]> =>
      rowsOf('SELECT 1 FROM scenario_runs WHERE scenario_id = $1', [scenario]);
    await client.done(`phone,status\n${first},оператору`, fields());
    expect(await runs()).toEqual([]);
    expect(await threadsOf(first)).toMatchObject([
      { message_handler: 'OPERATOR', takeover_until: expect.any(String) },
    ]);
    const [thread] = await threadsOf(first);
    expect((await historyOf(thread?.thread_id as string)).map(({ type }) => type as string)).toEqual([
      'handler',
      'status',
    ]);
    await client.done(`phone,status\n${first},Новый`, fields());
    await client.done(
      `phone,status\n${first},оператору\n${second},оператору`,
      fields({ start_scenarios: 'true' }),
    );
    expect(await runs()).toHaveLength(2);
  });

  it('changes nothing with dry_run, and tells what it would do', async () => {
    const [stage] = await scene.account.addStages(scene.account.assistantId, [{ name: 'Рассылка' }]);
    await scene.account.addScenario(stage as string, true, [
      { kind: 'send_text', text: 'Здравствуйте' },
      { kind: 'send_text', text: 'Вы здесь?' },
    ] as never);
    const [known, there, fresh] = [newPhone(), newPhone(), newPhone()];
    await scene.account.addThread({ phone: known });
    await scene.account.addThread({ phone: there, statusId: stage });
    const csv = `phone,name,status\n${known},Имя,Рассылка\n${there},,Рассылка\n${fresh},,Рассылка\nx,,`;
    const before = await threadsOf(known, there, fresh);
    const counts = { state: 'done', created: 1, moved: 1, unchanged: 1, faulty: 1 };
    const tried = await client.done(csv, fields({ dry_run: 'true', start_scenarios: 'true' }));
    expect(tried).toMatchObject({ ...counts, dry_run: true, would_start: { runs: 2, messages: 4 } });
    expect(await client.done(csv, fields({ dry_run: 'true' }))).toMatchObject({
      would_start: { runs: 0, messages: 0 },
    });
    expect(await threadsOf(known, there, fresh)).toEqual(before);
    expect(before).toHaveLength(2);
    expect(await client.done(csv, fields())).toMatchObject({ ...counts, would_start: null });
  });

  it('of a file without rows is done at once', async () => {
    const { body } = await client.import('phone,name\n', fields());
    expect((await client.get(body.data.import_id as string)).body.data).toMatchObject({
      state: 'done',
      rows: 0,
      done: 0,
    });
  });

  it('reads the columns and the fields that it knows, and names the columns that it does not', async () => {
    const phone = newPhone();
    const csv = `city,Имя,Телефон,,age,note\nАлматы,Аида,${phone},,30,`;
    const ended = await client.done(csv, fields({ tag: 'x', city: 'y' }));
    expect(ended).toMatchObject({ created: 1, faulty: 0, ignored_columns: ['city', 'age', 'note'] });
    expect(await threadsOf(phone)).toMatchObject([{ customer_name: 'Аида' }]);
    const known = await client.done(`phone\n${phone},,`, fields());
    expect(known).toMatchObject({ unchanged: 1, ignored_columns: [] });
  });

  it('takes in all other rows of a file where the quotes of one are misplaced', async () => {
    const csv = [
      ...['phone,name,status', `${newPhone()},"Ромашка" ТОО,`, `${newPhone()},Анна,`],
      ...[`${newPhone()},"Лютик",`, `${newPhone()},Борис,Нет такого`],
    ].join('\n');
    const ended = await client.done(csv, fields());
    expect(ended).toMatchObject({ rows: 4, created: 2, faulty: 2 });
    expect(ended.faults.map(({ row, reason }) => [row, reason])).toEqual([
      [2, 'malformed_quotes'],
      [5, 'no_stage'],
    ]);
  });

  it('tells as many faults as it is asked for', async () => {
    const ended = await client.done(`phone\n${'x\n'.repeat(250)}`, fields());
    expect(ended.faults.map(({ row }) => row)).toEqual(Array.from({ length: 250 }, (_, n) => n + 2));
    const few = await client.get(ended.import_id, { faults_limit: 3 });
    expect(few.body.data).toMatchObject({ faulty: 250, faults: [{ row: 2 }, { row: 3 }, { row: 4 }] });
  });
});

describe('a file or a form that cannot be used', () => {
  it('is refused with the reason, and leaves nothing', async () => {
    const was = await rowsOf('SELECT id FROM imports');
    const csv = `phone\n${newPhone()}`;
    const found = '"name", "city"';
    expect(await violationsOf('name,city\n1,2', fields())).toEqual([
      {
        ...{ path: 'file', reason: 'no_phone_column', values: { found } },
        message: expect.stringContaining(found),
      },
    ]);
    expect(await violationsOf(`phone,name\n${newPhone()},a\n1,"b`, fields())).toMatchObject([
      { path: 'file', reason: 'open_quote', values: { row: 3 } },
    ]);
    expect(
      await violationsOf(csv, fields({ dry_run: 'yes', channel: 'telegram', bot_id: 'x' })),
    ).toMatchObject(['bot_id', 'channel', 'dry_run'].map((path) => ({ path })));
    expect(await violationsOf(csv, {})).toMatchObject(
      ['assistant_id', 'bot_id', 'channel'].map((path) => ({ path })),
    );
    expect(await violationsOf(csv, fields({ channel: 'waba' }))).toMatchObject([{ path: 'channel' }]);
    const other = await scene.account.addAssistant();
    const key = await scene.account.addKey({ assistantIds: [scene.account.assistantId, other] });
    const { body } = await client.import(csv, fields({ assistant_id: other }), { 'X-API-Key': key });
    expect(body.error.details).toMatchObject([{ path: 'bot_id' }]);
    expect(await rowsOf('SELECT id FROM imports')).toEqual(was);
  });

  it('is not kept open, however much of it was not read', async () => {
    const descriptors = `/proc/${scene.server.pid}/fd`;
    const openFiles = (): string[] =>
      readdirSync(descriptors)
        .map((name) => readlinkSync(join(descriptors, name)))
        .filter((path) => path.endsWith('(deleted)'));
    const was = openFiles();
    for (let n = 0; n < 3; n += 1)
      expect(await violationsOf(`name\n${'x\n'.repeat(100_000)}`, fields())).toMatchObject([
        { reason: 'no_phone_column' },
      ]);
    expect(openFiles()).toEqual(was);
  });
});

describe('an import that is under way', () => {
  /** One of which nothing is taken in: its time has not come. */
  async function waiting(rows: object[]): Promise<string> {
    const id = randomUUIDv7();
    const { account } = scene;
    await rowsOf(
      `INSERT INTO imports (account_id, id, assistant_id, bot_id, channel, dry_run, start_scenarios, set_by, actor, state,
         rows, due_at) VALUES ($1, $2, $3, $4, 'waba_coexistence', false, false, 'SYSTEM', $5, 'running', $6, 'infinity')`,
      [
        account.id,
        id,
        account.assistantId,
        account.botId,
        { type: 'key', id: 'a', name: 'key' },
        rows.length,
      ],
    );
    await rowsOf(
      'INSERT INTO import_chunks (account_id, import_id, first_row, rows) VALUES ($1, $2, 2, $3)',
      [...[account.id, id, JSON.stringify(rows)]],
    );
    return id;
  }
  const begin = (id: string): Promise<Thread[]> =>
    rowsOf('UPDATE imports SET due_at = now() WHERE id = $1', [id]);
  const rowOf = (phone: string, row = 2): object => ({ row, phone, contact: phone });

  it('is cancelled once, keeps nothing of its rows, and leaves an entry in the audit', async () => {
    const phone = newPhone();
    const id = await waiting([rowOf(phone)]);
    const cancelled = await client.cancel(id);
    expect(cancelled.body.data).toMatchObject({
      state: 'cancelled',
      rows: 1,
      done: 0,
      finished_at: expect.any(String),
    });
    expect((await client.cancel(id)).body.data).toEqual(cancelled.body.data);
    expect(await rowsOf('SELECT 1 FROM import_chunks WHERE import_id = $1', [id])).toEqual([]);
    expect(await threadsOf(phone)).toEqual([]);
    expect(await rowsOf('SELECT action, after FROM audit_entries WHERE subject_id = $1', [id])).toEqual([
      { action: 'import.cancel', after: { state: 'cancelled', rows: 1, done: 0 } },
    ]);
    expect(
      await rowsOf(`SELECT body ->> 'state' AS state FROM events WHERE body ->> 'import_id' = $1`, [id]),
    ).toEqual([{ state: 'cancelled' }]);
  });

  it('opens no dialog any more for a customer who was erased meanwhile', async () => {
    const [erased, other] = [newPhone(), newPhone()];
    const thread = await scene.account.addThread({ phone: erased });
    const id = await waiting([{ ...rowOf(erased), name: 'Секретное имя' }, rowOf(other, 3)]);
    expect((await scene.admin.call(`admin/threads/${thread}/erase`, {})).status).toBe(200);
    const [chunk] = await rowsOf('SELECT rows::text FROM import_chunks WHERE import_id = $1', [id]);
    expect(chunk?.rows).not.toMatch(new RegExp(`Секретное|${erased.slice(1)}`));
    await begin(id);
    expect(await client.ended(id)).toMatchObject({
      ...{ state: 'done', created: 1, faulty: 1 },
      faults: [
        {
          ...{ row: 2, column: null, reason: 'erased' },
          values: {},
          message: expect.stringContaining('erased'),
        },
      ],
    });
    expect(await threadsOf(erased, other)).toMatchObject([{ phone: other }]);
  });

  it('fails where its bot has another agent by now, and where the service fails at it again and again', async () => {
    const bot = await scene.account.addBot();
    const other = await scene.account.addAssistant();
    const key = await scene.account.addKey({ botIds: [bot, scene.account.botId] });
    const own = new TransferClient(scene.apiAt(0, key));
    const [moved, broken] = [
      await waiting([rowOf(newPhone())]),
      await waiting([{ ...rowOf(newPhone()), status: 7 }]),
    ];
    await rowsOf('UPDATE bots SET assistant_id = $2 WHERE id = $1', [bot, other]);
    await rowsOf('UPDATE imports SET bot_id = $2 WHERE id = $1', [moved, bot]);
    await rowsOf('UPDATE imports SET failures = 9 WHERE id = $1', [broken]);
    await begin(moved);
    await begin(broken);
    expect(await own.ended(moved)).toMatchObject({ state: 'failed', failure: 'agent_changed', done: 0 });
    expect(await own.ended(broken)).toMatchObject({ state: 'failed', failure: 'internal', done: 0 });
  });
});

describe('an export', () => {
  const all = { format: 'csv' };
  const asked = (further: object): object => ({
    ...all,
    assistant_id: scene.account.assistantId,
    ...further,
  });
  const linesOf = async (further: object): Promise<string[]> => {
    const { status, text } = await client.export(asked(further));
    expect(status).toBe(200);
    return text.split('\r\n').filter((line) => line !== '');
  };

  it('has the leads that the filters of get-threads find, each once, as CSV or as the dialogs of get-threads', async () => {
    const wanted = [newPhone(), newPhone(), newPhone()];
    await client.done(
      `phone,name,status\n${wanted.map((phone, n) => `${phone},Имя ${n},Оплачено`).join('\n')}`,
      fields(),
    );
    const csv = wanted.map((phone, n) => `${phone},Имя ${n},Оплачено,`);
    expect((await linesOf({ phones: wanted })).sort()).toEqual([...csv, 'phone,name,status,assignee'].sort());
    expect(await linesOf({ phones: wanted, status_id: null })).toEqual(['phone,name,status,assignee']);
    expect(await linesOf({ phones: wanted, search: '!!' })).toEqual(['phone,name,status,assignee']);
    const ndjson = await client.export(asked({ format: 'ndjson', phones: wanted }));
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const listed = (await threadsOf(...wanted)).map(({ url: _, ...thread }) => thread);
    const told = ndjson.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Thread);
    expect(wanted.map((phone) => told.find((thread) => thread.phone === phone))).toEqual(listed);
    expect(told).toHaveLength(3);
  });

  it('takes user ids, dialogs and who needs a person as get-threads does, and refuses what that refuses', async () => {
    const { account } = scene;
    const [one, other] = [newPhone(), newPhone()];
    const userId = `KZ.${one.slice(1)}`;
    const [thread] = [await account.addThread({ phone: one }), await account.addThread({ phone: other })];
    await rowsOf(
      `UPDATE threads SET attention = 'model', attention_since = now() WHERE account_id = $1 AND contact = $2`,
      [account.id, one],
    );
    await rowsOf(
      `INSERT INTO thread_addresses (account_id, bot_id, channel, address, thread_id)
       SELECT account_id, bot_id, channel, $3, id FROM threads WHERE account_id = $1 AND contact = $2`,
      [account.id, one, userId],
    );
    const found = async (filter: object): Promise<(string | undefined)[]> =>
      (await linesOf(filter)).slice(1).map((line) => line.split(',')[0]);
    expect(await found({ user_ids: [userId] })).toEqual([one]);
    expect(await found({ thread_ids: [thread] })).toEqual([one]);
    expect(await found({ phones: [one, other], needs_person: true })).toEqual([one]);
    const missing = `thread_${randomUUIDv7()}`;
    const unknown = await client.export(asked({ thread_ids: [thread, missing] }));
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'THREAD_NOT_FOUND' } } });
    for (const filter of [{ user_ids: ' ' }, { thread_ids: [1] }, { needs_person: 'x' }])
      expect((await client.export(asked(filter))).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('loses no lead when it is imported again: names of people lead back to them, and names of customers can be read', async () => {
    const { account } = scene;
    const unseen = [await account.addAssistant()];
    const people = [
      await account.addUser({ name: 'Гульнара', assistantIds: unseen }),
      await account.addUser({ name: 'Гульнара' }),
      await account.addUser({ name: 'Марат', assistantIds: unseen }),
      await account.addUser({ name: 'Ержан', disabled: true }),
    ];
    const names = [`Аида\n\u202E=${'я'.repeat(198)}🦔`, 'Алия', '\u200b\u2066', ' \t@дом '];
    const wanted = people.map(newPhone);
    for (const [n, phone] of wanted.entries()) {
      await account.addThread({ phone });
      await rowsOf(
        'UPDATE threads SET assignee_id = $3, customer_name = $4 WHERE account_id = $1 AND contact = $2',
        [account.id, phone, people[n], names[n]],
      );
    }
    const { text } = await client.export(asked({ phones: wanted }));
    expect(text).toContain(`${wanted[1]},Алия,,Гульнара\r\n`);
    await rowsOf('DELETE FROM threads WHERE account_id = $1 AND contact = ANY ($2)', [account.id, wanted]);
    expect(await client.done(text, fields())).toMatchObject({ created: wanted.length, faulty: 0 });
    const read = [`Аида  =${'я'.repeat(193)}`, 'Алия', null, '@дом'];
    expect(await threadsOf(...wanted)).toMatchObject(
      people.map((id, n) => ({ customer_name: read[n], assignee: { id } })),
    );
    expect(await client.done(text, fields())).toMatchObject({ unchanged: wanted.length, faulty: 0 });
    const byName = await client.done(`phone,assignee\n${newPhone()},Марат\n${newPhone()},Ержан`, fields());
    expect(byName.faults).toMatchObject([{ reason: 'nobody' }, { reason: 'disabled_person' }]);
  });

  it('has more leads than a page of it, and no erased customer', async () => {
    const gone = newPhone();
    const thread = await scene.account.addThread({ phone: gone });
    const { account } = scene;
    await rowsOf(
      `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, phone)
         SELECT $1, gen_random_uuid(), $2, $3, 'waba_coexistence', p, p FROM unnest($4::text[]) p`,
      [account.id, account.assistantId, account.botId, Array.from({ length: 620 }, newPhone)],
    );
    expect((await scene.admin.call(`admin/threads/${thread}/erase`, {})).status).toBe(200);
    const [stored] = await rowsOf(
      'SELECT count(*)::int AS n FROM threads WHERE account_id = $1 AND erased_at IS NULL',
      [scene.account.id],
    );
    const lines = await linesOf({});
    expect([lines.length - 1, new Set(lines).size]).toEqual([stored?.n, lines.length]);
    expect(lines.join('\n')).not.toContain(gone);
  });

  it('needs the password again of a person, is in the audit, and is of the own agents alone', async () => {
    const person = await scene.join();
    const filter = { status_kind: 'active', phones: ['+77010000001'], search: 'nobody' };
    const body = asked(filter);
    expect((await person.call('leads/export', body)).body.error.code).toBe('CONFIRM_REQUIRED');
    await person.call('auth/confirm', { password: PASSWORD });
    const { status, headers } = await person.call('leads/export', body);
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="leads.csv"']);
    expect(
      await rowsOf(
        `SELECT subject_id, after FROM audit_entries WHERE actor_id = $1 AND action = 'lead.export'`,
        [person.userId],
      ),
    ).toEqual([
      {
        subject_id: scene.account.assistantId,
        after: { format: 'csv', filter: { status_kind: 'active', phones: 1, search: true }, count: 0 },
      },
    ]);
    const exported = async (given: object): Promise<{ lines: number; count: unknown }> => {
      const { text } = await person.call('leads/export', asked(given));
      const [latest] = await rowsOf(
        `SELECT after FROM audit_entries WHERE actor_id = $1 AND action = 'lead.export' ORDER BY at DESC LIMIT 1`,
        [person.userId],
      );
      return { lines: text.trim().split('\n').length - 1, count: (latest!.after as { count: number }).count };
    };
    const phones = [newPhone(), newPhone(), newPhone()];
    for (const phone of phones) await scene.account.addThread({ phone });
    expect(await exported({ phones: phones.slice(1) })).toEqual({ lines: 2, count: 2 });
    const [dialogs] = await rowsOf(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE erased_at IS NULL)::int AS living
         FROM threads WHERE account_id = $1 AND assistant_id = $2`,
      [scene.account.id, scene.account.assistantId],
    );
    // Erased customers are counted, and do not come.
    expect(await exported({})).toEqual({ lines: dialogs?.living, count: dialogs?.all });
    const stranger = await AccountFixture.create(scene.database.pool);
    const other = new TransferClient(scene.apiAt(0, stranger.key));
    expect((await other.export(body)).body.error.code).toBe('ASSISTANT_NOT_FOUND');
    expect((await client.export(asked({ format: 'xlsx' }))).body.error.details).toMatchObject([
      { path: 'format' },
    ]);
  });
});

describe('an agent that is taken from a caller', () => {
  /** More than the buffers on the way from the server to its reader hold. */
  const LEADS = 200;
  const NAME = 160_000;
  /** What is taken away is taken away within this time. */
  const TAKEN_WITHIN_MS = 1_000;
  let taken: string;
  let itsBot: string;

  beforeAll(async () => {
    taken = await scene.account.addAssistant();
    itsBot = await scene.account.addBot(undefined, taken);
    await scene.account.connect('waba_coexistence', { botId: itsBot });
    for (let n = 0; n < LEADS; n++) await scene.account.addThread({ phone: newPhone() }, taken, itsBot);
    await rowsOf(`UPDATE threads SET customer_name = repeat('n', $2) WHERE assistant_id = $1`, [taken, NAME]);
  });

  const issue = async (): Promise<{ id: string; headers: Record<string, string> }> => {
    const { body } = await scene.admin.admin('POST', 'api-keys', {
      ...{ account_id: scene.account.id, name: 'short-lived', scopes: ['leads', 'messages'] },
      ...{ assistant_ids: [scene.account.assistantId, taken], bot_ids: [scene.account.botId, itsBot] },
    });
    const { id, key } = body.data as { id: string; key: string };
    return { id, headers: { 'X-API-Key': key } };
  };

  const take = async (whose: string, headers: Record<string, string>, from: object): Promise<void> => {
    expect((await scene.admin.admin('PATCH', whose, from)).status).toBe(200);
    const begun = performance.now();
    const call = (): Promise<Response> =>
      fetch(`${scene.server.url}/api/v1/leads/get-statuses`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ assistant_id: taken }),
      });
    const isTaken = async () => (await call()).status !== 200 && performance.now() - begun > TAKEN_WITHIN_MS;
    await eventually(isTaken, TAKEN_WITHIN_MS + 4_000, 'it still sees the agent');
  };

  const others = (): object => ({ assistant_ids: [scene.account.assistantId] });
  const reading = (headers: Record<string, string>) =>
    beginReading(`${scene.server.url}/api/v1/leads/export`, headers, {
      ...{ assistant_id: taken, format: 'ndjson' },
    });

  it.each([
    ['with the agent', others],
    ['with the scope', () => ({ scopes: ['messages'] })],
  ])('gives a key no more of its export, %s', async (_, from) => {
    const { id, headers } = await issue();
    const answer = await reading(headers);
    await take(`api-keys/${id}`, headers, from());
    expect((await restOf(answer)).isWhole).toBe(false);
  });

  it('gives a person no more of its export', async () => {
    const person = await scene.join();
    await person.call('auth/confirm', { password: PASSWORD });
    const answer = await reading(person.headers);
    await take(`users/${person.userId}`, person.headers, others());
    expect((await restOf(answer)).isWhole).toBe(false);
  });

  it('lets nothing in whose file came later', async () => {
    const { id, headers } = await issue();
    const form = new FormData();
    const to = { ...fields({ assistant_id: taken, bot_id: itsBot }) };
    for (const [name, value] of Object.entries(to)) form.append(name, value);
    form.append('file', new Blob([`phone\n${newPhone()}`]), 'leads.csv');
    const whole = new Response(form);
    const body = Buffer.from(await whole.arrayBuffer());
    const call = request(`${scene.server.url}/api/v1/leads/import`, {
      ...{ method: 'POST', agent: false },
      headers: {
        ...headers,
        'Content-Type': whole.headers.get('content-type') ?? '',
        'Content-Length': body.length,
      },
    });
    const answered = once(call, 'response') as Promise<[IncomingMessage]>;
    call.write(body.subarray(0, 40));
    await take(`api-keys/${id}`, headers, others());
    call.end(body.subarray(40));
    const [answer] = await answered;
    expect([answer.statusCode, await text(answer)]).toEqual([
      404,
      expect.stringContaining('"ASSISTANT_NOT_FOUND"'),
    ]);
    expect(await rowsOf('SELECT 1 FROM imports WHERE assistant_id = $1', [taken])).toEqual([]);
  });
});

describe('whoever asks', () => {
  it('reaches the imports of the own agents and bots alone', async () => {
    const { import_id: id } = await client.done('phone\n', fields());
    const stranger = await AccountFixture.create(scene.database.pool);
    const otherAgent = await scene.account.addAssistant();
    const keys = [
      stranger.key,
      await scene.account.addKey({ assistantIds: [otherAgent] }),
      await scene.account.addKey({ botIds: [await scene.account.addBot()] }),
    ];
    const unknown = refusalOf(await client.get(randomUUIDv7()));
    expect(unknown.status).toBe(404);
    for (const key of keys) {
      const other = new TransferClient(scene.apiAt(0, key));
      expect(refusalOf(await other.get(id))).toEqual(unknown);
      expect(refusalOf(await other.cancel(id)).status).toBe(404);
    }
    const csv = `phone\n${newPhone()}`;
    const codeOf = async (key: string): Promise<string> =>
      (await client.import(csv, fields(), { 'X-API-Key': key })).body.error.code;
    expect(await Promise.all(keys.map(codeOf))).toEqual([
      'ASSISTANT_NOT_FOUND',
      'ASSISTANT_NOT_FOUND',
      'FORBIDDEN',
    ]);
  });

  it('imports as a person by the person’s name, and the audit tells of what', async () => {
    const person = await scene.join({ name: 'Мадина' });
    const phone = newPhone();
    const headers = { Cookie: person.cookie, Origin: person.url, 'X-CSRF-Token': person.csrfToken };
    const { body } = await client.import(`phone,status\n${phone},Новый`, fields(), headers);
    await client.ended(body.data.import_id as string);
    const [thread] = await threadsOf(phone);
    expect(thread).toMatchObject({ status_set_by: 'OPERATOR_MANUAL' });
    expect(await historyOf(thread?.thread_id as string)).toMatchObject([
      { by: 'OPERATOR_MANUAL', actor: { type: 'user', id: person.userId, name: 'Мадина' } },
    ]);
    const entries = await rowsOf('SELECT action, actor_id, after FROM audit_entries WHERE subject_id = $1', [
      body.data.import_id,
    ]);
    const { assistant_id, bot_id, channel } = fields();
    const after = { assistant_id, bot_id, channel, dry_run: false, start_scenarios: false, rows: 1 };
    expect(entries).toEqual([{ action: 'import.create', actor_id: person.userId, after }]);
  });
});
