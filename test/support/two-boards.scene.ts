import type { BoardEvent } from '@app/contracts/board.events';
import { ApiClient } from './api.client';
import { BoardClient } from './board.client';
import { AccountFixture } from './fixture';
import { startServer, type ServerProcess } from './server.process';
import { createDatabase, type TestDatabase } from './test.database';

/** Two processes on one database, with one agent's board open on each. */
export class TwoBoards {
  database: TestDatabase;
  servers: ServerProcess[] = [];
  account: AccountFixture;
  /** The account's key at the first process. */
  api: ApiClient;
  boards: BoardClient[] = [];

  async start(): Promise<void> {
    this.database = await createDatabase();
    this.servers = await Promise.all([startServer(this.database.url), startServer(this.database.url)]);
    const stages = [{ name: 'New' }, { name: 'Paid', kind: 'success' as const }, {}];
    this.account = await AccountFixture.create(this.database.pool, stages);
    this.api = new ApiClient(this.servers[0]?.url ?? '', this.account.key);
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.database?.drop();
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
  afterAll(() => scene.stop());
  beforeEach(() => scene.openBoards());
  afterEach(() => scene.closeBoards());
  return scene;
}
