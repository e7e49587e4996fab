import { OPERATIONS, type AccessRule } from '@app/domain/accounts/access.table';
import { bytesOfAnswer } from '../../support/clients/answer.bytes';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { dumpOf } from '../../support/database/database.dump';
import { eachOf, fitting } from '../../support/scenes/access.bodies';
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
import { principalsOf } from '../../support/scenes/access.principals';
import { by, contractSays, isPublic, outcomesOf, tableSays } from '../../support/scenes/access.rules';
import { EVENTS, eventsOfGateways, NOTHING } from '../../support/scenes/gateway.events';

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
  [foreign, ofSecondAgent, cells, principals] = await Promise.all([
    scene.thingsOf(foreignAccount),
    scene.thingsOf(scene.account, secondAgent),
    cellsOf(scene.server.url),
    principalsOf(scene, foreignAccount),
  ]);
});

const named = (name: string): Principal => {
  const found = principals.find((each) => each.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

/** The account of a principal; an admin key governs all, and takes the first. */
const accountOf = ({ name }: Principal): AccountFixture =>
  name.endsWith('another account') ? foreignAccount : scene.account;

/** Who has things of its own. */
const OWNERS = [
  ...['a key for both', 'an operator of all agents', 'an operator of one agent', 'an admin'],
  ...['a key of another account', 'an operator of another account', 'an admin of another account'],
];

/** Each with things of its own account. The accounts go side by side. */
async function withOwn(names: string[]): Promise<[Principal, Named][]> {
  const ofAccount = async (account: AccountFixture): Promise<[Principal, Named][]> => {
    const found: [Principal, Named][] = [];
    for (const principal of names.map(named).filter((each) => accountOf(each) === account))
      found.push([principal, await scene.thingsOf(account)]);
    return found;
  };
  return (await Promise.all([scene.account, foreignAccount].map(ofAccount))).flat();
}

const callableBy = (principal: Principal): Cell[] =>
  cells.filter((cell) => !isPublic(cell) && tableSays(principal, cell) === 'in');

interface Exception {
  of: RegExp;
  answer: string;
  because: string;
}

/** How else than by 404 a foreign or missing thing is answered: by titles with the field. */
const NO_404: Exception[] = [
  {
    of: /set-status-bulk items\.(thread|status)_id$/,
    answer: '200',
    because: 'each item has its own answer, which says that it is not there',
  },
  {
    of: /set-status(-bulk)? (items\.)?expected_status_id$/,
    answer: '200',
    because: 'the lead is where it shall go already',
  },
];

/** What the caller is answered other than 2xx for its own things: by titles. */
const NOT_DONE: Exception[] = [
  {
    of: /send-(template|text)$|\/templates\/(\{id\}\/submit|synchronize)$/,
    answer: '502 PROVIDER_ERROR',
    because: 'no provider is here to take it',
  },
  { of: /assistants\/\{id\}\/try$/, answer: '502 MODEL_ERROR', because: 'no model is here to be asked' },
  {
    of: /upload-media$|leads\/import$/,
    answer: '422 VALIDATION_ERROR',
    because: 'it takes a form, and a cell sends JSON',
  },
  {
    of: /scenario-runs\/\{id\}\/(cancel|retry|steps\/\{index\}\/resolve)$/,
    answer: '409 RUN_STATE',
    because: 'the run is done',
  },
  { of: /^DELETE .*\/statuses\/\{id\}$/, answer: '409 STATUS_IN_USE', because: 'a lead stands in the stage' },
  {
    of: /second-factor\/enable$/,
    answer: '422 VALIDATION_ERROR',
    because: 'the code is of an app that is not here',
  },
  {
    of: /second-factor\/disable$/,
    answer: '403 WRONG_PASSWORD',
    because: 'the page’s password is not theirs',
  },
];

const used = new Set<Exception>();
function expectedOf(exceptions: Exception[], title: string, otherwise: string): string {
  const found = exceptions.find(({ of }) => of.test(title));
  if (found) used.add(found);
  return found?.answer ?? otherwise;
}

describe('foreign and missing things', () => {
  /** What told them apart, by the principal. */
  const told: Record<string, unknown[]> = {};
  const looked: Record<string, Set<string>> = {};
  const dumps: Record<string, string>[] = [];

  async function look(principal: Principal, own: Named): Promise<void> {
    const { name } = principal;
    const [apart, kinds] = [(told[name] = [] as unknown[]), (looked[name] = new Set<string>())];
    const others = accountOf(principal) === foreignAccount ? [ofSecondAgent] : [foreign];
    const wrongsOf = (kind: keyof Named): string[] => {
      // Keys and people are of no agent. A session is of one person, whoever else sees all agents.
      const ofAgent = /key for|one agent/.test(name) && !['account', 'user', 'key'].includes(kind);
      const ofAccount = others[0] === foreign && (ofAgent || kind === 'session') ? [ofSecondAgent] : [];
      return [...others, ...ofAccount].map((of) => of[kind]);
    };
    await eachOf(callableBy(principal), async (cell) => {
      for (const id of idsOf(cell)) {
        const kind = kindOf(id.replace('path:', ''));
        // Of a bot a key learns that it exists: the specification's exception, for whoever sends.
        if (kind === 'bot' && principal.type === 'key' && /\/messages\/|leads\/export$/.test(cell.path))
          continue;
        const fit = fitting(cell, own.stage);
        const answer = async (value: string): Promise<string> => {
          const { path, body } = callOf(fit, own, { [id]: value });
          return bytesOfAnswer(await scene.call(principal, cell, path, body));
        };
        const ofMissing = await answer(missing(kind));
        const expected = expectedOf(NO_404, `${cell.title} ${id}`, '404');
        if (!ofMissing.startsWith(`[${expected},`)) apart.push([cell.title, id, ofMissing]);
        for (const wrong of wrongsOf(kind)) {
          kinds.add(kind);
          const found = await answer(wrong);
          if (found !== ofMissing) apart.push([cell.title, id, found, ofMissing]);
        }
      }
    });
  }

  beforeAll(async () => {
    const owners = await withOwn(OWNERS);
    dumps.push(await dumpOf(scene.database.pool));
    await Promise.all(owners.map(([principal, own]) => look(principal, own)));
    dumps.push(await dumpOf(scene.database.pool));
  });

  it.each(OWNERS)('are alike, byte for byte, and not found for %s', (name) => {
    expect(told[name]).toEqual([]);
    const ofAll = ['assistant', 'batch', 'import', 'media', 'message', 'scenario', 'stage', 'thread', 'user'];
    const ofPeople = [...ofAll, 'session', 'bot', 'template', 'run'];
    const ofAdmins = [...ofPeople, 'account', 'key', 'tool', 'reject', 'endpoint', 'delivery'];
    const expected = /key/.test(name) ? ofAll : /admin/.test(name) ? ofAdmins : ofPeople;
    expect([...looked[name]!].sort()).toEqual(expected.sort());
  });

  it('stay as they are, as all else does, whoever names them', () => {
    const others = [foreign, ofSecondAgent].flatMap(({ key, session }) => [key, session]);
    // A call notes when its key or session was last used.
    const kept = (dump: Record<string, string> = {}) =>
      Object.entries(dump).map(([table, rows]) => [
        table,
        ...(['api_keys', 'user_sessions'].includes(table)
          ? rows.split('\n').filter((row) => others.some((id) => row.includes(id)))
          : [rows]),
      ]);
    expect(kept(dumps[1])).toEqual(kept(dumps[0]));
  });
});

describe('own things', () => {
  const answers: Record<string, unknown[]> = {};
  const names = [...OWNERS, 'an admin key'];
  /** What takes away comes after what needs it. */
  const rank = ({ method, path }: Cell): number =>
    path.endsWith('/change-password') ? 2 : method === 'DELETE' || path.endsWith('/erase') ? 1 : 0;

  async function call(principal: Principal, own: Named): Promise<void> {
    const wrong = (answers[principal.name] = [] as unknown[]);
    if (principal.session)
      own.session = await scene.addSession(accountOf(principal).id, principal.session.userId);
    for (const cell of callableBy(principal).sort((one, other) => rank(one) - rank(other))) {
      // At the end of this file.
      if (cell.path.endsWith('/sign-out')) continue;
      const { path, body } = callOf(fitting(cell, own.stage), own);
      const { status, text, body: answer } = await scene.call(principal, cell, path, body);
      const found = status < 300 ? '2xx' : `${status} ${answer.error.code}`;
      if (found !== expectedOf(NOT_DONE, cell.title, '2xx')) wrong.push([cell.title, status, text]);
    }
  }

  beforeAll(async () => {
    await Promise.all((await withOwn(names)).map(([principal, own]) => call(principal, own)));
  });

  it.each(names)(
    'are answered with 2xx to %s by each operation that it may call, but for the exceptions',
    (name) => {
      expect(answers[name]).toEqual([]);
    },
  );

  it('need each of the exceptions', () => {
    expect([...NO_404, ...NOT_DONE].filter((each) => !used.has(each))).toEqual([]);
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
      const seesAll = /all agents|admin|another account/.test(principal.name);
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
        const found = await outcomesOf(scene, cells, principal);
        expect({ [principal.name]: found }).toEqual({ [principal.name]: by(tableSays, principal, cells) });
        expect({ [principal.name]: found }).toEqual({ [principal.name]: by(contractSays, principal, cells) });
      }),
    );
  });
});
