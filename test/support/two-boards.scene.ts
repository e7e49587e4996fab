import type { BoardEvent } from '@app/contracts/board.events';
import { BoardClient } from './board.client';
import { LeadScene } from './lead.scene';

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
