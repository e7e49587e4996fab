import type { Answer, ApiClient } from '../../support/clients/api.client';
import { HOSTILE_WORDS } from '../../support/clients/hostile.words';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { triesOf } from '../../support/long.mode';
import { setScene } from '../../support/scenes/base.scene';

const FOUND_WITHIN_MS = 20_000;

const scene = setScene();

const idsOf = ({ status, body }: Answer): string[] => {
  expect([status, body.error]).toEqual([200, undefined]);
  return (body.data.threads as { thread_id: string }[]).map(({ thread_id }) => thread_id);
};

/** An account of its own for each test: words are stored about once a second, so the tests wait side by side. */
class SearchedAccount {
  private constructor(
    readonly account: AccountFixture,
    readonly api: ApiClient,
  ) {}

  static async create(): Promise<SearchedAccount> {
    const account = await AccountFixture.create(scene.database.pool);
    return new SearchedAccount(account, scene.apiAt(0, account.key));
  }

  readonly found = async (search: string, further: object = {}): Promise<string[]> =>
    idsOf(await this.api.getThreads({ search, ...further }));

  readonly named = async (name: string): Promise<string> => {
    const thread = await this.account.addThread();
    await scene.kept.setFacts(thread, `customer_name = $$${name}$$`);
    return thread;
  };

  /** Resolves when all that was stored can be found. Dialogs that were written without a message are read as a whole. */
  readonly searchable = async (): Promise<void> => {
    const { pool } = scene.database;
    const { id } = this.account;
    await pool.query(
      'INSERT INTO search_queue (account_id, thread_id) SELECT account_id, id FROM threads WHERE account_id = $1',
      [id],
    );
    const isDone = async (): Promise<boolean> =>
      (await pool.query('SELECT 1 FROM search_queue WHERE account_id = $1 LIMIT 1', [id])).rowCount === 0;
    await eventually(isDone, FOUND_WITHIN_MS, 'the words were not stored');
  };
}

const newestFirst = (...threads: string[]): string[] => threads.sort().reverse();

// What each word and each way to write a phone finds: libs/domain/src/threads/search.words.db.spec.ts.

it.concurrent('words of the name, of one message or of several, and digits of the phone find a dialog', async () => {
  const { account, api, found, named, searchable } = await SearchedAccount.create();
  const thread = await named('Айгерим Серікқызы');
  await account.addMessage(thread, { text: 'Где мой заказ?' });
  await account.addMessage(thread, { text: 'Жду доставку завтра' });
  const other = await named('Айгерим'.normalize('NFD'));
  await account.addMessage(other, { text: 'Где мой заказ?' });
  const third = await account.addThread({ phone: '+77015551001' });
  await account.addMessage(third, { text: "O'Brien, 50%_" });
  await searchable();
  const looks: [string, string[]][] = [
    ['завтра айгер ЗАКАЗ', [thread]],
    ['заказ айг', newestFirst(thread, other)],
    ['заказ нет', []],
    ['герим', []],
    ['8 (701) 555-10-01', [third]],
    ['5551001', [third]],
    ["o'brien 7015", [third]],
  ];
  for (const [search, expected] of looks) expect([search, await found(search)]).toEqual([search, expected]);
  const { body } = await api.getThreads({ search: 'айгер', counts: true });
  expect(body.data.totals).toEqual([{ status_id: null, total: 2 }]);
});

it.concurrent('what was stored is found within seconds, and a former name no more', async () => {
  const { account, found, named } = await SearchedAccount.create();
  const thread = await named('Прежняя');
  await account.addMessage(thread, { text: 'первое' });
  await eventually(async () => (await found('перв')).length === 1, FOUND_WITHIN_MS, 'it is not found');
  expect(await found('прежняя')).toEqual([thread]);
  await scene.kept.setFacts(thread, `customer_name = 'Новая'`);
  await account.addMessage(thread, { text: 'второе' });
  await eventually(async () => (await found('втор новая')).length === 1, FOUND_WITHIN_MS, 'it is not found');
  expect(await found('прежняя')).toEqual([]);
  expect(await found('перв втор')).toEqual([thread]);
});

it.concurrent('the name that a person gives is found, and the messenger’s again when it is taken back', async () => {
  const { api, found, named, searchable } = await SearchedAccount.create();
  const thread = await named('Aigerim');
  await searchable();
  await api.call('leads/set-name', { thread_id: thread, name: 'Айгерим Постоянная' });
  await eventually(async () => (await found('постоян')).length === 1, FOUND_WITHIN_MS, 'it is not found');
  expect(await found('aigerim')).toEqual([]);
  await api.call('leads/set-name', { thread_id: thread, name: null });
  await eventually(async () => (await found('aigerim')).length === 1, FOUND_WITHIN_MS, 'it is not found');
  expect(await found('постоян')).toEqual([]);
});

it.concurrent('a search finds nothing of other accounts and of agents that the key does not see', async () => {
  const { account, found, searchable } = await SearchedAccount.create();
  const foreign = await AccountFixture.create(scene.database.pool);
  await foreign.addMessage(await foreign.addThread(), { text: 'тайна' });
  const other = await account.addAssistant();
  const hidden = await account.addThread({}, other, await account.addBot(undefined, other));
  await account.addMessage(hidden, { text: 'тайна' });
  const own = await account.addThread();
  await account.addMessage(own, { text: 'тайна' });
  await searchable();
  expect(await found('тайна')).toEqual([own]);
});

it.concurrent('every page of a search, beside another filter and in each order, has what the others do not', async () => {
  const { account, api, found, searchable } = await SearchedAccount.create();
  const [stage] = account.stages;
  const threads: string[] = [];
  for (let n = 0; n < 12; n++) {
    const thread = await account.addThread({ statusId: n % 2 === 0 ? stage : null });
    await account.addMessage(thread, { text: n % 3 === 0 ? 'редкое слово' : 'слово' });
    threads.push(thread);
  }
  await searchable();
  for (const sort of ['opened', 'activity', 'waiting']) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await api.getThreads({ search: 'слово', status_id: stage, sort, limit: 2, cursor });
      seen.push(...idsOf(answer));
      cursor = (answer.body.data as { next_cursor: string | null }).next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(threads.filter((_, n) => n % 2 === 0).toSorted());
  }
  expect(await found('сло ред')).toEqual(newestFirst(...threads.filter((_, n) => n % 3 === 0)));
  const { body } = await api.getThreads({ search: 'редкое', counts: true });
  expect(body.data.totals).toEqual(
    expect.arrayContaining([
      { status_id: stage, total: 2 },
      { status_id: null, total: 2 },
    ]),
  );
});

/** More than the first looks read, of whatever size they are. */
const MANY = 1_800;

it.concurrent(
  'pages miss and repeat nothing, however many dialogs have the words, also where the index finds them',
  async () => {
    const { account, api, searchable } = await SearchedAccount.create();
    const { pool } = scene.database;
    await pool.query(
      `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, customer_name, opted_out, ai_enabled)
     SELECT $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, $3, 'waba', 'many ' || n,
            concat_ws(' ', CASE WHEN n % 2 = 0 THEN 'половина' END, CASE WHEN n % 40 = 0 THEN 'сороковая' END,
                           CASE WHEN n % 900 = 0 THEN 'редкая' END, CASE WHEN n < 200 THEN 'старая' END), n % 5 = 0, n % 5 <> 0
       FROM generate_series(1, ${MANY}) n`,
      [account.id, account.assistantId, account.botId],
    );
    const rare = (n: number): string => `thread_00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    for (const n of [1, 100]) await account.addMessage(rare(n), { text: 'иголка в стоге' });
    await searchable();
    const has = (fits: (n: number) => boolean): string[] =>
      Array.from({ length: MANY }, (_, n) => MANY - n)
        .filter(fits)
        .map(rare);
    const cases: [object, number, string[]][] = [
      [{ search: 'половина' }, 200, has((n) => n % 2 === 0)],
      [{ search: 'сороковая' }, 7, has((n) => n % 40 === 0)],
      [{ search: 'сороковая' }, 50, has((n) => n % 40 === 0)],
      [{ search: 'редкая' }, 3, has((n) => n % 900 === 0)],
      [{ search: 'старая половина' }, 40, has((n) => n < 200 && n % 2 === 0)],
      [{ search: 'половина', opted_out: true }, 150, has((n) => n % 10 === 0)],
      [{ search: 'сороковая', opted_out: false }, 50, []],
      [{ search: 'игол' }, 1, [rare(100), rare(1)]],
      [{ search: 'сто игол', waiting: false }, 50, [rare(100), rare(1)]],
    ];
    for (const [asked, limit, expected] of cases) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const answer = await api.getThreads({ ...asked, limit, cursor });
        seen.push(...idsOf(answer));
        cursor = (answer.body.data as { next_cursor: string | null }).next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(expected);
    }
  },
  2 * FOUND_WITHIN_MS,
);

it.concurrent(
  'a page has each dialog once, while others are opened',
  async () => {
    const { account, api, searchable } = await SearchedAccount.create();
    const { pool } = scene.database;
    const open = (from: number, count: number) =>
      pool.query(
        `INSERT INTO threads (account_id, id, assistant_id, bot_id, channel, contact, customer_name, opted_out, ai_enabled)
       SELECT $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2, $3, 'waba', 'many ' || n, 'заказ',
              n % 2 = 0, n % 2 <> 0 FROM generate_series($4::int, $5::int) n`,
        [account.id, account.assistantId, account.botId, from, from + count - 1],
      );
    await open(1, 800);
    await searchable();
    let isOver = false;
    const opening = (async () => {
      for (let n = 801; !isOver; n++) await open(n, 1);
    })();
    for (let n = 0; n < triesOf(20, 60); n++) {
      const ids = idsOf(await api.getThreads({ search: 'заказ', opted_out: false, limit: 200 }));
      expect(new Set(ids).size).toBe(ids.length);
    }
    isOver = true;
    await opening;
  },
  2 * FOUND_WITHIN_MS,
);

it.concurrent('what breaks words, patterns or queries is stored, sought and answered', async () => {
  const { account, api, searchable } = await SearchedAccount.create();
  for (const text of HOSTILE_WORDS) await account.addMessage(await account.addThread(), { text });
  await searchable();
  for (const [n, search] of HOSTILE_WORDS.entries()) {
    const sort = ['opened', 'activity', 'waiting'][n % 3];
    const { status } = await api.getThreads({ search, sort, counts: true });
    expect([search, status]).toEqual([search, 200]);
  }
});
