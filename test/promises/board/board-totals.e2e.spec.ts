import type { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { AccountFixture } from '../../support/database/fixture';
import { eventually } from '../../support/eventually';
import { setLeadScene } from '../../support/scenes/lead.scene';

const scene = setLeadScene();
const filter = { unread: true };
let account: AccountFixture;
let api: ApiClient;
let boards: BoardClient[];

beforeEach(async () => {
  account = await AccountFixture.create(scene.database.pool, [{ name: 'New' }, { name: 'Paid' }]);
  api = scene.apiAt(0, account.key);
  boards = [];
});

afterEach(() => boards.forEach((board) => board.close()));

async function connect(): Promise<BoardClient> {
  const board = await BoardClient.connect(scene.server.url, { api_key: account.key });
  boards.push(board);
  return board;
}

async function addUnread(statusId: string | null): Promise<string> {
  const thread = await account.addThread({ statusId: statusId ?? undefined });
  await scene.kept.setFacts(thread, 'unread_count = 1');
  return thread;
}

const totalsOf = (board: BoardClient, statusId: string | null): number[] =>
  board.totals.filter(({ status_id }) => status_id === statusId).map(({ total }) => total);

const untilTotal = (board: BoardClient, statusId: string | null, total: number): Promise<unknown> =>
  eventually(
    async () => totalsOf(board, statusId).at(-1) === total,
    5_000,
    `the column did not count ${total}, but ${totalsOf(board, statusId).join()}`,
  );

it('a total of a filter comes again only with another number, and then to each board', async () => {
  const [first = '', second = ''] = account.stages;
  const [quiet, moving] = [await addUnread(null), await addUnread(first)];
  const board = await connect();
  await board.open(account.assistantId, { filter });
  await api.setAi(quiet, false);
  await untilTotal(board, null, 1);
  // The columns' totals come together: the second stage's tells that the others were counted.
  await api.setAi(quiet, true);
  await api.setStatus({ thread_id: moving, status_id: second });
  await untilTotal(board, second, 1);
  expect(totalsOf(board, null)).toEqual([1]);
  const late = await connect();
  const { seq } = await late.open(account.assistantId, { filter });
  await api.setStatus({ thread_id: moving, status_id: first });
  for (const each of [board, late]) {
    await untilTotal(each, second, 0);
    await untilTotal(each, first, 1);
  }
  const returned = await connect();
  await returned.reopen(account.assistantId, seq, filter);
  await untilTotal(returned, null, 1);
  await untilTotal(returned, first, 1);
});
