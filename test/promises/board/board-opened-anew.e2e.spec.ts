import type { BoardAck, BoardSnapshot } from '@app/contracts/board.events';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { LeadScene } from '../../support/scenes/lead.scene';
import { agentsWatched } from '../../support/clients/metrics.reader';

const OVERTAKEN = {
  ok: false,
  error: {
    code: 'UNAVAILABLE',
    message: 'This board was opened or closed again before it was ready: the later request counts.',
  },
};

let scene: LeadScene;
let board: BoardClient;
/** Shows the same agent's board all the time: what it gets, every such board gets. */
let witness: BoardClient;

beforeAll(async () => {
  scene = await LeadScene.open();
});

afterAll(() => scene?.close());

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

describe('a board that is not answered yet', () => {
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
