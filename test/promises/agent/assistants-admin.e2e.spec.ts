import { randomUUIDv7 } from 'node:crypto';
import { AdminScene } from '../../support/scenes/admin.scene';
import { AccountFixture } from '../../support/database/fixture';
import { readPages } from '../../support/clients/page.reader';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const DEFAULTS = {
  instructions: '',
  model: null,
  reply_delay_ms: null,
  reply_parts_max: 3,
  reply_characters_max: 2000,
  replies_per_hour: 60,
  barred_kinds: [],
  handover_text: null,
  auto_return_minutes: 30,
};

const OTHERS = {
  instructions: 'Отвечай коротко ☕\n'.repeat(100),
  model: 'gpt-4.1-mini',
  reply_delay_ms: 0,
  reply_parts_max: 10,
  reply_characters_max: 20_000,
  replies_per_hour: 1,
  barred_kinds: ['success', 'failure'],
  handover_text: 'Вам напишет коллега.',
  auto_return_minutes: 10_080,
};

let scene: AdminScene;

const make = (body: object) =>
  scene.admin.admin('POST', 'assistants', { account_id: scene.account.id, name: 'Agent', ...body });
const change = (body: object, id = scene.account.assistantId) =>
  scene.admin.admin('PATCH', `assistants/${id}`, body);

beforeAll(async () => {
  scene = await AdminScene.open();
});

afterAll(() => scene?.close());

describe('an agent', () => {
  it('is made with 201 and the usual settings, and read as it was made', async () => {
    const made = await make({ name: 'Продажи ☕', more: 'left out' });
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(UUID_7),
        account_id: scene.account.id,
        name: 'Продажи ☕',
        ...DEFAULTS,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    const read = await scene.admin.admin('GET', `assistants/${made.body.data.id}`);
    expect([read.status, read.body.data]).toEqual([200, made.body.data]);
  });

  it('is made with the settings that are given', async () => {
    const { body } = await make(OTHERS);
    expect(body.data).toMatchObject(OTHERS);
  });

  it('has the settings when it is made that the database gives one of which nothing is said', async () => {
    const { body } = await scene.admin.admin('GET', `assistants/${await scene.account.addAssistant()}`);
    expect(body.data).toMatchObject(DEFAULTS);
  });

  it('gets each setting by itself, and keeps what a change does not name', async () => {
    const { id } = (await make({})).body.data as { id: string };
    let expected: object = { name: 'Agent', ...DEFAULTS };
    for (const [field, value] of Object.entries({ name: 'Other', ...OTHERS })) {
      expected = { ...expected, [field]: value };
      const { status, body } = await change({ [field]: value }, id);
      expect([field, status, body.data]).toEqual([field, 200, expect.objectContaining(expected)]);
    }
    expect((await change({}, id)).body.data).toMatchObject(expected);
    const nothing = {
      model: null,
      reply_delay_ms: null,
      handover_text: null,
      barred_kinds: [],
      instructions: '',
    };
    expect((await change(nothing, id)).body.data).toMatchObject({ ...expected, ...nothing });
  });

  it('keeps both of two changes that come at once', async () => {
    const { id } = (await make({})).body.data as { id: string };
    // Of ten pairs some meet.
    for (let n = 1; n <= 10; n++) {
      await Promise.all([change({ reply_parts_max: n }, id), change({ model: `model ${n}` }, id)]);
      const { body } = await scene.admin.admin('GET', `assistants/${id}`);
      expect(body.data).toMatchObject({ reply_parts_max: n, model: `model ${n}` });
    }
  });

  it('stays with its account and its id, whatever a change says', async () => {
    const other = await AccountFixture.create(scene.database.pool);
    const { assistantId: id } = scene.account;
    const { body } = await change({ account_id: other.id, id: randomUUIDv7(), created_at: null });
    expect(body.data).toMatchObject({ id, account_id: scene.account.id });
  });

  it.each([randomUUIDv7(), 'malformed'])('is not made for the account %s', async (account_id) => {
    await scene.expectRefused(() => make({ account_id }), 'ACCOUNT_NOT_FOUND');
  });

  it.each([randomUUIDv7(), 'malformed', '%00'])('that is not there (%s) is 404', async (id) => {
    await scene.expectRefused(() => scene.admin.admin('GET', `assistants/${id}`), 'ASSISTANT_NOT_FOUND');
    await scene.expectRefused(() => change({ name: 'x' }, id), 'ASSISTANT_NOT_FOUND');
  });

  it('is listed exactly once over the pages of its account, in the order of making', async () => {
    const account = await AccountFixture.create(scene.database.pool);
    for (let index = 0; index < 4; index++) await account.addAssistant();
    const { rows } = await scene.database.pool.query<{ id: string }>(
      'SELECT id FROM assistants WHERE account_id = $1 ORDER BY id',
      [account.id],
    );
    const listed = await readPages(scene.admin, `assistants?account_id=${account.id}&limit=2`, 'assistants');
    expect(listed.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(rows).toHaveLength(5);
  });

  it('is in no list of an account that is not there, and no list takes an empty account', async () => {
    for (const id of [randomUUIDv7(), 'malformed']) {
      const { body } = await scene.admin.admin('GET', `assistants?account_id=${id}`);
      expect(body.data.assistants).toEqual([]);
    }
    const empty = () => scene.admin.admin('GET', 'assistants?account_id=');
    await scene.expectRefused(empty, 'VALIDATION_ERROR', ['account_id']);
  });

  it.each([
    [{ name: null }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ instructions: null }, 'instructions'],
    [{ instructions: 'x'.repeat(20_001) }, 'instructions'],
    [{ instructions: ['x'] }, 'instructions'],
    [{ model: '' }, 'model'],
    [{ model: 5 }, 'model'],
    [{ reply_delay_ms: -1 }, 'reply_delay_ms'],
    [{ reply_delay_ms: 600_001 }, 'reply_delay_ms'],
    [{ reply_delay_ms: '5000' }, 'reply_delay_ms'],
    [{ reply_parts_max: 0 }, 'reply_parts_max'],
    [{ reply_parts_max: 11 }, 'reply_parts_max'],
    [{ reply_parts_max: null }, 'reply_parts_max'],
    [{ reply_characters_max: 1.5 }, 'reply_characters_max'],
    [{ reply_characters_max: 20_001 }, 'reply_characters_max'],
    [{ replies_per_hour: 1_001 }, 'replies_per_hour'],
    [{ replies_per_hour: true }, 'replies_per_hour'],
    [{ barred_kinds: null }, 'barred_kinds'],
    [{ barred_kinds: ['won'] }, 'barred_kinds'],
    [{ barred_kinds: ['success', 'success'] }, 'barred_kinds'],
    [{ barred_kinds: 'success' }, 'barred_kinds'],
    [{ handover_text: '' }, 'handover_text'],
    [{ handover_text: 'x'.repeat(4_097) }, 'handover_text'],
    [{ auto_return_minutes: 0 }, 'auto_return_minutes'],
    [{ auto_return_minutes: 10_081 }, 'auto_return_minutes'],
    [{ auto_return_minutes: null }, 'auto_return_minutes'],
  ])('is neither made of nor changed by %j', async (body, path) => {
    await scene.expectRefused(() => make(body), 'VALIDATION_ERROR', [path]);
    await scene.expectRefused(() => change(body), 'VALIDATION_ERROR', [path]);
  });

  it('is not made without an account and a name, and its body is looked at before its existence', async () => {
    const bare = () => scene.admin.admin('POST', 'assistants', {});
    await scene.expectRefused(bare, 'VALIDATION_ERROR', ['name']);
    const nobodys = () => scene.admin.admin('POST', 'assistants', { name: 'Of no account' });
    await scene.expectRefused(nobodys, 'VALIDATION_ERROR', ['account_id']);
    await scene.expectRefused(() => change({ name: '' }, randomUUIDv7()), 'VALIDATION_ERROR', ['name']);
  });
});
