import type { BoardEvent } from '@app/contracts/board-events';
import { uuidOf } from '../database/thread.uuid';
import type { Scene } from '../scenes/base.scene';
import { BoardClient } from './board.client';

/** A board of the scene's agent at each of its processes. */
export class BoardPair {
  private constructor(
    private readonly scene: Scene,
    readonly boards: readonly BoardClient[],
  ) {}

  static async open(scene: Scene): Promise<BoardPair> {
    const boards = await Promise.all(
      scene.servers.map(({ url }) => BoardClient.connect(url, { api_key: scene.account.key })),
    );
    for (const board of boards) await board.open(scene.account.assistantId);
    return new BoardPair(scene, boards);
  }

  /** What all boards heard of a dialog's present version. */
  async lastHeard(thread: string): Promise<BoardEvent> {
    const { rows } = await this.scene.database.pool.query<{ version: number }>(
      'SELECT version::int FROM threads WHERE id = $1',
      [uuidOf(thread)],
    );
    const [first, ...others] = await Promise.all(
      this.boards.map((board) =>
        board.hears((event) => event.thread_id === thread && event.version === rows[0]?.version),
      ),
    );
    if (!first) throw new Error('no board is open');
    for (const other of others) expect(other).toEqual(first);
    return first;
  }

  close(): void {
    for (const board of this.boards) board.close();
  }
}

/** Opens the boards of a test file. */
export function setBoardPair(scene: Scene): { pair: BoardPair } {
  const set = {} as { pair: BoardPair };
  beforeAll(async () => {
    set.pair = await BoardPair.open(scene);
  });
  afterAll(() => set.pair?.close());
  return set;
}
