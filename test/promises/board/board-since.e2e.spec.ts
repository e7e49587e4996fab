import type {
  BoardAck,
  BoardSnapshot,
  BoardEvent,
  BoardReplay,
  CardMoved,
  ColumnTotal,
} from '@app/contracts/board-events';
import { setScene } from '../../support/scenes/base.scene';
import { ApiClient, request } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { agentsWatched } from '../../support/clients/metrics.reader';
import { OpenMove } from '../../support/faults/open.move';
import { uuidOf } from '../../support/database/thread.uuid';

const scene = setScene();
const watches = async (count: number): Promise<boolean> => (await agentsWatched(scene.server)) === count;

/** Sessions of this database whose newest statement says so, under a further condition. */
const sessionSays = async (words: string, condition: string, values: unknown[] = []): Promise<boolean> => {
  const { rowCount } = await scene.database.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND position($1 IN query) > 0 AND ${condition}`,
    [words, ...values],
  );
  return (rowCount ?? 0) > 0;
};

const move = async ({ key, stages }: AccountFixture, thread: string): Promise<void> => {
  const answer = await new ApiClient(scene.server.url, key).setStatus({
    thread_id: thread,
    status_id: stages[1],
  });
  expect(answer.status).toBe(200);
};

describe('a board that is asked for behind the leave-taking, in one packet with it', () => {
  it('is not opened', async () => {
    const address = `${scene.server.url}/socket.io/?EIO=4&transport=polling`;
    const poll = async (sid = ''): Promise<string> => (await request(`${address}${sid}`)).text;
    const sid = `&sid=${/"sid":"([^"]+)"/.exec(await poll())?.[1]}`;
    const send = (...packets: string[]) =>
      request(`${address}${sid}`, { method: 'POST', body: packets.join('\x1e') });
    await send(`40/board,${JSON.stringify({ api_key: scene.account.key })}`);
    expect(await poll(sid)).toMatch(/^40\/board,/);
    const open = `42/board,1${JSON.stringify(['board:open', { assistant_id: scene.account.assistantId }])}`;
    expect((await send('41/board,', open)).status).toBe(200);
    // What it asks for is asked for at once.
    const witness = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    await witness.request('board:close', {});
    witness.close();
    expect(await watches(0)).toBe(true);
  });
});

describe('a board that is left before it was answered', () => {
  it('leaves no outdated totals for the next board of its agent', async () => {
    const thread = await scene.account.addThread({ statusId: scene.account.stages[0] });
    const leaving = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    const next = await BoardClient.connect(scene.server.url, { api_key: scene.account.key });
    // Others keep the feed busy: it sees the move before the next board is open.
    const others = await AccountFixture.create(scene.database.pool);
    const witness = await BoardClient.connect(scene.server.url, { api_key: others.key });
    await witness.open(others.assistantId);
    const holder = await scene.database.pool.connect();
    let released: Date;
    try {
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE threads IN ACCESS EXCLUSIVE MODE');
      // The opening waits for the present read, and the read for the lock.
      const looking = () => sessionSays('pg_snapshot_xmin', `wait_event_type = 'Lock'`);
      await eventually(looking, 2_000, 'no look came to wait for the lock');
      leaving.socket.emit('board:open', { assistant_id: scene.account.assistantId }, () => undefined);
      await eventually(() => watches(2), 2_000, 'the board was not being opened');
      leaving.close();
      await eventually(() => watches(1), 2_000, 'the board was not left');
    } finally {
      const { rows } = await holder.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      released = rows[0]!.now;
      await holder.query('COMMIT');
      holder.release();
    }
    const counted = () => sessionSays('AS counted) e', `state = 'idle' AND state_change > $2`, [released]);
    await eventually(counted, 2_000, 'the abandoned opening did not count');

    await move(scene.account, thread);
    const theirs = await others.addThread({ statusId: others.stages[0] });
    await move(others, theirs);
    await witness.hears(({ thread_id }) => thread_id === theirs);
    const model = new BoardModel();
    await next.show(model, scene.account.assistantId);
    await model.untilEqual(scene.database.pool, scene.account.assistantId);
    next.close();
    witness.close();
  });
});

describe('a board that is not answered yet', () => {
  const OVERTAKEN = {
    ok: false,
    error: {
      code: 'UNAVAILABLE',
      message: 'This board was opened or closed again before it was ready: the later request counts.',
    },
  };

  let board: BoardClient;

  /** Shows the same agent's board all the time: what it gets, every such board gets. */
  let witness: BoardClient;
  const connect = () => BoardClient.connect(scene.server.url, { api_key: scene.account.key });

  beforeEach(async () => {
    [board, witness] = await Promise.all([connect(), connect()]);
    await witness.open(scene.account.assistantId);
  });

  afterEach(() => {
    board?.close();
    witness?.close();
  });

  const askFor = (assistantId = scene.account.assistantId): Promise<BoardAck<BoardSnapshot>> =>
    board.request('board:open', { assistant_id: assistantId });

  /** Requests are taken up in their order: when a later one is answered, all were. */
  const untilTakenUp = (): Promise<unknown> => board.request('board:close', {});

  /** Opens the board while no dialog can be read, and does something before it can be answered. */
  async function openOvertakenBy(
    act: () => Promise<unknown>,
  ): Promise<{ opened: Promise<BoardAck<BoardSnapshot>> }> {
    const holder = await scene.database.pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE threads IN ACCESS EXCLUSIVE MODE');
      const opened = askFor();
      // A client whose connection ends gets no answer.
      opened.catch(() => undefined);
      await untilTakenUp();
      await act();
      return { opened };
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
  }

  /** Moves a lead; when the witness has heard of it, everybody on the board was sent it. */
  async function moveALead(): Promise<void> {
    const thread_id = await scene.account.addThread();
    expect((await scene.api.setStatus({ thread_id, status_id: scene.stage(0) })).status).toBe(200);
    await witness.hears((event) => event.thread_id === thread_id);
  }

  const expectWatched = (count: number): Promise<unknown> =>
    eventually(
      async () => (await agentsWatched(scene.server)) === count,
      2_000,
      `the process did not come to watch ${count} agents`,
    );

  it('is refused and left to the later request when it is opened again', async () => {
    let second: Promise<BoardAck<BoardSnapshot>> | undefined;
    const { opened } = await openOvertakenBy(async () => {
      second = askFor();
      await untilTakenUp();
    });
    expect(await opened).toEqual(OVERTAKEN);
    expect(await second).toMatchObject({ ok: true });
    await moveALead();
    await untilTakenUp();
    expect(board.events).toHaveLength(1);
  });

  it('is refused and gets no event when it is closed', async () => {
    const { opened } = await openOvertakenBy(() =>
      board.request('board:close', { assistant_id: scene.account.assistantId }),
    );
    expect(await opened).toEqual(OVERTAKEN);
    await moveALead();
    await untilTakenUp();
    expect(board.events).toEqual([]);
  });

  it('is watched no longer when its connection ends', async () => {
    // The end of the connection shows by this board, which no other client shows.
    const another = await scene.account.addAssistant();
    board.close();
    board = await BoardClient.connect(scene.server.url, {
      api_key: await scene.account.addKey({ assistantIds: [scene.account.assistantId, another] }),
    });
    await board.open(another);
    await openOvertakenBy(async () => {
      await expectWatched(2);
      board.close();
      await expectWatched(1);
    });
    // A reading that begins later ends later: by now the one that was given up has ended as well.
    await witness.open(scene.account.assistantId);
    witness.close();
    await expectWatched(0);
  });
});

describe('a board that comes back', () => {
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
      // It goes on live after the answer.
      const next = await account.addThread();
      await move(next, 1);
      await again.hears(({ thread_id }) => thread_id === next);
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
      expect(eventsOf(await board.reopen(account.assistantId, recent)).map(({ seq }) => seq)).toEqual([
        recent,
      ]);
      expect(old).toBeLessThan(recent);
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
      await scene.database.pool.query(`UPDATE events SET at = at - interval '8 days' WHERE seq <= $1`, [
        since,
      ]);
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
      const [one, two] = [
        await account.addThread(),
        await account.addThread({ statusId: account.stages[0] }),
      ];
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
  });
});
