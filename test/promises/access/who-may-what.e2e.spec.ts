import { createHash } from 'node:crypto';
import { OPERATIONS, type AccessRule } from '@app/domain/accounts/access-table';
import { request, type Answer } from '../../support/clients/api.client';
import {
  callOf,
  catalogOf,
  idsOf,
  kindOf,
  missing,
  outcomeBy,
  type Cataloged,
  type Outcome,
} from '../../support/clients/catalog.calls';
import { requestLiterally } from '../../support/clients/raw.request';
import { expectRefused } from '../../support/clients/refusal.expectation';
import { lastingRowsOf } from '../../support/database/database.dump';
import { addAdminKey } from '../../support/database/fixture';
import { uuidOf } from '../../support/database/thread.uuid';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { CALLERS, CATALOG } from '../../support/operations.catalog';
import { COUNTERS, setAccessScene, type Principal, type Things } from '../../support/scenes/access.scene';
import { EVENTS } from '../../support/scenes/gateway.events';

const BOTH = ['leads', 'messages'];
const EVIL = 'https://evil.example';

const scene = setAccessScene({ stages: [{ name: 'A' }, { name: 'Twin' }, { name: 'twin' }] });
let operations: Cataloged[];
let own: Things;
let principals: Principal[];

/** An admin whose session a page of another site uses, which lacks a header or gives another one. */
async function crossSite(): Promise<Principal[]> {
  const admin = await scene.person('', 'admin');
  const { 'X-CSRF-Token': _token, ...noToken } = admin.headers;
  const { Origin: _origin, ...noOrigin } = admin.headers;
  const of = (name: string, headers: Record<string, string>): Principal => ({
    ...{ ...admin, name, headers, crossSite: true },
  });
  return [
    of('an admin without a token', noToken),
    of('an admin without an Origin', noOrigin),
    of('an admin on a page of another site', { ...admin.headers, Origin: EVIL }),
  ];
}

/** Those whom the service does not recognise. */
const NOBODIES = [
  ...['nobody', 'an expired key', 'an expired admin key'],
  ...['a disabled admin', 'an admin whose session expired'],
];
const NAMES = [
  ...[...NOBODIES, 'a key for leads', 'a key for messages', 'a key for both', 'an admin key'],
  ...['an operator of all agents', 'an operator of one agent', 'an admin'],
  ...['an admin who gave no password again', 'an admin without a token', 'an admin without an Origin'],
  'an admin on a page of another site',
];
/** Of each way to be refused one, who is refused with a broken body too, whatever the path names. */
const OF_EACH_REFUSAL = [
  ...['nobody', 'a key for both', 'an admin key', 'an admin who gave no password again'],
  'an admin without a token',
];
/**
 * Those who meet each operation. The others differ from one of them in what is known before the operation is, or in the
 * table's rule, so they meet one operation of each rule and method.
 */
const REFUSED_AT_ALL = [...OF_EACH_REFUSAL, 'an operator of all agents', 'an admin'];
/** Others come in at each operation with things of their own: whose-thing.e2e.spec.ts. */
const IN_AT_ALL = ['a key for both', 'an admin'];

beforeAll(async () => {
  own = await scene.thingsOf();
  operations = await catalogOf(scene.server.url);
  const others = await Promise.all([
    scene.key('a key for leads', ['leads']),
    scene.key('a key for messages', ['messages']),
    scene.key('a key for both', BOTH),
    scene.key('an admin key', ['admin']),
    scene.person('an operator of all agents', 'operator'),
    scene.person('an operator of one agent', 'operator', { assistant_ids: [scene.account.assistantId] }),
    scene.person('an admin', 'admin'),
    scene.person('an admin who gave no password again', 'admin', {}, false),
  ]);
  principals = [...(await scene.nobodies()), ...others, ...(await crossSite())];
});

const named = (name: string): Principal => principals.find((each) => each.name === name)!;
const allOf = (of: (kind: keyof Things) => string): Things =>
  Object.fromEntries(Object.keys(own).map((kind) => [kind, of(kind as keyof Things)])) as unknown as Things;
const guarded = (): Cataloged[] => operations.filter(({ row }) => row.who !== 'anybody');
const ruleOf = ({ row, method }: Cataloged): string => [row.who, row.confirmed, method].join();
const oneOfEachRule = (all: Cataloged[]): Cataloged[] =>
  all.filter((one, place) => all.findIndex((each) => ruleOf(each) === ruleOf(one)) === place);
const metBy = (isAtAll: boolean, all: Cataloged[]): Cataloged[] =>
  IS_LONG || isAtAll ? all : oneOfEachRule(all);

const OUTCOMES: Record<string, Outcome> = {
  ...{ UNAUTHORIZED: 'unknown', CSRF: 'csrf', FORBIDDEN: 'forbidden', CONFIRM_REQUIRED: 'confirm' },
};
const outcomeOf = ({ status, body }: Answer): Outcome =>
  (status === 401 || status === 403 ? OUTCOMES[body.error.code] : 'in') ?? 'in';

it('the catalog has each operation of the document, and says of it what the product’s table says', () => {
  expect(operations.map(({ title }) => title).sort()).toEqual(Object.keys(CATALOG).sort());
  const rules: Record<string, AccessRule> = OPERATIONS;
  for (const { title, name, row } of operations) {
    const { counter, scopes, role, confirmed } = rules[name ?? ''] ?? {};
    expect([title, { counter, scopes, role, confirmed }]).toEqual([
      title,
      {
        counter: undefined,
        scopes: undefined,
        role: undefined,
        ...CALLERS[row.who],
        confirmed: row.confirmed,
      },
    ]);
  }
  const used = [...operations.map(({ name }) => name), ...Object.values(EVENTS).map(({ name }) => name)];
  expect(Object.keys(OPERATIONS).filter((name) => !used.includes(name as never))).toEqual([]);
  for (const operation of operations)
    for (const id of idsOf(operation)) expect(own[kindOf(id)]).toEqual(expect.any(String));
});

it('what anybody may read of the service’s health tells nothing of any account', async () => {
  const ofHealth = operations.filter(({ path }) => path.startsWith('/health/'));
  expect(ofHealth).toHaveLength(2);
  for (const { method, path, row } of ofHealth) {
    const { status, text } = await scene.call({ headers: {} }, method, path, undefined);
    const told = Object.values(own).filter((id: string) => text.includes(uuidOf(id)));
    expect([path, row.who, status, told]).toEqual([path, 'anybody', 200, []]);
  }
});

/** It changes something of who calls, whatever is sent. */
const needsNothing = ({ method, path, sample }: Cataloged): boolean =>
  method !== 'GET' && !sample && !path.includes('{');

describe('who may call what', () => {
  /** Each call that was refused by 403, as its entry has to be. */
  const forbidden: string[] = [];
  let before: Record<string, string>;

  beforeAll(async () => {
    before = await lastingRowsOf(scene.database.pool);
  });

  function look(principal: Principal, operation: Cataloged, answer: Answer): Outcome {
    const { row, name, title } = operation;
    const { headers, status, body } = answer;
    if (status === 403 && principal.type !== 'nobody')
      forbidden.push([headers.get('x-request-id'), name, body.error.code].join());
    expect([title, status < 500]).toEqual([title, true]);
    // What another site's page gets, it may not read, and nothing keeps what anybody got.
    expect([title, headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual([
      ...[title, null, expect.stringContaining('no-store')],
    ]);
    const counter = CALLERS[row.who]?.counter ?? 'general';
    if (principal.type === 'key')
      expect([title, headers.get('ratelimit-limit')]).toEqual([title, `${COUNTERS[counter]}`]);
    if (principal.type === 'nobody') expect([title, headers.get('ratelimit-limit')]).toEqual([title, null]);
    return outcomeOf(answer);
  }

  it.each(NAMES)('%s is refused where the catalog says so, before a body is read', async (name) => {
    const principal = named(name);
    const refused = metBy(
      REFUSED_AT_ALL.includes(name),
      guarded().filter(({ row, method }) => outcomeBy(principal, row, method) !== 'in'),
    );
    const isOfEach = OF_EACH_REFUSAL.includes(name);
    const alsoWhole = oneOfEachRule(refused);
    const [found, expected]: [unknown[], unknown[]] = [[], []];
    for (const operation of refused) {
      const { title, method, row } = operation;
      const { path, body } = callOf(operation, own);
      const calls: { path: string; body: unknown }[] = [];
      if (!isOfEach || alsoWhole.includes(operation)) calls.push({ path, body });
      const malformed = allOf(() => 'malformed');
      if (isOfEach) calls.push({ ...callOf(operation, malformed), ...(body && { body: '{' }) });
      const outcomes: Outcome[] = [];
      for (const sent of calls)
        outcomes.push(look(principal, operation, await scene.call(principal, method, sent.path, sent.body)));
      found.push([title, ...outcomes]);
      expected.push([title, ...outcomes.map(() => outcomeBy(principal, row, method))]);
    }
    expect(found).toEqual(expected);
  });

  it('no refused call changes anything', async () => {
    expect(await lastingRowsOf(scene.database.pool)).toEqual(before);
  });

  it('each refusal of a caller who is known is kept, once, with what was asked for and why', async () => {
    expect(forbidden.length).toBeGreaterThan(300);
    const { rows } = await scene.database.pool.query<{ entry: string }>(
      `SELECT concat_ws(',', request_id, subject_name, after ->> 'code') AS entry FROM audit_entries WHERE action = 'access.refused'`,
    );
    const kept = rows.map(({ entry }) => entry);
    expect(kept.filter((entry) => forbidden.includes(entry)).sort()).toEqual(forbidden.toSorted());
    const told = (): number => scene.server.output().split('"action":"access.refused"').length - 1;
    // Lines are written in the background.
    await eventually(
      async () => told() >= forbidden.length,
      5_000,
      'not each refusal has its line in the log',
    );
  });

  it.each(NAMES.filter((name) => !NOBODIES.includes(name)))(
    '%s comes in everywhere else, and changes nothing by naming what is not there',
    async (name) => {
      const principal = named(name);
      const nothing = allOf(missing);
      const found: Record<string, Outcome> = {};
      const enter = async (operation: Cataloged): Promise<void> => {
        const { path, body } = callOf(operation, nothing);
        const sent = body && { nobody_knows_this_field: true };
        const answer = await scene.call(principal, operation.method, path, sent);
        found[operation.title] = look(principal, operation, answer);
      };
      const entered = metBy(
        IN_AT_ALL.includes(name),
        guarded().filter(({ row, method }) => outcomeBy(principal, row, method) === 'in'),
      );
      const rows = await lastingRowsOf(scene.database.pool);
      for (const operation of entered) if (!needsNothing(operation)) await enter(operation);
      expect(await lastingRowsOf(scene.database.pool)).toEqual(rows);
      // Signing out is the last of the catalog.
      for (const operation of entered) if (needsNothing(operation)) await enter(operation);
      expect(Object.entries(found).filter(([, outcome]) => outcome !== 'in')).toEqual([]);
    },
  );

  it('a key that has spent its calls is told so, whatever its scopes and its body', async () => {
    const limits = { limitLeads: 1, limitGeneral: 1 };
    const [both, admin] = [await scene.key('', BOTH, limits), await scene.key('', ['admin'], limits)];
    for (const key of [both, admin])
      for (const path of ['leads/get-statuses', 'messages/get-threads'])
        await scene.call(key, 'POST', `/api/v1/${path}`, {});
    for (const key of [both, admin])
      for (const operation of key === both ? guarded() : oneOfEachRule(guarded())) {
        const { title, method, sample } = operation;
        const { path } = callOf(operation, own);
        const { status } = await scene.call(key, method, path, sample && '{');
        expect([title, status]).toEqual([title, 429]);
      }
  });
});

describe('a body', () => {
  const headersOf = ({ row }: Cataloged): Record<string, string> => {
    const by = { lead: 'a key for both', message: 'a key for both', dialog: 'a key for both' };
    return row.who === 'anybody'
      ? { Origin: scene.server.url }
      : named((by as Record<string, string>)[row.who] ?? (row.who === 'person' ? 'body' : 'an admin key'))
          .headers;
  };
  const nothing = '00000000-0000-7000-8000-000000000000';
  const outcome = ({ status, body }: Answer): unknown[] => [status, body.error?.code, body.error?.details];

  async function call(operation: Cataloged, sent: { type?: string; body?: string }): Promise<unknown[]> {
    const path = operation.path.replaceAll(/\{\w+\}/g, nothing);
    const headers = { ...headersOf(operation), ...(sent.type && { 'Content-Type': sent.type }) };
    const { method } = operation;
    const answer = await request(scene.server.url + path, { method, headers, body: sent.body });
    return [operation.title, ...outcome(answer)];
  }

  beforeAll(async () => {
    principals.push(await scene.person('body', 'admin'));
  });

  it('that needs no field may be absent, as the document says, and is the same as one without fields', async () => {
    const optional = operations.filter(({ body, needsBody }) => body && !needsBody);
    expect(optional.length).toBeGreaterThan(5);
    for (const operation of optional) {
      const empty = await call(operation, { type: 'application/json', body: '{}' });
      for (const sent of [{}, { type: 'application/json' }])
        expect(await call(operation, sent)).toEqual(empty);
    }
  });

  it('that is needed is asked for, with its type, and so it is of all that reads or changes', async () => {
    const needing = operations.filter(({ needsBody, body }) => needsBody && body);
    const changing = operations.filter(({ method, path }) => method === 'PATCH' || path.includes('/get-'));
    expect(changing.filter(({ needsBody }) => !needsBody)).toEqual([]);
    expect(needing.length).toBeGreaterThan(25);
    for (const operation of needing)
      expect(await call(operation, {})).toEqual([
        ...[operation.title, 422, 'VALIDATION_ERROR'],
        [{ path: '', message: expect.stringContaining('Content-Type') }],
      ]);
  });
});

const post = (operation: string, key: string | string[] | undefined, body: string): Promise<Answer> =>
  requestLiterally(scene.server.url, {
    path: `/api/v1/leads/${operation}`,
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'X-API-Key': key }) },
    body,
  });

describe('a key', () => {
  const JSON_TYPE = { 'Content-Type': 'application/json' };
  const windowsOf = async (): Promise<unknown[]> =>
    (await scene.database.pool.query<object>('SELECT * FROM rate_windows ORDER BY 1, 2')).rows;

  const FORMS: Record<string, (key: string) => string | string[] | undefined> = {
    missing: () => undefined,
    empty: () => '',
    unknown: () => `ll_${'A'.repeat(43)}`,
    'in another case': (key) => key.toUpperCase(),
    'without its last character': (key) => key.slice(0, -1),
    'with one character more': (key) => `${key}x`,
    'in quotes': (key) => `"${key}"`,
    'as a bearer token': (key) => `Bearer ${key}`,
    'given twice': (key) => [key, key],
    'in place of which stands its hash': (key) => createHash('sha256').update(key).digest('hex'),
    'of SQL': () => "' OR true --",
    'of 12,000 characters': () => 'x'.repeat(12_000),
    'beyond ASCII': () => 'ÿ'.repeat(4),
  };

  it('that is not one, revoked or expired is 401, counts nowhere, and all look the same', async () => {
    const past = new Date(Date.now() - 1_000);
    const former = [{ revokedAt: past }, { expiresAt: past }].map((given) => scene.account.addKey(given));
    const forms = [
      ...Object.values(FORMS).map((of) => of(scene.account.key)),
      ...(await Promise.all(former)),
    ];
    const body = JSON.stringify({ thread_id: own.thread, status_id: null });
    const before = [await lastingRowsOf(scene.database.pool), await windowsOf()];
    const { text } = await post('set-status', undefined, '{}');
    for (const form of forms) {
      const answer = await post('set-status', form, body);
      const withoutId = (json: string): string => json.replace(/"request_id":"[^"]+"/, '');
      expect([form, answer.status, withoutId(answer.text)]).toEqual([form, 401, withoutId(text)]);
      expect([form, answer.headers.get('ratelimit-limit')]).toEqual([form, null]);
    }
    expect([await lastingRowsOf(scene.database.pool), await windowsOf()]).toEqual(before);
  });

  it('is taken with its header’s name in any case, and with blanks around it', async () => {
    const headers = { ...JSON_TYPE, 'x-api-KEY': ` ${scene.account.key} ` };
    const path = '/api/v1/leads/get-statuses';
    expect((await requestLiterally(scene.server.url, { path, headers, body: '{}' })).status).toBe(200);
  });

  it('is not taken from the query, a cookie or Authorization', async () => {
    const path = `/api/v1/leads/get-statuses?X-API-Key=${scene.account.key}&api_key=${scene.account.key}`;
    const headers = {
      ...JSON_TYPE,
      Cookie: `X-API-Key=${scene.account.key}`,
      Authorization: scene.account.key,
    };
    const call = () => requestLiterally(scene.server.url, { path, headers, body: '{}' });
    await expectRefused(scene.database.pool, call, [401, 'UNAUTHORIZED']);
  });
});

describe('the order of checks', () => {
  it('is key, rate, scope, body, however large or broken the body is', async () => {
    const spent = await scene.account.addKey({ limitLeads: 1 });
    await post('get-statuses', spent, '{}');
    const refusals: [string, number, string][] = [
      ['ll_wrong', 401, 'UNAUTHORIZED'],
      [spent, 429, 'RATE_LIMITED'],
      [await scene.account.addKey({ scopes: ['messages'] }), 403, 'FORBIDDEN'],
      [await addAdminKey(scene.database.pool), 403, 'FORBIDDEN'],
    ];
    const tooLarge = 'x'.repeat(1024 * 1024 + 1);
    const before = await lastingRowsOf(scene.database.pool);
    const refused = async (key: string, body: string): Promise<unknown[]> => {
      const answer = await post('set-status', key, body);
      return [key, answer.status, answer.body.error.code];
    };
    for (const body of [tooLarge, '{'])
      for (const refusal of refusals) expect(await refused(refusal[0], body)).toEqual(refusal);
    const { key } = scene.account;
    expect(await refused(key, tooLarge)).toEqual([key, 413, 'PAYLOAD_TOO_LARGE']);
    expect(await lastingRowsOf(scene.database.pool)).toEqual(before);
  });

  it('asks whether the key lives before its rate', async () => {
    const full = Array<Date>(60).fill(new Date());
    const key = await scene.account.addKey({ limitLeads: null, revokedAt: new Date() });
    await scene.database.pool.query(
      `INSERT INTO rate_windows (key_id, scope, hits) SELECT id, 'leads', $2 FROM api_keys WHERE key_hash = $1`,
      [createHash('sha256').update(key).digest(), full],
    );
    await expectRefused(scene.database.pool, () => post('get-statuses', key, '{}'), [401, 'UNAUTHORIZED']);
  });

  let optedOut: string;
  beforeAll(async () => {
    optedOut = await scene.account.addThread({ statusId: scene.stage(0), optedOut: true });
  });

  it('of a body is its fields, the cursor, the dialog, the stage, what was expected, and the opt-out', async () => {
    const refusals: [string, object, number, string, string[]?][] = [
      ['set-ai', { thread_id: 'x', ai_enabled: 'true' }, 422, 'VALIDATION_ERROR', ['ai_enabled']],
      ['set-status', { thread_id: '', status_id: 'x' }, 422, 'VALIDATION_ERROR', ['thread_id']],
      ['get-history', { thread_id: 'x', cursor: 'x' }, 422, 'VALIDATION_ERROR', ['cursor']],
      ['set-status', { thread_id: 'x', status_id: 'x' }, 404, 'THREAD_NOT_FOUND'],
      ['set-status', { thread_id: 'x', status_name: 'twin' }, 404, 'THREAD_NOT_FOUND'],
      ['set-status', { status_id: 'x', expected_status_id: null }, 404, 'STATUS_NOT_FOUND'],
      ['set-status', { status_name: 'TWIN', expected_status_id: null }, 422, 'STATUS_AMBIGUOUS'],
      ['set-status', { status_id: null, expected_status_id: null }, 409, 'STATUS_CONFLICT'],
      ['set-ai', { thread_id: 'x', ai_enabled: true }, 404, 'THREAD_NOT_FOUND'],
      ['set-ai', { ai_enabled: true }, 422, 'THREAD_OPTED_OUT'],
    ];
    const before = await lastingRowsOf(scene.database.pool);
    for (const [operation, given, status, code, paths = []] of refusals) {
      const body = { thread_id: optedOut, ...given };
      const { status: found, body: answer } = await post(operation, scene.account.key, JSON.stringify(body));
      const { error } = answer;
      const details = (error?.details ?? []).map(({ path }) => path);
      expect([body, found, error?.code, details]).toEqual([body, status, code, paths]);
    }
    expect(await lastingRowsOf(scene.database.pool)).toEqual(before);
  });
});
