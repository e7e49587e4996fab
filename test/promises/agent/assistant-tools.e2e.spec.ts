import { randomUUIDv7 } from 'node:crypto';
import { AesChannelCipher } from '@app/integrations/cipher/aes-channel.cipher';
import { AdminScene } from '../../support/scenes/admin.scene';
import { dumpOf } from '../../support/database/database.dump';
import { AccountFixture } from '../../support/database/fixture';
import { readPages } from '../../support/clients/page.reader';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { SECRETS } from '../../support/programs/server.process';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
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

let scene: AdminScene;
let agent: string;

const at = (id: string, tool = '') => `assistants/${id}/tools${tool && `/${tool}`}`;
const make = (body: object = {}, id = agent) => scene.admin.admin('POST', at(id), { ...TOOL, ...body });
const made = async (body: object = {}, id = agent): Promise<string> =>
  (await make(body, id)).body.data.id as string;
const change = (tool: string, body: object, id = agent) => scene.admin.admin('PATCH', at(id, tool), body);
const remove = (tool: string, id = agent) => scene.admin.admin('DELETE', at(id, tool));
const list = async (id = agent) => (await scene.admin.admin('GET', at(id))).body.data.tools as object[];

beforeAll(async () => {
  scene = await AdminScene.open();
});

beforeEach(async () => {
  agent = await scene.account.addAssistant();
});

afterAll(() => scene?.close());

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
      url: 'https://other.example.com:8443/',
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
    const shown = [answer, await change(tool, { enabled: false }), await scene.admin.admin('GET', at(agent))];
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
      randomUUIDv7(),
      'malformed',
      '%00',
      await made({}, await scene.account.addAssistant()),
      await made({}, foreign.assistantId),
    ];
    for (const id of ids) {
      await scene.expectRefused(() => change(id, { enabled: false }), 'TOOL_NOT_FOUND');
      await scene.expectRefused(() => remove(id), 'TOOL_NOT_FOUND');
    }
  });

  it.each([randomUUIDv7(), 'malformed'])('is an agent that is not there (%s)', async (id) => {
    for (const call of [
      () => scene.admin.admin('GET', at(id)),
      () => make({}, id),
      () => change(randomUUIDv7(), {}, id),
      () => remove(randomUUIDv7(), id),
    ])
      await scene.expectRefused(call, 'ASSISTANT_NOT_FOUND');
  });
});

const nested = (levels: number): object =>
  levels === 0 ? {} : { items: nested(levels - 1), ...(levels === 9 && { type: 'object' }) };

describe('what is refused', () => {
  it.each([
    [{ name: 'Find_stock' }, 'name'],
    [{ name: '2nd' }, 'name'],
    [{ name: 'a-b' }, 'name'],
    [{ name: 'x'.repeat(65) }, 'name'],
    [{ name: 'move_lead' }, 'name'],
    [{ name: 'hand_over' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ description: ' ' }, 'description'],
    [{ description: 'x'.repeat(1_025) }, 'description'],
    [{ method: 'get' }, 'method'],
    [{ method: 'HEAD' }, 'method'],
    [{ url: 'http://shop.example.com/' }, 'url'],
    [{ url: 'https://me:word@shop.example.com/' }, 'url'],
    [{ url: 'https://127.0.0.1/' }, 'url'],
    [{ url: 'https://2130706433/' }, 'url'],
    [{ url: 'https://[::ffff:169.254.169.254]/' }, 'url'],
    [{ url: `https://shop.example.com/${'x'.repeat(2_048)}` }, 'url'],
    [{ url: 'shop' }, 'url'],
    [{ parameters: null }, 'parameters'],
    [{ parameters: [] }, 'parameters'],
    [{ parameters: {} }, 'parameters.type'],
    [{ parameters: { type: 'array' } }, 'parameters.type'],
    [{ parameters: nested(9) }, 'parameters'],
    [{ parameters: { type: 'object', description: 'x'.repeat(16_385) } }, 'parameters'],
    [{ parameters: { type: 'object', properties: { a: 1 } } }, 'parameters.properties.a'],
    [{ parameters: { type: 'object', properties: { 'a b': {} } } }, 'parameters.properties'],
    [{ parameters: { type: 'object', properties: { a: { type: 'text' } } } }, 'parameters.properties.a.type'],
    [{ parameters: { type: 'object', properties: { a: { $ref: '#' } } } }, 'parameters.properties.a.$ref'],
    [{ parameters: { type: 'object', required: ['a'] } }, 'parameters.required'],
    [{ parameters: { type: 'object', properties: { a: { enum: [{}] } } } }, 'parameters.properties.a.enum'],
    [
      { parameters: { type: 'object', properties: { a: { pattern: '(' } } } },
      'parameters.properties.a.pattern',
    ],
    [
      { parameters: { type: 'object', properties: { a: { pattern: '(?=a)' } } } },
      'parameters.properties.a.pattern',
    ],
    [
      { parameters: { type: 'object', properties: { a: { pattern: '(a){1000}'.repeat(9) } } } },
      'parameters.properties.a.pattern',
    ],
    [{ parameters: { type: 'object', properties: { a: { oneOf: {} } } } }, 'parameters.properties.a.oneOf'],
    [
      { parameters: { type: 'object', properties: { a: { anyOf: [{ type: 'text' }] } } } },
      'parameters.properties.a.anyOf.0.type',
    ],
    [
      { parameters: { type: 'object', properties: { a: { additionalProperties: 1 } } } },
      'parameters.properties.a.additionalProperties',
    ],
    [
      { parameters: { type: 'object', properties: { a: { minimum: '1' } } } },
      'parameters.properties.a.minimum',
    ],
    [{ auto_fill: null }, 'auto_fill'],
    [{ auto_fill: ['phone'] }, 'auto_fill'],
    [{ auto_fill: { a: 'account_id' } }, 'auto_fill.a'],
    [{ auto_fill: { a: 5 } }, 'auto_fill.a'],
    [{ auto_fill: { 'a b': 'phone' } }, 'auto_fill'],
    [{ headers: [] }, 'headers'],
    [{ headers: null }, 'headers'],
    [{ headers: { Host: 'inner' } }, 'headers.Host'],
    [{ headers: { 'transfer-encoding': 'chunked' } }, 'headers.transfer-encoding'],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A'],
    [{ headers: { 'X-A': 5 } }, 'headers.X-A'],
    [{ headers: { 'X-A': 'x'.repeat(4_097) } }, 'headers.X-A'],
    [{ headers: { 'X A': 'a' } }, 'headers'],
    [{ headers: { 'X-A': 'a', 'x-a': 'b' } }, 'headers'],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'v'])) }, 'headers'],
    [{ timeout_ms: 999 }, 'timeout_ms'],
    [{ timeout_ms: 30_001 }, 'timeout_ms'],
    [{ timeout_ms: null }, 'timeout_ms'],
    [{ enabled: 'true' }, 'enabled'],
    [{ enabled: null }, 'enabled'],
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
