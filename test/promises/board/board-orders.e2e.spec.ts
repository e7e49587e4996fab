import type { BoardMoreRequest, BoardSnapshot } from '@app/contracts/board.events';
import { THREAD_SORTS } from '@app/contracts/list.words';
import type { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { setLeadScene } from '../../support/scenes/lead.scene';

const LEADS = 70;

const scene = setLeadScene();
let account: AccountFixture;
let api: ApiClient;
let board: BoardClient;

beforeEach(async () => {
  account = await AccountFixture.create(scene.database.pool);
  api = scene.apiAt(0, await account.addKey({ limitLeads: 100_000 }));
  board = await BoardClient.connect(scene.server.url, { api_key: account.key });
  for (let index = 0; index < LEADS; index++)
    await account.addThread({
      statusId: account.stages[0],
      waitingMinutes: index % 2 === 0 ? ((index * 13) % LEADS) + 1 : undefined,
    });
  // Neither the order of opening nor that of waiting is that of activity.
  await scene.database.pool.query(
    `UPDATE threads SET last_activity_at = clock_timestamp() - make_interval(secs => 600 + (('x' || left(md5(id::text), 4))::bit(16)::int % 900))
      WHERE account_id = $1`,
    [account.id],
  );
  // The messages that wait: how a dialog was that has changed meanwhile is read from them.
  await scene.database.pool.query(
    `INSERT INTO messages (account_id, id, thread_id, bot_id, channel, role, inbound, status, text, sent_at, created_at)
     SELECT account_id, waiting_message_id, id, bot_id, channel, 'USER', true, 'received', '', waiting_at, last_activity_at
       FROM threads WHERE account_id = $1 AND waiting_message_id IS NOT NULL`,
    [account.id],
  );
});

afterEach(() => board?.close());

const column = ({ columns }: BoardSnapshot, statusId: string | null) =>
  columns.find(({ status_id }) => status_id === statusId);

/** The cards of the first column, page by page. Between pages something happens. */
async function pages(
  how: Pick<BoardMoreRequest, 'filter' | 'sort'>,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const status_id = account.stages[0] ?? '';
  const first = column(await board.open(account.assistantId, { ...how, limit: 15 }), status_id);
  const seen = (first?.cards ?? []).map(({ thread_id }) => thread_id);
  for (let cursor = first?.next_cursor; cursor;) {
    await meanwhile();
    const page = await board.more({ assistant_id: account.assistantId, status_id, cursor, ...how });
    expect(Object.keys(page).sort()).toEqual(['cards', 'next_cursor', 'seq', 'status_id']);
    seen.push(...page.cards.map(({ thread_id }) => thread_id));
    cursor = page.next_cursor;
  }
  return seen;
}

const listed = async (filter: object): Promise<string[]> => {
  const { body } = await api.getThreads({ limit: 200, status_ids: [account.stages[0]], ...filter });
  return (body.data.threads as { thread_id: string }[]).map(({ thread_id }) => thread_id);
};

describe('a board’s columns', () => {
  it.each([undefined, ...THREAD_SORTS])('have the order of get-threads, sort %s', async (sort) => {
    const order = sort ?? 'activity';
    expect(await pages({ sort })).toEqual(await listed({ sort: order }));
    const filter = { waiting: true };
    expect(await pages({ sort, filter })).toEqual(await listed({ sort: order, ...filter }));
  });

  it.each([
    ['opened', undefined],
    ['opened', { waiting: true }],
    ['activity', { waiting: true }],
    ['waiting', { waiting: true }],
  ] as const)(
    'sorted by %s with filter %j have each lead once, however leads move between the pages',
    async (sort, filter) => {
      const all = await listed({ sort, ...filter });
      const [first = '', second = ''] = account.stages;
      const moving = all.filter((_, index) => index % 4 === 0);
      const seen = await pages({ sort, filter }, async () => {
        for (const thread_id of moving.splice(0, 4)) {
          await api.setStatus({ thread_id, status_id: second });
          await api.setStatus({ thread_id, status_id: first });
        }
      });
      expect([...seen].sort()).toEqual([...all].sort());
    },
  );

  it('have as many cards as were asked for, at most 100, and 50 otherwise', async () => {
    const cards = async (limit?: number): Promise<number | undefined> =>
      column(await board.open(account.assistantId, { limit }), account.stages[0] ?? '')?.cards.length;
    expect([await cards(1), await cards(), await cards(100)]).toEqual([1, 50, LEADS]);
    for (const limit of [0, 101, 1.5, '5', null])
      expect(await board.request('board:open', { assistant_id: account.assistantId, limit })).toMatchObject({
        ok: false,
        error: { code: 'VALIDATION_ERROR' },
      });
  });

  it('refuse a cursor of another order as VALIDATION_ERROR', async () => {
    const status_id = account.stages[0] ?? '';
    const cursors = new Map<string, string>();
    for (const sort of THREAD_SORTS) {
      const filter = { waiting: false };
      const shown = column(await board.open(account.assistantId, { sort, filter, limit: 5 }), status_id);
      cursors.set(sort, shown?.next_cursor ?? '');
    }
    for (const sort of [undefined, ...THREAD_SORTS])
      for (const [of, cursor] of cursors) {
        const request = { assistant_id: account.assistantId, status_id, cursor, sort };
        const answer = await board.request('board:more', { ...request, filter: { waiting: false } });
        const isOwn = of === (sort ?? 'activity');
        expect([of, sort, answer.ok ? 'ok' : answer.error.code]).toEqual([
          of,
          sort,
          isOwn ? 'ok' : 'VALIDATION_ERROR',
        ]);
      }
  });
});
