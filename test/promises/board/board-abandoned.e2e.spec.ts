import { ApiClient, request } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { LeadScene } from '../../support/scenes/lead.scene';
import { agentsWatched } from '../../support/clients/metrics.reader';

let scene: LeadScene;

beforeAll(async () => {
  scene = await LeadScene.open();
});

afterAll(() => scene?.close());

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
