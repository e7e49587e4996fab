import type {
  BoardEvent,
  BoardReplay,
  BoardSnapshot,
  CardMoved,
  ColumnTotal,
} from '@app/contracts/board.events';
import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { AccountFixture } from '../../support/database/fixture';
import { setLeadScene } from '../../support/scenes/lead.scene';
import { OpenMove } from '../../support/faults/open.move';
import { uuidOf } from '../../support/database/thread.uuid';

const scene = setLeadScene();
let account: AccountFixture;
let api: ApiClient;
let board: BoardClient;

beforeEach(async () => {
  account = await AccountFixture.create(scene.database.pool);
  api = new ApiClient(scene.server.url, account.key);
  board = await BoardClient.connect(scene.server.url, { api_key: account.key });
});

afterEach(() => board?.close());

const move = async (thread: string, stage: number): Promise<void> => {
  await api.setStatus({ thread_id: thread, status_id: account.stages[stage] });
};
const isSnapshot = (answer: BoardSnapshot | BoardReplay): boolean => 'columns' in answer;
const eventsOf = (answer: BoardSnapshot | BoardReplay): BoardEvent[] =>
  'events' in answer ? answer.events : [];
/** What a live board got, in the form of a replay: the card as it is now, except for what the event changed. */
const heard = async (count: number): Promise<BoardEvent[]> => {
  await board.hears(() => board.events.length >= count);
  return board.events;
};
/** Opens the log for an account that has none yet, so that there is a number to come back with. */
const first = async (): Promise<number> => {
  const thread = await account.addThread();
  const before = board.events.length;
  await board.open(account.assistantId);
  await move(thread, 0);
  await heard(before + 1);
  return board.events.at(-1)?.seq ?? 0;
};

describe('board:open with since', () => {
  it('answers what was missed, each as it would have come live', async () => {
    const since = await first();
    const [one, two] = [await account.addThread(), await account.addThread()];
    const known = board.events.length;
    await move(one, 0);
    await move(two, 1);
    await api.setAi(two, false);
    await api.setStatus({ thread_id: one, status_id: null });
    const live = (await heard(known + 4)).slice(known);
    const again = await BoardClient.connect(scene.server.url, { api_key: account.key });
    const answer = await again.reopen(account.assistantId, since);
    const missed = eventsOf(answer).filter(({ seq }) => seq > since);
    const told = ({ card: _, ...rest }: BoardEvent) => rest;
    expect(missed.map(told)).toEqual(live.map(told));
    // The last event of each dialog carries the card itself, entire.
    for (const thread of [one, two]) {
      const last = (events: BoardEvent[]) => events.findLast(({ thread_id }) => thread_id === thread)?.card;
      expect(last(missed)).toEqual(last(live));
    }
    expect(missed.map((event) => Object.keys(event.card).sort())).toEqual(
      live.map((event) => Object.keys(event.card).sort()),
    );
    again.close();
  });

  it('answers also what was committed late below the number, within 30 s', async () => {
    await first();
    const [late, next] = [await account.addThread(), await account.addThread()];
    const open = await OpenMove.begin(scene.database.url, late, account.stages[0]);
    await move(next, 0);
    const { seq: stored } = await board.hears(({ thread_id }) => thread_id === next);
    expect(stored).toBeGreaterThan(open.seq);
    board.close();
    await open.commit();
    const again = await BoardClient.connect(scene.server.url, { api_key: account.key });
    const answer = await again.reopen(account.assistantId, stored);
    expect(eventsOf(answer).map(({ seq }) => seq)).toContain(open.seq);
    again.close();
  });

  it('answers nothing of before those 30 s', async () => {
    const old = await first();
    await scene.database.pool.query(`UPDATE events SET at = at - interval '31 s' WHERE account_id = $1`, [
      account.id,
    ]);
    const recent = await first();
    expect(eventsOf(await board.reopen(account.assistantId, recent)).map(({ seq }) => seq)).toEqual([recent]);
    expect(old).toBeLessThan(recent);
  });

  it('goes on live after the answer', async () => {
    const since = await first();
    const again = await BoardClient.connect(scene.server.url, { api_key: account.key });
    await again.reopen(account.assistantId, since);
    const thread = await account.addThread();
    await move(thread, 1);
    await again.hears(({ thread_id }) => thread_id === thread);
    again.close();
  });

  it('answers nothing of another account or agent', async () => {
    const since = await first();
    const other = await AccountFixture.create(scene.database.pool);
    await new ApiClient(scene.server.url, other.key).setStatus({
      thread_id: await other.addThread(),
      status_id: other.stages[0],
    });
    const thread = await account.addThread();
    await move(thread, 0);
    const answer = await board.reopen(account.assistantId, since);
    expect(
      eventsOf(answer)
        .filter(({ seq }) => seq > since)
        .map(({ thread_id }) => thread_id),
    ).toEqual([thread]);
  });

  it('answers a snapshot for a number from the future', async () => {
    const since = await first();
    expect(isSnapshot(await board.reopen(account.assistantId, since + 1_000_000))).toBe(true);
    expect(isSnapshot(await board.reopen(account.assistantId, Number.MAX_SAFE_INTEGER))).toBe(true);
  });

  it('answers a snapshot for a number older than what is kept ready', async () => {
    const since = await first();
    await scene.database.pool.query(`UPDATE events SET at = at - interval '8 days' WHERE seq <= $1`, [since]);
    expect(isSnapshot(await board.reopen(account.assistantId, since))).toBe(true);
  });

  it('answers a snapshot beyond 1,000 events, and the events up to then', async () => {
    const since = await first();
    const thread = await account.addThread();
    const write = (count: number) =>
      scene.database.pool.query(
        `INSERT INTO events (account_id, thread_id, assistant_id, version, type, at, body)
         SELECT $1, $2, $3, n, 'status', clock_timestamp(), jsonb_build_object('from', NULL, 'to', $4::text, 'by', 'AI', 'actor', NULL)
           FROM generate_series(1, $5::int) n`,
        [account.id, uuidOf(thread), account.assistantId, account.stages[0], count],
      );
    await write(1_000);
    const answer = await board.reopen(account.assistantId, since);
    expect(eventsOf(answer).filter(({ seq }) => seq > since)).toHaveLength(1_000);
    await write(1);
    expect(isSnapshot(await board.reopen(account.assistantId, since))).toBe(true);
  });
});

describe('the totals of a snapshot', () => {
  const totalsOf = ({ columns }: BoardSnapshot): number[] => columns.map(({ total }) => total);

  it('count every lead, in its stage when the board is opened', async () => {
    const [one, two] = [await account.addThread(), await account.addThread({ statusId: account.stages[0] })];
    const before = await board.open(account.assistantId);
    expect(totalsOf(before)).toEqual([1, 1, 0, 0]);
    await move(one, 0);
    await move(two, 2);
    await heard(2);
    const other = await BoardClient.connect(scene.server.url, { api_key: account.key });
    const after = await other.open(account.assistantId);
    expect(totalsOf(after)).toEqual([0, 1, 0, 1]);
    other.close();
  });

  it('come to count a move that is committed late, below a number that they count already', async () => {
    const [late, early] = [await account.addThread(), await account.addThread()];
    const open = await OpenMove.begin(scene.database.url, late, account.stages[1]);
    await move(early, 0);
    const model = new BoardModel();
    model.take(await board.open(account.assistantId));
    board.socket.on('card.moved', (event: CardMoved) => model.apply({ event: 'card.moved', ...event }));
    board.socket.on('column.total', (total: ColumnTotal) => model.takeTotal(total));
    await open.commit();
    await model.untilEqual(scene.database.pool, account.assistantId);
  });

  it('of an empty board are zero', async () => {
    expect(totalsOf(await board.open(account.assistantId))).toEqual([0, 0, 0, 0]);
  });
});
