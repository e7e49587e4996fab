import { setTimeout as sleep } from 'node:timers/promises';
import { BoardClient } from '../../support/clients/board.client';
import { limits } from '../../support/programs/test.limits';
import { DatabaseProxy } from '../../support/faults/database.proxy';
import { eventually } from '../../support/eventually';
import { setScene } from '../../support/scenes/base.scene';
import { endAll } from '../../support/programs/server.process';
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

  // The last, because it ends the process.
  it('of its end says nothing wrong where it is stopped while it reads the event log, and its boards are to come back', async () => {
    // Those connections that are dead without a word would hold up the end.
    proxy.cut();
    const held = await scene.database.pool.connect();
    try {
      await held.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
      await untilWaiting(scene.database.pool, 1, { application: 'leadline feed' });
      const stopped = scene.server.stop();
      // The feed reads each second: one read falls between the end of the boards and the end of the feed.
      await sleep(1_500);
      await held.query('ROLLBACK');
      expect(await stopped).toBe(0);
    } finally {
      held.release();
    }
    expect(scene.server.output()).not.toContain('Cannot use a pool');
    // After the word of a server clients stay away; after a lost connection they look for another process.
    expect(board.disconnectedBecause).toBe('transport close');
  });
});
