import { OPERATIONS, type AccessRule } from '@app/domain/accounts/access.table';
import { bytesOfAnswer } from '../../support/clients/answer.bytes';
import type { Answer } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { dumpOf } from '../../support/database/database.dump';
import {
  callOf,
  cellsOf,
  idsOf,
  kindOf,
  missing,
  setAccessScene,
  type Cell,
  type Named,
  type Principal,
} from '../../support/scenes/access.matrix';
import { EVENTS, eventsOfGateways, NOTHING } from '../../support/scenes/gateway.events';

type Outcome = 'unknown' | 'forbidden' | 'confirm' | 'in';

const scene = setAccessScene();
let cells: Cell[];
let principals: Principal[];
let foreign: Named;
let foreignAccount: AccountFixture;
/** An agent of the account that only some principals see, and its things. */
let secondAgent: string;
let ofSecondAgent: Named;

beforeAll(async () => {
  foreignAccount = await AccountFixture.create(scene.database.pool);
  secondAgent = await scene.account.addAssistant();
  foreign = await scene.thingsOf(foreignAccount);
  ofSecondAgent = await scene.thingsOf(scene.account, secondAgent);
  cells = await cellsOf(scene.server.url);
  const one = { assistant_ids: [scene.account.assistantId] };
  const admin = await scene.person('an admin', 'admin');
  const disabled = await scene.person('a disabled admin', 'admin');
  const { status } = await scene.admin.admin('PATCH', `users/${disabled.session.userId}`, { disabled: true });
  expect(status).toBe(200);
  const expired = await scene.person('an admin whose session expired', 'admin');
  await scene.database.pool.query(
    `UPDATE user_sessions SET last_seen_at = clock_timestamp() - interval '12 hours 1 second' WHERE user_id = $1`,
    [expired.session.userId],
  );
  const nobody = { type: 'nobody', headers: {} } as const;
  principals = [
    { ...expired, name: 'nobody', ...nobody },
    await scene.key('a key for leads', ['leads']),
    await scene.key('a key for messages', ['messages']),
    await scene.key('a key for both', ['leads', 'messages']),
    await scene.key('an admin key', ['admin']),
    { ...(await scene.key('an expired key', ['leads', 'messages'], past())), type: 'nobody' },
    { ...(await scene.key('an expired admin key', ['admin'], past())), type: 'nobody' },
    await scene.person('an operator of all agents', 'operator'),
    await scene.person('an operator of one agent', 'operator', one),
    admin,
    await scene.person('an admin who gave no password again', 'admin', {}, false),
    await scene.person('an admin of another account', 'admin', { account_id: foreignAccount.id }),
    { ...disabled, type: 'nobody' },
    { ...expired, type: 'nobody' },
  ];
});

const past = (): { expiresAt: Date } => ({ expiresAt: new Date(Date.now() - 60_000) });
const named = (name: string): Principal => {
  const found = principals.find((each) => each.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

/** By the table of operations, read as data. */
function tableSays({ type, scopes, role, confirmed }: Principal, { name }: Cell): Outcome {
  const rule: AccessRule | undefined = OPERATIONS[name as keyof typeof OPERATIONS];
  if (!rule) throw new Error(`no operation of the table is called ${name}`);
  if (type === 'nobody') return 'unknown';
  if (type === 'key') return rule.scopes.some((scope) => scopes.includes(scope)) ? 'in' : 'forbidden';
  if (rule.role !== 'operator' && rule.role !== role) return 'forbidden';
  return rule.confirmed && !confirmed ? 'confirm' : 'in';
}

/** What an operator reads of the administration: lists and single things, but nothing below them. */
const OPERATORS_READ =
  /^GET \/api\/v1\/admin\/(assistants|statuses|bots|templates|scenarios|scenario-runs)(\/\{id\})?$/;
/** Of dialogs: keys for leads may call them too. */
const OF_BOTH = /\/messages\/(get-threads|get-messages)$/;
/** Keys, people, secrets, exports and erasures: contract, section 9. */
const NEED_PASSWORD =
  /^(?!GET ).* \/api\/v1\/admin\/(api-keys|users|webhook-endpoints)\b|rotate-secret$|\/export$/;

/** By the contract, written down here without the table. */
function contractSays({ type, scopes, role, confirmed }: Principal, { title, path }: Cell): Outcome {
  if (type === 'nobody') return 'unknown';
  const [, area] = /^\/api\/v1\/(\w+)\//.exec(path) ?? [];
  const allowed: Record<string, string[]> = {
    leads: ['leads', 'operator', 'admin of an account'],
    messages: ['messages', 'operator', 'admin of an account', ...(OF_BOTH.test(path) ? ['leads'] : [])],
    auth: ['operator', 'admin of an account'],
    admin: ['admin', 'admin of an account', ...(OPERATORS_READ.test(title) ? ['operator'] : [])],
  };
  const may = title === 'POST /api/v1/admin/accounts' ? ['admin'] : (allowed[area ?? ''] ?? []);
  const is = type === 'key' ? scopes : [role === 'admin' ? 'admin of an account' : 'operator'];
  if (!is.some((word) => may.includes(word))) return 'forbidden';
  return type === 'person' && !confirmed && NEED_PASSWORD.test(title) ? 'confirm' : 'in';
}

function outcomeOf({ status, body }: Answer): Outcome {
  if (status === 401) return 'unknown';
  if (status !== 403) return 'in';
  return body.error.code === 'CONFIRM_REQUIRED' ? 'confirm' : 'forbidden';
}

const isOfSession = ({ path }: Cell): boolean => path.startsWith('/api/v1/auth/');
const isPublic = ({ name }: Cell): boolean => name === null;

/** What each of the operations that need a principal answers to it, changing nothing. */
async function outcomesOf(principal: Principal): Promise<Record<string, Outcome>> {
  const found: Record<string, Outcome> = {};
  const nothing = Object.fromEntries(
    Object.keys(foreign).map((kind) => [kind, missing(kind as keyof Named)]),
  ) as unknown as Named;
  const others = cells.filter((cell) => !isPublic(cell) && !cell.path.endsWith('/sign-out'));
  for (const cell of [...others, ...cells.filter(({ path }) => path.endsWith('/sign-out'))]) {
    const { path } = callOf(cell, nothing);
    const body = cell.sample ? { nobody_knows_this_field: true } : undefined;
    found[cell.title] = outcomeOf(await scene.call(principal, cell, path, body));
  }
  return found;
}

const by = (says: (principal: Principal, cell: Cell) => Outcome, principal: Principal) =>
  Object.fromEntries(
    cells.filter((cell) => !isPublic(cell)).map((cell) => [cell.title, says(principal, cell)]),
  );

describe('foreign and missing things', () => {
  it.each([
    'a key for both',
    'an operator of all agents',
    'an operator of one agent',
    'an admin',
    'an admin of another account',
  ])('are alike, byte for byte, for %s, and stay as they are', async (name) => {
    const principal = named(name);
    const [account, own, others] = name.endsWith('another account')
      ? [foreignAccount, foreign, [ofSecondAgent]]
      : [scene.account, await scene.thingsOf(scene.account), [foreign]];
    if (/key|one agent/.test(name)) others.push(ofSecondAgent);
    const before = await dumpOf(scene.database.pool);
    const told: unknown[] = [];
    let looked = 0;
    for (const cell of cells.filter((each) => !isPublic(each) && !isOfSession(each))) {
      if (tableSays(principal, cell) !== 'in') continue;
      for (const id of idsOf(cell)) {
        const kind = kindOf(id.replace('path:', ''));
        // Of a bot a key learns that it exists: the specification's exception, for whoever sends.
        if (kind === 'bot' && principal.type === 'key' && cell.path.startsWith('/api/v1/messages/')) continue;
        // Whoever is named in the body of the own account's things is not of an agent.
        const wrongs = others
          .filter((of) => of !== ofSecondAgent || !['account', 'user', 'key'].includes(kind))
          .map((of) => of[kind]);
        const answer = async (value: string): Promise<string> => {
          const { path, body } = callOf(cell, own, { [id]: value });
          return bytesOfAnswer(await scene.call(principal, cell, path, body));
        };
        const ofMissing = await answer(missing(kind));
        for (const wrong of wrongs) {
          looked += 1;
          const found = await answer(wrong);
          if (found !== ofMissing) told.push([cell.title, id, found, ofMissing]);
        }
      }
    }
    expect(told).toEqual([]);
    expect(looked).toBeGreaterThan(20);
    const after = await dumpOf(scene.database.pool);
    const ofForeign = (dump: Record<string, string>): string[] =>
      Object.values(dump).flatMap((rows) =>
        rows.split('\n').filter((row) => row.includes(foreignAccount.id)),
      );
    if (account !== foreignAccount) expect(ofForeign(after)).toEqual(ofForeign(before));
  });
});

describe('own things', () => {
  it.each([
    'a key for both',
    'an operator of all agents',
    'an operator of one agent',
    'an admin',
    'an admin key',
  ])('are refused to %s by no operation that it may call', async (name) => {
    const principal = named(name);
    const own = await scene.thingsOf(scene.account);
    const kept = cells.filter((cell) => cell.method !== 'DELETE');
    const refused: unknown[] = [];
    for (const cell of [...kept, ...cells.filter(({ method }) => method === 'DELETE')]) {
      if (isPublic(cell) || isOfSession(cell) || tableSays(principal, cell) !== 'in') continue;
      if (idsOf(cell).some((id) => ['path:webhook-rejects', 'path:media'].includes(id))) continue;
      const { path, body } = callOf(cell, own);
      const given = cell.name === 'account.update' ? { name: 'Ours' } : body;
      const { status, text } = await scene.call(principal, cell, path, given);
      if ([401, 403, 404].includes(status) || status === 500) refused.push([cell.title, status, text]);
    }
    expect(refused).toEqual([]);
  });
});

describe('boards', () => {
  const connect = ({ headers }: Principal): Promise<BoardClient> => {
    const { 'X-API-Key': key, ...others } = headers;
    return BoardClient.connect(scene.server.url, key ? { api_key: key } : {}, { extraHeaders: others });
  };
  it('know each event that the application’s gateways take: say of a new one here what it asks for', () => {
    expect(eventsOfGateways()).toEqual(Object.keys(EVENTS).sort());
  });

  it('let in whom the table lets in, and tell nobody more of a foreign agent than of a missing one', async () => {
    const rule: AccessRule = OPERATIONS['board.open'];
    for (const principal of principals) {
      const expected = tableSays(principal, { ...cells[0]!, name: 'board.open' });
      const came = await connect(principal).then(
        (board) => ({ board, outcome: 'in' as const }),
        ({ message }: Error) => ({ board: null, outcome: message === 'FORBIDDEN' ? 'forbidden' : 'unknown' }),
      );
      expect([principal.name, came.outcome]).toEqual([principal.name, expected]);
      if (!came.board) continue;
      const own = principal.name.endsWith('another account') ? foreign : ofSecondAgent;
      const ask = (event: string, of: Named) => came.board.request(event, EVENTS[event]!.of(of));
      const strangers = principal.name.endsWith('another account') ? ofSecondAgent : foreign;
      for (const [event, { name, code }] of Object.entries(EVENTS)) {
        const [wrong, none] = [await ask(event, strangers), await ask(event, NOTHING)];
        expect([principal.name, event, wrong]).toEqual([principal.name, event, none]);
        const refused = tableSays(principal, { ...cells[0]!, name }) === 'in' ? code : 'FORBIDDEN';
        expect([principal.name, event, wrong]).toMatchObject([
          principal.name,
          event,
          { ok: false, error: { code: refused } },
        ]);
      }
      const seesAll = /all agents|admin/.test(principal.name);
      for (const event of ['board:open', 'presence:set'])
        expect([principal.name, event, (await ask(event, own)).ok]).toEqual([
          principal.name,
          event,
          seesAll && tableSays(principal, { ...cells[0]!, name: EVENTS[event]!.name }) === 'in',
        ]);
      came.board.close();
    }
    expect(rule.role).toBe('operator');
  });
});

// The last, because it signs out.
describe('who may call what', () => {
  it('knows the table’s name of every operation that is not public', () => {
    expect(cells.filter(isPublic).map(({ title }) => title)).toEqual([
      'POST /api/v1/auth/sign-in',
      'POST /api/v1/auth/accept-invitation',
    ]);
    const used = cells.flatMap(({ name }) => name ?? []);
    const events: string[] = Object.values(EVENTS).map(({ name }) => name);
    const unused = Object.keys(OPERATIONS).filter((name) => ![...used, ...events].includes(name));
    expect(unused).toEqual([]);
    expect(used.length).toBeGreaterThan(80);
  });

  it('is what the table says and what the contract says, for each principal and operation', async () => {
    await Promise.all(
      principals.map(async (principal) => {
        const found = await outcomesOf(principal);
        expect({ [principal.name]: found }).toEqual({ [principal.name]: by(tableSays, principal) });
        expect({ [principal.name]: found }).toEqual({ [principal.name]: by(contractSays, principal) });
      }),
    );
  });
});
