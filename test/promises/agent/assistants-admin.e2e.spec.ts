import { randomUUIDv7 } from 'node:crypto';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel-cipher';
import { setScene } from '../../support/scenes/base.scene';
import { AccountFixture } from '../../support/database/fixture';
import { readPages } from '../../support/clients/page.reader';
import { dumpOf } from '../../support/database/database.dump';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { SECRETS } from '../../support/programs/server.process';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const scene = setScene();

describe('an agent', () => {
  const DEFAULTS = {
    instructions: '',
    model: null,
    model_options: null,
    vision: false,
    reply_delay_ms: null,
    reply_parts_max: 3,
    reply_characters_max: 2000,
    replies_per_hour: 60,
    barred_kinds: ['awaiting_payment', 'success'],
    handover_text: null,
    auto_return_minutes: 30,
  };

  const OTHERS = {
    instructions: 'Отвечай коротко ☕\n'.repeat(100),
    model: 'gpt-4.1-mini',
    model_options: { temperature: 0.2, max_tokens: null, extra: { top_k: 5 } },
    vision: true,
    reply_delay_ms: 0,
    reply_parts_max: 10,
    reply_characters_max: 20_000,
    replies_per_hour: 1,
    barred_kinds: ['success', 'failure'],
    handover_text: 'Вам напишет коллега.',
    auto_return_minutes: 10_080,
  };

  const make = (body: object) =>
    scene.admin.admin('POST', 'assistants', { account_id: scene.account.id, name: 'Agent', ...body });

  const change = (body: object, id = scene.account.assistantId) =>
    scene.admin.admin('PATCH', `assistants/${id}`, body);

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

  it('has the settings when it is made that the database gives one of which nothing is said, but for what bars it', async () => {
    const { body } = await scene.admin.admin('GET', `assistants/${await scene.account.addAssistant()}`);
    expect(body.data).toMatchObject({ ...DEFAULTS, barred_kinds: [] });
    expect((await make({ ...OTHERS, barred_kinds: [] })).body.data).toMatchObject({
      ...OTHERS,
      barred_kinds: [],
    });
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
      model_options: null,
      vision: false,
      reply_delay_ms: null,
      handover_text: null,
      barred_kinds: [],
      instructions: '',
    };
    expect((await change(nothing, id)).body.data).toMatchObject({ ...expected, ...nothing });
  });

  it('keeps both of two changes that come at once', async () => {
    const { id } = (await make({})).body.data as { id: string };
    // Of five pairs some meet.
    for (let n = 1; n <= 5; n++) {
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

  it.each([randomUUIDv7(), '%00'])('that is not there (%s) is 404', async (id) => {
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

  it('is neither made of nor changed by a value that is out of its bounds', async () => {
    const body = { reply_parts_max: 11 };
    await scene.expectRefused(() => make(body), 'VALIDATION_ERROR', ['reply_parts_max']);
    await scene.expectRefused(() => change(body), 'VALIDATION_ERROR', ['reply_parts_max']);
  });

  it('is not made without an account and a name, and its body is looked at before its existence', async () => {
    const bare = () => scene.admin.admin('POST', 'assistants', {});
    await scene.expectRefused(bare, 'VALIDATION_ERROR', ['name']);
    const nobodys = () => scene.admin.admin('POST', 'assistants', { name: 'Of no account' });
    await scene.expectRefused(nobodys, 'VALIDATION_ERROR', ['account_id']);
    await scene.expectRefused(() => change({ name: '' }, randomUUIDv7()), 'VALIDATION_ERROR', ['name']);
  });
});

describe('the tools of an agent', () => {
  const SECRET = 'Bearer 4f1c9be27d60a8352e9b7c14';

  const PARAMETERS = {
    type: 'object',
    required: ['zone', 'city'],
    properties: { zone: { type: 'string', pattern: '^[a-z]+$' }, city: { enum: ['Алматы', 'Астана'] } },
  };

  const TOOL = {
    name: 'find_stock',
    description: 'Сколько машин на складе ☕',
    method: 'POST',
    url: 'https://shop.example.com/stock?shop=7',
  };

  let agent: string;
  const at = (id: string, tool = '') => `assistants/${id}/tools${tool && `/${tool}`}`;
  const make = (body: object = {}, id = agent) => scene.admin.admin('POST', at(id), { ...TOOL, ...body });

  const made = async (body: object = {}, id = agent): Promise<string> =>
    (await make(body, id)).body.data.id as string;

  const change = (tool: string, body: object, id = agent) => scene.admin.admin('PATCH', at(id, tool), body);
  const remove = (tool: string, id = agent) => scene.admin.admin('DELETE', at(id, tool));
  const list = async (id = agent) => (await scene.admin.admin('GET', at(id))).body.data.tools as object[];

  beforeEach(async () => {
    agent = await scene.account.addAssistant();
  });

  /** The headers as the caller of the tool would open them. */
  const headersOf = async (tool: string, bound = tool): Promise<unknown> => {
    const { rows } = await scene.database.pool.query<{ headers_key_id: string; headers: Buffer | null }>(
      'SELECT headers_key_id, headers FROM assistant_tools WHERE id = $1',
      [tool],
    );
    const [row] = rows;
    if (!row?.headers) return null;
    const cipher = new AesChannelCipher(SECRETS.ENCRYPTION_KEY);
    return JSON.parse(cipher.open(row.headers_key_id, row.headers, `${scene.account.id}/tool/${bound}`));
  };

  describe('a tool', () => {
    it('is made with 201 and the usual limits, and listed as it was made', async () => {
      const { status, body } = await make({ more: 'left out' });
      expect([status, body.data]).toEqual([
        201,
        {
          id: expect.stringMatching(UUID_7),
          assistant_id: agent,
          ...TOOL,
          parameters: { type: 'object', properties: {} },
          auto_fill: {},
          header_names: [],
          timeout_ms: 10_000,
          enabled: true,
          created_at: expect.stringMatching(/Z$/),
        },
      ]);
      expect(await list()).toEqual([body.data]);
    });

    it('has the schema just as it was written, in the order that a model reads it', async () => {
      const { body } = await make({ parameters: PARAMETERS });
      expect(JSON.stringify(body.data.parameters)).toBe(JSON.stringify(PARAMETERS));
    });

    it('gets each field by itself, and keeps what a change does not name', async () => {
      const tool = await made({ headers: { 'X-Key': SECRET } });
      const [before] = await list();
      let expected = before ?? {};
      const changes = {
        name: '_other2',
        description: 'Other',
        method: 'DELETE',
        url: 'https://shop.example.com/other',
        parameters: PARAMETERS,
        auto_fill: { phone: 'phone', dialog: 'thread_id' },
        timeout_ms: 30_000,
        enabled: false,
      };
      for (const [field, value] of Object.entries(changes)) {
        expected = { ...expected, [field]: value };
        const { status, body } = await change(tool, { [field]: value });
        expect([field, status, body.data]).toEqual([field, 200, expected]);
      }
      expect((await change(tool, {})).body.data).toEqual(expected);
      expect(await headersOf(tool)).toEqual({ 'X-Key': SECRET });
    });

    it('is taken away with its headers, once, and its name is free again', async () => {
      const tool = await made({ headers: { 'X-Key': SECRET } });
      const [before] = await list();
      const { status, body } = await remove(tool);
      expect([status, body.data]).toEqual([200, before]);
      expect(await list()).toEqual([]);
      await scene.expectRefused(() => remove(tool), 'TOOL_NOT_FOUND');
      expect((await make()).status).toBe(201);
    });

    it('is of one name among its agent’s; another agent may have it too', async () => {
      await make();
      const other = await made({ name: 'other' });
      await expectRefused(scene.database.pool, () => make(), [409, 'ALREADY_EXISTS']);
      const rename = () => change(other, { name: TOOL.name });
      await expectRefused(scene.database.pool, rename, [409, 'ALREADY_EXISTS']);
      expect((await make({}, await scene.account.addAssistant())).status).toBe(201);
    });

    it('is made once of ten of the same name at once', async () => {
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await make()).status));
      expect(statuses.sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    });

    it('is refused beyond the thirty-second', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 32; index++) ids.push(await made({ name: `tool_${index}` }));
      await scene.expectRefused(() => make({ name: 'one_more' }), 'VALIDATION_ERROR', ['']);
      const listed = await readPages(scene.admin, `${at(agent)}?limit=10`, 'tools');
      expect(listed.map(({ id }) => id)).toEqual(ids);
    });
  });

  describe('the headers', () => {
    it('are sealed for this tool alone, under the key’s id, and never shown nor logged', async () => {
      const answer = await make({ headers: { Authorization: SECRET, 'X-Shop': '7 a' } });
      const tool = answer.body.data.id as string;
      expect(answer.body.data.header_names).toEqual(['Authorization', 'X-Shop']);
      expect(await headersOf(tool)).toEqual({ Authorization: SECRET, 'X-Shop': '7 a' });
      await expect(headersOf(tool, randomUUIDv7())).rejects.toThrow();
      const shown = [
        answer,
        await change(tool, { enabled: false }),
        await scene.admin.admin('GET', at(agent)),
      ];
      shown.push(await remove(tool));
      const dump = JSON.stringify(await dumpOf(scene.database.pool));
      for (const text of [...shown.map((each) => each.text), dump, scene.server.output()]) {
        for (const form of [SECRET, 'Bearer', Buffer.from(SECRET).toString('hex'), 'QmVhcmVy']) {
          expect(text).not.toContain(form);
        }
      }
    });

    it('are given as a whole, and none are left by an empty object', async () => {
      const tool = await made({ headers: { Authorization: SECRET, 'X-Shop': '7' } });
      expect((await change(tool, { headers: { 'X-Key': 'k' } })).body.data.header_names).toEqual(['X-Key']);
      expect(await headersOf(tool)).toEqual({ 'X-Key': 'k' });
      expect((await change(tool, { headers: {} })).body.data.header_names).toEqual([]);
      expect(await headersOf(tool)).toBeNull();
    });

    it('stay with their origin: another one gets none unless they are given again', async () => {
      const headers = { Authorization: SECRET };
      const tool = await made({ url: 'https://shop.example/a', headers });
      const names = async (body: object): Promise<unknown> =>
        (await change(tool, body)).body.data.header_names;
      expect(await names({ url: 'https://shop.example/b?c=1' })).toEqual(['Authorization']);
      expect(await names({ url: 'https://shop.example:8443/b' })).toEqual([]);
      expect(await headersOf(tool)).toBeNull();
      expect(await names({ url: 'https://other.example/', headers })).toEqual(['Authorization']);
      expect(await headersOf(tool)).toEqual(headers);
    });

    it('do not come back in a refusal', async () => {
      const { text } = await make({ headers: { Authorization: `${SECRET}\n` }, name: 'Bad' });
      expect(text).toContain('headers.Authorization');
      expect(text).not.toContain('Bearer');
    });
  });

  describe('what cannot be told apart', () => {
    it('is a tool that is not there, malformed, another agent’s or another account’s', async () => {
      const foreign = await AccountFixture.create(scene.database.pool);
      const ids = [
        'malformed',
        await made({}, await scene.account.addAssistant()),
        await made({}, foreign.assistantId),
      ];
      for (const id of ids) {
        await scene.expectRefused(() => change(id, { enabled: false }), 'TOOL_NOT_FOUND');
        await scene.expectRefused(() => remove(id), 'TOOL_NOT_FOUND');
      }
    });

    it('is an agent that is not there', async () => {
      const id = randomUUIDv7();
      for (const call of [
        () => scene.admin.admin('GET', at(id)),
        () => make({}, id),
        () => change(randomUUIDv7(), {}, id),
        () => remove(randomUUIDv7(), id),
      ])
        await scene.expectRefused(call, 'ASSISTANT_NOT_FOUND');
    });
  });

  describe('what is refused', () => {
    it.each([
      // Its class, its rules, its schema, its headers and whoever calls it refuse; the specs beside them have the rest.
      [{ timeout_ms: 999 }, 'timeout_ms'],
      [{ name: 'move_lead' }, 'name'],
      [{ parameters: { type: 'object', required: ['a'] } }, 'parameters.required'],
      [{ headers: { Host: 'inner' } }, 'headers.Host'],
      [{ url: 'https://127.0.0.1/' }, 'url'],
    ])('%j', async (body, path) => {
      const tool = await made({ name: 'here' });
      await scene.expectRefused(() => make(body), 'VALIDATION_ERROR', [path]);
      await scene.expectRefused(() => change(tool, body), 'VALIDATION_ERROR', [path]);
    });

    it('an argument that both the model and the service give, whichever comes second', async () => {
      const both = { parameters: PARAMETERS, auto_fill: { city: 'phone' } };
      await scene.expectRefused(() => make(both), 'VALIDATION_ERROR', ['auto_fill.city']);
      const filled = await made({ name: 'filled', auto_fill: { city: 'phone' } });
      const given = await made({ name: 'given', parameters: PARAMETERS });
      const second = () => change(filled, { parameters: PARAMETERS });
      await scene.expectRefused(second, 'VALIDATION_ERROR', ['auto_fill.city']);
      const other = () => change(given, { auto_fill: { city: 'phone' } });
      await scene.expectRefused(other, 'VALIDATION_ERROR', ['auto_fill.city']);
    });

    it('an address that carries an argument already', async () => {
      const tool = await made({ auto_fill: { shop: 'bot_id' } });
      await scene.expectRefused(() => change(tool, { method: 'GET' }), 'VALIDATION_ERROR', ['url']);
    });
  });
});
