import { ApiClient } from '../../support/clients/api.client';
import { BoardClient } from '../../support/clients/board.client';
import { BoardModel } from '../../support/clients/board.model';
import { startDialogStorm } from '../../support/database/dialog.storm';
import { DialogWriter } from '../../support/database/dialog.writer';
import { eventually } from '../../support/eventually';
import { AccountFixture } from '../../support/database/fixture';
import { OwnCluster } from '../../support/database/own.cluster';
import { endAll, startServer, type ServerProcess } from '../../support/programs/server.process';
import { startStorm, type Storm } from '../../support/clients/storm';
import { triesOf } from '../../support/long.mode';

const LEADS = 30;
/** In each storm; a column shows fifty, and all must be in one. */
const OPENED = 3;
/** After this the board must equal the database (P8). */
const EQUAL_WITHIN_MS = 5_000;
const ONE_STORM = { workers: 6 };

let cluster: OwnCluster;
let servers: ServerProcess[];
let account: AccountFixture;
let threads: string[];
let boards: { client: BoardClient; model: BoardModel }[];

beforeAll(async () => {
  cluster = await OwnCluster.start();
  servers = await Promise.all([startServer(cluster.url), startServer(cluster.url)]);
  account = await AccountFixture.create(cluster.pool);
  threads = await Promise.all(Array.from({ length: LEADS }, () => account.addThread()));
});

afterAll(async () => {
  for (const { client } of boards ?? []) client.close();
  await endAll(servers ?? []);
  await cluster?.remove();
});

beforeEach(async () => {
  boards = servers.map(() => ({ client: undefined as never, model: new BoardModel() }));
  for (let index = 0; index < boards.length; index++) await show(index);
});

afterEach(() => {
  for (const { client } of boards) client.close();
});

/** Opens the board of a process, or opens it again where it left off. */
async function show(index: number, url = servers[index]?.url ?? ''): Promise<void> {
  const board = boards[index]!;
  board.client = await BoardClient.connect(url, { api_key: account.key });
  await board.client.show(board.model, account.assistantId);
}

/** Moves through several processes and, at the same time, what others write: dialogs, messages, opt-outs. */
function stormOn(...indexes: number[]): Storm {
  const words = startDialogStorm(new DialogWriter(cluster.pool, account), threads, OPENED);
  const storm = startStorm(
    indexes.map((index) => new ApiClient(servers[index]?.url ?? '', account.key)),
    threads,
    [...account.stages, null],
    ONE_STORM,
  );
  const stopMoves = storm.stop;
  return Object.assign(storm, {
    stop: async () => {
      await Promise.all([stopMoves(), words.stop()]);
      expect(words.written).toBeGreaterThan(0);
    },
  });
}
const moves = (storm: Storm, count: number): Promise<boolean> =>
  eventually(async () => storm.acknowledged >= count, 30_000, 'the storm was too slow');
const allEqual = async (): Promise<void> => {
  for (const { model } of boards) await model.untilEqual(cluster.pool, account.assistantId, EQUAL_WITHIN_MS);
};

describe('every open board equals the database', () => {
  it('after a storm and kill -9 of the process between its commits and its pushes', async () => {
    for (let round = 0; round < triesOf(1, 3); round++) {
      const storm = stormOn(0);
      await moves(storm, 50);
      await servers[0]?.kill('SIGKILL');
      await storm.stop();
      // The other process tells of what the killed one committed and did not live to tell.
      await boards[1]?.model.untilEqual(cluster.pool, account.assistantId, EQUAL_WITHIN_MS);
      servers[0] = await startServer(cluster.url);
      await show(0);
      await allEqual();
    }
  });

  it('after dropped connections, opened again with since in the middle of the storm', async () => {
    const storm = stormOn(0, 1);
    for (let round = 1; round <= triesOf(3, 5); round++) {
      await moves(storm, round * 40);
      const board = boards[round % 2]!;
      (
        board.client.socket.io.engine as unknown as { transport: { ws: { terminate(): void } } }
      ).transport.ws.terminate();
      await moves(storm, round * 40 + 20);
      // A board may come back to another process than it left.
      await show(round % 2, servers[round % 3 === 0 ? 0 : 1]?.url);
    }
    await storm.stop();
    await allEqual();
  });

  it('after the database was restarted in the storm', async () => {
    const storm = stormOn(0, 1);
    await moves(storm, 50);
    await cluster.goAway();
    await cluster.comeBack();
    const before = storm.acknowledged;
    await moves(storm, before + 50);
    await storm.stop();
    await allEqual();
    for (const server of servers) expect(server.output()).not.toMatch(/our own fault/i);
    expect([...storm.answers.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });
});
