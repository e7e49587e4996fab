import type { BoardEvent } from '@app/contracts/board-events';
import { BoardClient } from '../clients/board.client';
import { uuidOf } from '../database/thread.uuid';
import { extend, setScene, type SceneOptions } from './base.scene';

/** Two processes on one database, or as many as are asked for, with one agent's board open on each: processes once, fresh boards for each test. */
export function setTwoBoards(options?: SceneOptions) {
  const base = setScene({
    servers: 2,
    ...options,
    stages: [{ name: 'New' }, { name: 'Paid', kind: 'success' }, {}],
  });
  const boards: BoardClient[] = [];

  const scene = extend(base, {
    boards,

    async openBoards(): Promise<void> {
      const { servers, account } = scene;
      boards.push(
        ...(await Promise.all(servers.map(({ url }) => BoardClient.connect(url, { api_key: account.key })))),
      );
      for (const board of boards) await board.open(account.assistantId);
    },

    closeBoards(): void {
      for (const board of boards.splice(0)) board.close();
    },

    /** What each board heard of a dialog, as soon as each has heard the version. */
    heardUpTo(thread: string, version: number, deadlineMs?: number): Promise<BoardEvent[]> {
      return Promise.all(
        boards.map((board) =>
          board.hears((event) => event.thread_id === thread && event.version >= version, deadlineMs),
        ),
      );
    },

    /** Each board has heard every version of the dialogs after the first, once and in order. */
    async expectAllHeard(threads: readonly string[]): Promise<void> {
      for (const thread of threads) {
        const { rows } = await scene.database.pool.query<{ version: number }>(
          'SELECT version::int FROM threads WHERE id = $1',
          [uuidOf(thread)],
        );
        const last = rows[0]?.version ?? 0;
        await scene.heardUpTo(thread, last);
        const all = Array.from({ length: last - 1 }, (_, index) => index + 2);
        for (const board of boards) expect(versionsOf(board, thread)).toEqual(all);
      }
    },
  });

  beforeEach(() => scene.openBoards());
  afterEach(() => scene.closeBoards());
  return scene;
}

export const versionsOf = (board: BoardClient, thread: string): number[] =>
  board.events.filter(({ thread_id }) => thread_id === thread).map(({ version }) => version);
