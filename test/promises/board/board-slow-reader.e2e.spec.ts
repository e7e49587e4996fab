import type { BoardAck, BoardSnapshot } from '@app/contracts/board.events';
import { BoardClient } from '../../support/clients/board.client';
import { eventually } from '../../support/eventually';
import { setScene } from '../../support/scenes/base.scene';
import { residentMb } from '../../support/programs/process.memory';

const scene = setScene();

describe('a connection whose boards are large and whose line is slow', () => {
  const BOARDS = 8;
  const CARDS = 50;
  /** One answer is 5 MB, all are 40. */
  const CARD_BYTES = 100_000;
  const REQUESTS = 20;
  const OPENINGS = 70;
  /** Answered all, the openings would be 350 MB. The remainder is the collector. */
  const GROWTH_MAX_MB = 250;

  let agents: string[];
  let board: BoardClient;

  beforeAll(async () => {
    agents = [];
    while (agents.length < BOARDS) {
      const agent = await scene.account.addAssistant();
      const bot = await scene.account.addBot(undefined, agent);
      await Promise.all(Array.from({ length: CARDS }, () => scene.account.addThread({}, agent, bot)));
      agents.push(agent);
    }
    await scene.database.pool.query(
      `UPDATE threads SET last_message_role = 'USER', last_message_at = clock_timestamp(),
         last_message_text = repeat('x', $2::int) WHERE account_id = $1`,
      [scene.account.id, CARD_BYTES],
    );
  });

  beforeEach(async () => {
    const api_key = await scene.account.addKey({ assistantIds: agents });
    board = await BoardClient.connect(scene.server.url, { api_key });
    board.hang();
  });

  afterEach(() => board?.close());

  const open = (assistant_id: string | undefined): Promise<BoardAck<BoardSnapshot>> =>
    new Promise((resolve) => {
      board.socket.emit('board:open', { assistant_id }, resolve);
    });
  /** Fewer requests a second than are refused. */
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

  it('gets the answer of each board, whatever it asks meanwhile', async () => {
    const answers: BoardAck<BoardSnapshot>[] = [];
    for (const agent of agents) void open(agent).then((answer) => answers.push(answer));
    for (let asked = 0; asked < REQUESTS; asked++) {
      board.socket.emit('board:close', {}, () => undefined);
      await pause();
    }
    board.readOn();
    await eventually(
      async () => answers.length === BOARDS || board.disconnectedBecause,
      20_000,
      'the boards were not answered',
    );
    expect(board.disconnectedBecause).toBeNull();
    const cards = answers.map((answer) => answer.ok && answer.data.columns[0]?.cards.length);
    expect(cards).toEqual(agents.map(() => CARDS));
  });

  it('costs bounded memory when it opens them on and on and reads nothing, and is served when it reads again', async () => {
    const before = residentMb(scene.server.pid);
    let most = 0;
    for (let asked = 0; asked < OPENINGS; asked++) {
      void open(agents[asked % BOARDS]);
      await pause();
      most = Math.max(most, residentMb(scene.server.pid));
    }
    expect(most - before).toBeLessThan(GROWTH_MAX_MB);
    board.readOn();
    expect(await open(agents[0])).toMatchObject({ ok: true });
  });
});
