import { randomUUIDv7 } from 'node:crypto';
import { NIL_ID } from '@app/contracts/uuid.format';
import { bytesOfAnswer } from '../../support/clients/answer.bytes';
import type { Answer } from '../../support/clients/api.client';
import { Authenticator } from '../../support/clients/authenticator';
import { BoardClient } from '../../support/clients/board.client';
import {
  callOf,
  catalogOf,
  idsOf,
  kindOf,
  malformed,
  missing,
  notFoundOf,
  outcomeBy,
  type Cataloged,
  type Outcome,
} from '../../support/clients/catalog.calls';
import { fieldNamesOf } from '../../support/clients/openapi.fields';
import { lastingRowsOf } from '../../support/database/database.dump';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { IS_LONG } from '../../support/long.mode';
import { uuidOf } from '../../support/database/thread.uuid';
import { callAuth, joinBy, tokenOf, PASSWORD } from '../../support/clients/session.client';
import { secrets } from '../../support/operations.catalog';
import {
  FILE,
  setAccessScene,
  TWINS_WORD,
  type Principal,
  type Things,
} from '../../support/scenes/access.scene';
import { EVENTS, eventsOfGateways, NOTHING } from '../../support/scenes/gateway.events';

type Kind = keyof Things;

const BOTH = ['leads', 'messages'];
/** Who has things of an account. Of another one an admin is enough, who may call most: accounts are alike. */
const OWNERS = [
  ...['a key for both', 'an operator of all agents', 'an operator of one agent', 'an admin'],
  'an admin of another account',
];
/** Of each way to see things of an account one: an operator of all agents sees what an admin does. */
const LOOKERS = ['a key for both', 'an operator of one agent', 'an admin', 'an admin key'];
/** Forms that no identifier has: all are read by one rule, of which the first, the last and one with SQL are enough. */
const wrongForms = (kind: Kind): string[] =>
  malformed(kind).filter((_, form, { length }) => IS_LONG || form < 2 || form === length - 1);

const scene = setAccessScene();
let operations: Cataloged[];
let principals: Principal[];
let foreignAccount: AccountFixture;
let foreign: Things;
/** Of an agent of the account that only some principals see. */
let ofSecondAgent: Things;

beforeAll(async () => {
  foreignAccount = await AccountFixture.create(scene.database.pool);
  const secondAgent = await scene.account.addAssistant();
  [foreign, ofSecondAgent] = [
    await scene.thingsOf(foreignAccount),
    await scene.thingsOf(scene.account, secondAgent),
  ];
  operations = (await catalogOf(scene.server.url)).filter(({ row }) => row.who !== 'anybody');
  const other = { account_id: foreignAccount.id };
  principals = await Promise.all([
    scene.key('a key for both', BOTH),
    scene.key('an admin key', ['admin']),
    scene.key('a key of no agents', BOTH, { assistantIds: [], botIds: [] }),
    scene.key('a key of another agent', BOTH, { assistantIds: [secondAgent], botIds: [] }),
    scene.person('an operator of all agents', 'operator'),
    scene.person('an operator of one agent', 'operator', { assistant_ids: [scene.account.assistantId] }),
    scene.person('an operator of no agents', 'operator', { assistant_ids: [] }),
    scene.person('an admin', 'admin'),
    scene.person('an admin of another account', 'admin', other),
  ]);
});

const named = (name: string): Principal => principals.find((each) => each.name === name)!;
const isOther = ({ name }: Principal): boolean => name.endsWith('another account');
const accountOf = (principal: Principal): AccountFixture =>
  isOther(principal) ? foreignAccount : scene.account;
const callableBy = (principal: Principal): Cataloged[] =>
  operations.filter(({ row, method }) => outcomeBy(principal, row, method) === 'in');
/** Of one agent of the account only. */
const isNarrow = ({ name }: Principal): boolean => /key for|one agent/.test(name);
/** What belongs to no agent. */
const OF_NO_AGENT: Kind[] = ['account', 'user', 'key', 'endpoint', 'delivery', 'session'];

/** For a call that names all that it may. */
const everyIdOf = (operation: Cataloged, own: Things): Record<string, string> =>
  Object.fromEntries(idsOf(operation).map((id) => [id, own[kindOf(id)]]));

const call = (principal: Principal, operation: Cataloged, own: Things, instead?: Record<string, string>) => {
  const { path, body } = callOf(operation, own, instead);
  return scene.call(principal, operation.method, path, body);
};

describe('foreign and missing things', () => {
  /** What told them apart, by the principal. */
  const told: Record<string, unknown[]> = {};
  const looked: Record<string, Set<Kind>> = {};
  let before: Record<string, string>;
  let after: Record<string, string>;

  /** A lead that is at the wanted stage already is no conflict; an item has its own answer; a filter finds nothing. */
  function isNotFound({ path }: Cataloged, id: string, kind: Kind, answer: Answer): boolean {
    const { status, text, body } = answer;
    if (id.endsWith('expected_status_id')) return status === 200;
    const code = notFoundOf(kind);
    if (path.endsWith('/set-status-bulk')) return status === 200 && text.includes(code);
    const isOfFilter =
      status === 422 ||
      (status === 200 &&
        Object.values(body.data)
          .flat()
          .every((each) => !each));
    return (status === 404 && text.includes(code)) || (id.startsWith('query:') && isOfFilter);
  }

  async function look(principal: Principal, own: Things): Promise<void> {
    const { name, type } = principal;
    const [apart, kinds] = [(told[name] = [] as unknown[]), (looked[name] = new Set<Kind>())];
    for (const operation of callableBy(principal))
      for (const id of idsOf(operation)) {
        const kind = kindOf(id);
        kinds.add(kind);
        const answer = (value: string): Promise<Answer> => call(principal, operation, own, { [id]: value });
        const ofMissing = await answer(missing(kind));
        if (!isNotFound(operation, id, kind, ofMissing)) apart.push([operation.title, id, ofMissing.text]);
        const ofOthers = [foreign];
        const isOfAgent = isNarrow(principal) && !OF_NO_AGENT.includes(kind);
        if (isOfAgent || kind === 'session') ofOthers.push(ofSecondAgent);
        // To an admin key no account is foreign.
        if (name === 'an admin key') ofOthers.length = 0;
        // Of a bot a key learns that it exists, but not whose it is: the contract's exception.
        const isToldOfBot = kind === 'bot' && type === 'key' && ofOthers.length > 0;
        const alike = isToldOfBot ? await answer(ofOthers[0]!.bot) : ofMissing;
        if (isToldOfBot && alike.body.error?.code !== 'FORBIDDEN')
          apart.push([operation.title, id, alike.text]);
        const wrongs = ofOthers.map((of): [string, Answer] => [of[kind], alike]);
        // A bot in a body has to be written as one.
        if (/a key for both|an admin key/.test(name) && id !== 'bot_id' && !id.startsWith('query:'))
          for (const value of wrongForms(kind).slice(ofOthers.length === 0 ? -1 : 0))
            wrongs.push([value, ofMissing]);
        for (const [wrong, as] of wrongs) {
          const found = bytesOfAnswer(await answer(wrong));
          if (found !== bytesOfAnswer(as)) apart.push([operation.title, id, wrong, found, as.text]);
        }
      }
  }

  beforeAll(async () => {
    const owners: [Principal, Things][] = [];
    for (const principal of LOOKERS.map(named))
      owners.push([principal, await scene.thingsOf(accountOf(principal))]);
    before = await lastingRowsOf(scene.database.pool);
    await Promise.all(owners.map(([principal, own]) => look(principal, own)));
    after = await lastingRowsOf(scene.database.pool);
  });

  it('stay as they are, as all else does, whoever names them', () => {
    expect(after).toEqual(before);
  });

  it.each(LOOKERS)('are alike, byte for byte, and not found for %s', (name) => {
    expect(told[name]).toEqual([]);
    if (name === 'an admin key') return;
    const ofKeys = [
      ...['assistant', 'batch', 'bot', 'import', 'media', 'message', 'scenario', 'stage', 'thread'],
      'user',
    ];
    const ofPeople = [...ofKeys, 'session', 'template', 'run', 'account'];
    const ofAdmins = [...ofPeople, 'key', 'tool', 'reject', 'endpoint', 'delivery'];
    const expected = /key/.test(name) ? ofKeys : /admin/.test(name) ? ofAdmins : ofPeople;
    expect([...looked[name]!].sort()).toEqual(expected.sort());
  });

  it('are all that there is for who reaches nothing of them', async () => {
    const own = await scene.thingsOf();
    const rows = await lastingRowsOf(scene.database.pool);
    const strangers = ['a key of no agents', 'a key of another agent', 'an operator of no agents'];
    for (const principal of strangers.map(named))
      for (const operation of callableBy(principal)) {
        const visible: Kind[] = ['user', 'session', ...(principal.type === 'key' ? (['bot'] as const) : [])];
        const [id] = idsOf(operation).filter(
          (each) => !each.startsWith('query:') && !visible.includes(kindOf(each)),
        );
        if (isReadWithoutIds(operation)) await expectNothingOf(principal, operation, own);
        if (id === undefined) continue;
        const [asked, none] = [
          await call(principal, operation, own, { [id]: own[kindOf(id)] }),
          await call(principal, operation, own, { [id]: missing(kindOf(id)) }),
        ];
        expect([principal.name, operation.title, bytesOfAnswer(asked)]).toEqual([
          ...[principal.name, operation.title, bytesOfAnswer(none)],
        ]);
        // A key is refused the bot before anything else that the call names is looked up.
        const isOfBot = principal.type === 'key' && idsOf(operation).includes('bot_id');
        expect([operation.title, asked.text]).toEqual([
          operation.title,
          expect.stringMatching(isOfBot ? /NOT_FOUND|FORBIDDEN/ : 'NOT_FOUND'),
        ]);
      }
    expect(await lastingRowsOf(scene.database.pool)).toEqual(rows);
  });

  const fieldsOf = (operation: Cataloged): string[] => idsOf(operation).map((id) => id.split('.')[0] ?? id);
  const isReadWithoutIds = (operation: Cataloged): boolean => {
    const { method, path, body } = operation;
    const needed = (body?.required ?? []) as string[];
    const reads = method === 'GET' || path.includes('/get-');
    return reads && !path.includes('{') && !fieldsOf(operation).some((field) => needed.includes(field));
  };

  /** What names nothing reads all that is within reach: of no agents nothing at all. */
  async function expectNothingOf(principal: Principal, operation: Cataloged, own: Things): Promise<void> {
    const { path, body } = callOf(operation, own);
    for (const field of fieldsOf(operation)) delete body?.[field];
    const isList = operation.query.includes('limit');
    const { status, text } = await scene.call(
      principal,
      operation.method,
      isList ? `${path}?limit=100` : path,
      body,
    );
    if (status !== 200) expect(text).toContain('ASSISTANT_NOT_FOUND');
    const hidden = /no agents/.test(principal.name) ? [own, foreign, ofSecondAgent] : [own];
    const told = hidden.flatMap((things) =>
      Object.entries(things).filter(
        ([kind, id]) => !OF_NO_AGENT.includes(kind as Kind) && text.includes(uuidOf(String(id))),
      ),
    );
    expect([principal.name, operation.title, told]).toEqual([principal.name, operation.title, []]);
  }

  it('stay unknown to a key whose row came to name another account’s agent', async () => {
    const own = await scene.thingsOf();
    const given = { assistantIds: [scene.account.assistantId], botIds: [scene.account.botId] };
    const key = await scene.key('', BOTH, given, foreignAccount);
    const rows = await lastingRowsOf(scene.database.pool);
    for (const operation of callableBy(key)) {
      const { text } = await call(key, operation, own, everyIdOf(operation, own));
      for (const secret of [...scene.account.stages, own.stage, 'Stage 1', '+7701'])
        expect([operation.title, text]).not.toEqual([operation.title, expect.stringContaining(secret)]);
    }
    expect(await lastingRowsOf(scene.database.pool)).toEqual(rows);
  });

  it('a move with an expectation answers the same whatever that expectation names', async () => {
    const [{ stages }, thread_id] = [
      scene.account,
      await scene.account.addThread({ statusId: scene.stage(0) }),
    ];
    const rows = await lastingRowsOf(scene.database.pool);
    const answers: string[] = [];
    for (const id of [randomUUIDv7(), foreign.stage, ofSecondAgent.stage, stages[2], 'malformed']) {
      const body = { thread_id, status_id: stages[1], expected_status_id: id };
      answers.push(bytesOfAnswer(await scene.api.setStatus(body)));
    }
    expect(answers[0]).toContain('STATUS_CONFLICT');
    expect(new Set(answers).size).toBe(1);
    expect(await lastingRowsOf(scene.database.pool)).toEqual(rows);
  });
});

it.each(['', '?preview=1'])(
  'a file, read with %j, comes to who sees its message, and to all others as one that is missing',
  async (query) => {
    const { media } = await scene.thingsOf();
    const read = (by: Pick<Principal, 'headers'>, id: string): Promise<Answer> =>
      scene.call(by, 'GET', `/api/v1/messages/media/${encodeURIComponent(id)}${query}`, undefined);
    const address = `${scene.server.url}/api/v1/messages/media/${media}${query}`;
    for (const name of OWNERS.filter((each) => !isOther(named(each)))) {
      const answer = await fetch(address, { headers: named(name).headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([name, answer.status]).toEqual([name, 200]);
      if (query === '') expect(bytes.equals(await FILE)).toBe(true);
      else expect(bytes.toString('latin1', 8, 12)).toBe('WEBP');
    }
    const strangers = principals.filter((each) => isOther(each) || /no agents|another agent/.test(each.name));
    expect(strangers).toHaveLength(4);
    for (const stranger of strangers) {
      const none = bytesOfAnswer(await read(stranger, missing('media')));
      expect(none).toContain('MEDIA_NOT_FOUND');
      for (const id of isOther(stranger) ? [media, '\0', ...malformed('media')] : [media])
        expect([stranger.name, id, bytesOfAnswer(await read(stranger, id))]).toEqual([
          stranger.name,
          id,
          none,
        ]);
    }
    for (const nobody of [
      ...(await scene.nobodies()),
      { name: 'unknown', headers: { 'X-API-Key': 'll_unknown' } },
    ])
      expect([nobody.name, (await read(nobody, media)).status]).toEqual([nobody.name, 401]);
    expect((await read(await scene.key('', ['leads']), media)).status).toBe(403);
  },
);

describe('boards', () => {
  const REFUSALS: Partial<Record<Outcome, string>> = { unknown: 'UNAUTHORIZED', forbidden: 'FORBIDDEN' };
  const connect = ({ headers }: Principal): Promise<BoardClient> => {
    const { 'X-API-Key': key, ...others } = headers;
    return BoardClient.connect(scene.server.url, key ? { api_key: key } : {}, { extraHeaders: others });
  };

  it('know each event that the application’s gateways take: say of a new one there what it asks for', () => {
    expect(eventsOfGateways()).toEqual(Object.keys(EVENTS).sort());
  });

  it('let in whom the catalog lets in, and tell nobody more of a foreign agent than of a missing one', async () => {
    const others = [await scene.key('a key for messages', ['messages']), ...(await scene.nobodies())];
    for (const principal of [...principals, ...others]) {
      const { name } = principal;
      const came = await connect(principal).catch(({ message }: Error) => message);
      expect([name, typeof came === 'string' ? came : 'in']).toEqual([
        ...[name, REFUSALS[outcomeBy(principal, { who: 'lead' })] ?? 'in'],
      ]);
      if (typeof came === 'string') continue;
      const ask = (event: string, of: Things) => came.request(event, EVENTS[event]!.of(of));
      const [own, strangers] = isOther(principal) ? [foreign, ofSecondAgent] : [ofSecondAgent, foreign];
      for (const [event, { who, code }] of Object.entries(EVENTS)) {
        const [wrong, none] = [await ask(event, strangers), await ask(event, NOTHING)];
        expect([name, event, wrong]).toEqual([name, event, none]);
        const isIn = outcomeBy(principal, { who }) === 'in';
        expect([name, event, wrong]).toMatchObject([
          ...[name, event, { ok: false, error: { code: isIn ? code : 'FORBIDDEN' } }],
        ]);
        const sees = /all agents|admin|another/.test(name) && isIn;
        if (event === 'board:open' || event === 'presence:set')
          expect([name, event, (await ask(event, own)).ok]).toEqual([name, event, sees]);
      }
      came.close();
    }
  });
});

type Words =
  | 'id'
  | 'request_id'
  | 'action'
  | 'actor_type'
  | 'actor_id'
  | 'subject_type'
  | 'subject_id'
  | 'account_id';
type Entry = Record<Words, string> & Record<'before' | 'after', Record<string, unknown> | null>;

/** What an entry tells that no body and no answer of the operation has: what came of it. */
const FURTHER: Record<string, string[]> = {
  'user.invite': ['sessions_ended'],
  'user.end_sessions': ['sessions_ended'],
  'user.change_password': ['sessions_ended'],
  'status.archive': ['archived', 'moved_to', 'scenarios', 'leads'],
  'channel.connect': ['credential'],
  'channel.disconnect': ['credential'],
  'thread.export': ['format'],
  'lead.export': ['filter', 'count'],
  'thread.erase': ['messages', 'files'],
  'run.resolve': ['step'],
};

it('own things are found by each identifier that a call may name', async () => {
  const [own, seen] = [await scene.thingsOf(), new Set<string>()];
  for (const principal of ['a key for both', 'an operator of one agent', 'an admin'].map(named))
    for (const operation of callableBy(principal)) {
      if (!/\/(get-[\w-]+|leads\/export|set-status(-bulk)?)$/.test(operation.path)) continue;
      const ids = everyIdOf(operation, own);
      Object.keys(ids).forEach((id) => seen.add(id));
      const { status, text } = await call(principal, operation, own, ids);
      expect([principal.name, operation.title, status, text]).toEqual([
        ...[principal.name, operation.title, 200, expect.not.stringContaining('"ok":false')],
      ]);
    }
  expect([...seen]).toEqual(
    expect.arrayContaining(['scenario_id', 'assignee_id', 'items.expected_status_id']),
  );
});

// The last, because it changes and takes away.
describe('own things', () => {
  const names = [...OWNERS, 'an admin key'];
  const wrong: Record<string, unknown[]> = {};
  /** Each call that succeeded, by the id of its request. */
  const done = new Map<string, { principal: Principal; own: Things; operation: Cataloged }>();
  let entries: Entry[];

  /** Identifiers that are none of a principal's business. */
  function outside(principal: Principal): string[] {
    const others: [Things, Kind[]][] = isOther(principal) ? [[ofSecondAgent, []]] : [[foreign, []]];
    if (isNarrow(principal)) others.push([ofSecondAgent, OF_NO_AGENT]);
    return others.flatMap(([things, known]) =>
      Object.entries(things)
        .filter(([kind]) => !known.includes(kind as Kind))
        .map(([, id]) => uuidOf(String(id))),
    );
  }

  /** An account with the identifiers of the scene's one, before and after. */
  let twin: [before: unknown, after: unknown];

  /** A worker may be at the same rows in another order: the database then breaks one of the two off. */
  async function prepare({ db, id }: AccountFixture, statement: string, thing: unknown): Promise<void> {
    const isDone = (): Promise<boolean> =>
      db.query(statement, [id, thing]).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== '40P01') throw error;
          return false;
        },
      );
    await eventually(isDone, 20_000, 'the rows were not free');
  }

  async function callAll(principal: Principal, own: Things): Promise<void> {
    const account = accountOf(principal);
    if (principal.session) own.session = await scene.addSession(account.id, principal.session.userId);
    const found = (wrong[principal.name] = [] as unknown[]);
    for (const operation of callableBy(principal)) {
      const { title, row, query, path } = operation;
      const [id = ''] = idsOf(operation);
      if (row.before) await prepare(account, row.before, own[kindOf(id)]);
      const isList = query.includes('limit');
      const { path: asked, body } = callOf(operation, own);
      const answer = await scene.call(
        principal,
        operation.method,
        isList ? `${asked}?limit=100` : asked,
        body,
      );
      const { status, text, headers } = answer;
      if ((status < 300 ? undefined : answer.body.error.code) !== row.here) found.push([title, status, text]);
      if (status >= 300) continue;
      if (path.endsWith('-bulk') && text.includes('"ok":false')) found.push([title, 'did not do all', text]);
      done.set(headers.get('x-request-id') ?? '', { principal, own, operation });
      const { data } = answer.body as { data?: Record<string, unknown> };
      for (const given of [data?.key, data?.secret, data?.signing_secret])
        if (typeof given === 'string') secrets.push(given);
      const { invitation } = (data ?? {}) as { invitation?: { url: string } };
      if (invitation) secrets.push(tokenOf(invitation.url));
      if (principal.name === 'an admin key') continue;
      const leaked = [...outside(principal), TWINS_WORD].filter((each) => text.includes(each));
      if (leaked.length > 0) found.push([title, 'has what is of others', leaked]);
      const listed = /admin\/([\w-]+)$/.exec(path)?.[1] ?? '';
      if (
        isList &&
        !['audit', 'work'].includes(listed) &&
        !text.includes(uuidOf(own[kindOf(listed === '' ? id : `path:${listed}`)]))
      )
        found.push([title, 'lacks its own', text]);
    }
  }

  beforeAll(async () => {
    // It governs the twin, too, so it comes before; and it disconnects a bot.
    await callAll(named('an admin key'), await scene.thingsOf(scene.account, ofSecondAgent.assistant));
    const owners: [Principal, Things][] = [];
    for (const principal of OWNERS.map(named))
      owners.push([principal, await scene.thingsOf(accountOf(principal))]);
    const id = await scene.addTwin(scene.account);
    const before = await scene.rowsOfAccount(id);
    // One after the other in an account: its admins are the last, who disconnect the bot.
    const inTurn = async (all: [Principal, Things][]): Promise<void> => {
      for (const [principal, own] of all) await callAll(principal, own);
    };
    await Promise.all([true, false].map((is) => inTurn(owners.filter(([each]) => isOther(each) === is))));
    twin = [before, await scene.rowsOfAccount(id)];
    const { rows } = await scene.database.pool.query<Entry>(
      `SELECT * FROM audit_entries WHERE request_id = ANY ($1) ORDER BY at, id`,
      [[...done.keys()]],
    );
    entries = rows;
  });

  it.each(names)('are answered to %s by each operation that it may call, with nothing of others', (name) => {
    expect(wrong[name]).toEqual([]);
  });

  it('are changed without what has the same identifiers in another account', () => {
    const [before, after] = twin;
    expect(JSON.stringify(before).length).toBeGreaterThan(20_000);
    expect(after).toEqual(before);
  });

  it('each change of them has exactly one entry: who did what, what it was and became, by which call', () => {
    for (const [requestId, { principal, own, operation }] of done) {
      const { title, row } = operation;
      const found = entries.filter((entry) => entry.request_id === requestId);
      expect([title, found.map(({ action }) => action)]).toEqual([title, row.audit ? [row.audit] : []]);
      for (const entry of found) {
        expect([title, entry]).toMatchObject([
          title,
          {
            ...{ actor_type: principal.type === 'key' ? 'key' : 'user', actor_name: expect.any(String) },
            ...{ actor_id: principal.session?.userId ?? expect.any(String) },
            ...{ account_id: row.who === 'installation' ? expect.any(String) : own.account },
            ...{ subject_type: expect.any(String), subject_id: expect.any(String) },
            ip: expect.stringContaining('127.0.0.1'),
          },
        ]);
        if (entry.action === 'session.end')
          expect(entry).toMatchObject({ subject_type: 'session', subject_name: 'Aigerim' });
        expect([title, JSON.stringify([entry.before, entry.after])]).not.toEqual([
          ...[title, expect.stringMatching(/^\[(null|\{\}),(null|\{\})\]$/)],
        ]);
      }
    }
  });

  it('what an entry tells of a thing has the words of the API', async () => {
    const { body: document } = await scene.call({ headers: {} }, 'GET', '/openapi.json', undefined);
    const thingOf = (path: string): string | undefined => /(admin\/[\w-]+|auth|leads)\b/.exec(path)?.[0];
    const foreignWords = entries.flatMap(({ request_id, action, before, after }) => {
      const { title } = done.get(request_id)!.operation;
      const known = fieldNamesOf(document, (path) => thingOf(path) === thingOf(title));
      return Object.keys({ ...before, ...after })
        .filter((field) => !known.has(field) && !FURTHER[action]?.includes(field))
        .map((field) => `${action}: ${field}`);
    });
    expect([...new Set(foreignWords)]).toEqual([]);
  });

  it('each entry has a line of the log, which says who did what', async () => {
    // Lines are written in the background.
    const linesOf = ({ id }: Entry): string[] => {
      const lines = scene.server.output().split('\n').slice(0, -1);
      return lines.filter((line) => line.includes(`"entry_id":"${id}"`));
    };
    const areAll = async (): Promise<boolean> => entries.every((entry) => linesOf(entry).length > 0);
    await eventually(areAll, 5_000, 'an entry has no line of the log');
    for (const entry of entries) {
      const { action, account_id, actor_type, actor_id, subject_type, subject_id } = entry;
      const told = {
        ...{ action, actor_type, actor_id, subject_type, subject_id },
        account_id: account_id === NIL_ID ? null : account_id,
      };
      expect(linesOf(entry).map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining(told),
      ]);
    }
  });

  it('no entry and no line of the log has anything of a secret', async () => {
    const { url } = scene.server;
    const invited = await scene.invite();
    const person = await joinBy(url, invited);
    const app = await Authenticator.enable(person);
    const typed = 'a password, typed as an address';
    const wrongPassword = 'a wrong password';
    secrets.push(typed, wrongPassword, PASSWORD, invited.token, app.secret, ...app.recoveryCodes);
    secrets.push(person.csrfToken, person.cookie.replace(/^.*=/, ''));
    await callAuth(url, 'sign-in', { email: typed, password: PASSWORD });
    await callAuth(url, 'accept-invitation', { token: typed, password: PASSWORD });
    const { headers } = await callAuth(url, 'sign-in', { email: invited.email, password: wrongPassword });
    const isOfLast = (line: string): boolean =>
      line.includes(headers.get('x-request-id')!) && line.includes('"method"');
    const isWritten = async (): Promise<boolean> => scene.server.output().split('\n').some(isOfLast);
    await eventually(isWritten, 5_000, 'the last call has no line of the log');
    const { rows } = await scene.database.pool.query<{ all: string }>(
      "SELECT string_agg(e::text, E'\\n') AS all FROM audit_entries e",
    );
    const [all, lines] = [rows[0]?.all ?? '', scene.server.output()];
    expect(secrets.length).toBeGreaterThan(55);
    expect(secrets.filter((each) => all.includes(each) || lines.includes(each))).toEqual([]);
    expect(all).toContain('changed');
  });
});

describe('an admin of an account', () => {
  it('means that account where none is named, and may neither change its quota nor make a key of all', async () => {
    const admin = await scene.person('', 'admin');
    const own = await scene.thingsOf();
    for (const operation of operations.filter(({ body }) => body?.properties?.account_id)) {
      const { path, body } = callOf(operation, own);
      const answer = await scene.call(admin, 'POST', path, { ...body, account_id: undefined });
      expect([path, answer.body.data?.account_id]).toEqual([path, scene.account.id]);
    }
    const refused: [string, string, object][] = [
      ['PATCH', `accounts/${own.account}`, { monthly_message_quota: null }],
      ['PATCH', `accounts/${own.account}`, { media_quota_bytes: null }],
      ['POST', 'api-keys', { name: 'All', scopes: ['admin'] }],
      ['PATCH', `api-keys/${own.key}`, { scopes: ['admin'] }],
    ];
    for (const [method, path, body] of refused) {
      const answer = await scene.call(admin, method, `/api/v1/admin/${path}`, body);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'FORBIDDEN']);
    }
  });
});
