import { setTimeout as sleep } from 'node:timers/promises';
import { BoardClient } from '../../support/clients/board.client';
import { limits } from '../../support/programs/test.limits';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { eventually } from '../../support/eventually';
import { setScene } from '../../support/scenes/base.scene';
import { endAll, type ServerProcess } from '../../support/programs/server.process';
import { untilWaiting } from '../../support/faults/waiting.sessions';

const scene = setScene({
  servers: 0,
  environment: { LOG_LEVEL: 'info', ...limits({ 'database.answerMs': 4_000 }) },
});

describe('a log line of a process with open boards', () => {
  let proxy: DatabaseProxy;
  let board: BoardClient;

  beforeAll(async () => {
    proxy = await DatabaseProxy.start(scene.database.url);
    const { url } = await scene.addServer({}, proxy.url);
    board = await BoardClient.connect(url, { api_key: scene.account.key });
    await board.open(scene.account.assistantId);
  });

  afterAll(async () => {
    board?.close();
    await endAll(scene.servers.splice(0));
    await proxy?.stop();
  });

  /** The lines that say something, as they were written. */
  const linesThatSay = (words: string): { request_id?: string }[] =>
    scene.server
      .output()
      .split('\n')
      .filter((line) => line.includes(words))
      .map((line) => JSON.parse(line) as { request_id?: string });

  const says = (words: string, deadlineMs: number): Promise<{ request_id?: string }> =>
    eventually(async () => linesThatSay(words)[0], deadlineMs, `no line says "${words}"`);

  it('of what the feed met, even if a request woke it, has the id of no request', async () => {
    const thread = await scene.account.addThread();
    await scene.database.pool.query(
      `SELECT setval(pg_get_serial_sequence('events', 'seq'), nextval(pg_get_serial_sequence('events', 'seq')) + 150000)`,
    );
    await scene.api.setStatus({ thread_id: thread, status_id: scene.stage(0) });
    expect(await says('very many holes', 5_000)).not.toHaveProperty('request_id');
  });

  it('tells once that the keys behind them cannot be checked, and that they are again, and no check overtakes another', async () => {
    const { rows } = await scene.database.pool.query<{ id: string }>('SELECT id FROM api_keys');
    proxy.swallow();
    await says('open boards could not be checked', 20_000);
    // The next one may begin in the moment in which the first one is given up.
    expect(proxy.timesSwallowed(`{"${rows[0]?.id}"}`)).toBeLessThanOrEqual(2);
    proxy.letThrough();
    await says('open boards are checked again', 20_000);
    expect(linesThatSay('open boards could not be checked')).toHaveLength(1);
    expect(board.disconnectedBecause).toBeNull();
  });
});

describe('a process that is stopped', () => {
  let board: BoardClient;
  let server: ServerProcess;

  afterAll(() => board?.close());

  it('lets its boards go so that they come back by themselves', async () => {
    const { account } = scene;
    const first = await scene.addServer();
    const options = { reconnection: true, reconnectionDelay: 50, reconnectionDelayMax: 100 };
    board = await BoardClient.connect(first.url, { api_key: account.key }, options);
    const { socket } = board;
    await first.stop();
    await eventually(async () => !socket.connected, 5_000, 'the board was not let go');
    server = await scene.addServer({ PORT: new URL(first.url).port });
    await eventually(async () => socket.connected, 5_000, 'the board stayed away');
    const { columns } = await board.open(account.assistantId);
    expect(columns).toHaveLength(4);
  });

  it('ends quietly when it is stopped while it reads the event log', async () => {
    const held = await scene.database.pool.connect();
    try {
      await held.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
      await untilWaiting(scene.database.pool, 1, { application: 'leadline feed' });
      const stopped = server.stop();
      // The feed reads each second: one read falls between the end of the boards and the end of the feed.
      await sleep(1_500);
      await held.query('ROLLBACK');
      expect(await stopped).toBe(0);
    } finally {
      held.release();
    }
    expect(server.output()).not.toContain('Cannot use a pool');
  });
});
