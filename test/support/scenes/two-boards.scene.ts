import type { BoardEvent } from '@app/contracts/board.events';
import { BoardClient } from '../clients/board.client';
import { LeadScene } from './lead.scene';
import { uuidOf } from '../database/thread.uuid';

/** Two processes on one database, with one agent's board open on each. */
export class TwoBoards extends LeadScene {
  boards: BoardClient[] = [];

  constructor() {
    super({ servers: 2, stages: [{ name: 'New' }, { name: 'Paid', kind: 'success' }, {}] });
  }

  async openBoards(): Promise<void> {
    this.boards = await Promise.all(
      this.servers.map(({ url }) => BoardClient.connect(url, { api_key: this.account.key })),
    );
    for (const board of this.boards) await board.open(this.account.assistantId);
  }

  closeBoards(): void {
    for (const board of this.boards) board.close();
  }

  /** What each board heard of a dialog, as soon as each has heard the version. */
  heardUpTo(thread: string, version: number, deadlineMs?: number): Promise<BoardEvent[]> {
    return Promise.all(
      this.boards.map((board) =>
        board.hears((event) => event.thread_id === thread && event.version >= version, deadlineMs),
      ),
    );
  }

  /** Each board has heard every version of the dialogs after the first, once and in order. */
  async expectAllHeard(threads: readonly string[]): Promise<void> {
    for (const thread of threads) {
      const { rows } = await this.database.pool.query<{ version: number }>(
        'SELECT version::int FROM threads WHERE id = $1',
        [uuidOf(thread)],
      );
      const last = rows[0]?.version ?? 0;
      await this.heardUpTo(thread, last);
      const all = Array.from({ length: last - 1 }, (_, index) => index + 2);
      for (const board of this.boards) expect(versionsOf(board, thread)).toEqual(all);
    }
  }
}

export const versionsOf = (board: BoardClient, thread: string): number[] =>
  board.events.filter(({ thread_id }) => thread_id === thread).map(({ version }) => version);

/** Sets the scene for a test file: processes once, fresh boards for each test. */
export function setTwoBoards(): TwoBoards {
  const scene = new TwoBoards();
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  beforeEach(() => scene.openBoards());
  afterEach(() => scene.closeBoards());
  return scene;
}
