import type { BoardConnection } from '@app/client/board/board-connection';
import type { BoardStore } from '@app/client/board/board.store';
import type { StatusId } from '@app/client/board/board-views';
import type { Board } from '@app/client/board/live-board';
import type { Card } from '@app/contracts/board-events';
import type { Pool } from 'pg';
import { eventually } from '../eventually';

/** A column as it is compared with the database. */
interface ComparedColumn {
  id: StatusId;
  total: number;
  cards: unknown[];
}

const rowOf = (id: string, card: Card | undefined): unknown[] => [
  id,
  card?.version,
  card?.lead_status?.id ?? null,
  card?.customer_name,
  card?.last_message?.text ?? null,
];

/** What a store shows of each lead, and its columns in their order. */
export const shownByStore = (store: BoardStore): ComparedColumn[] =>
  store.board().columnIds.map((id) => {
    const { ids = [], total = NaN } = store.column(id) ?? {};
    return { id, total, cards: ids.map((each) => rowOf(each, store.card(each)?.card)) };
  });

/** What a board of the package shows. */
export const shownByBoard = (board: Board): ComparedColumn[] =>
  board.columns().map(({ statusId: id, total, cards }) => ({
    ...{ id, total, cards: cards.map((card) => rowOf(card.thread_id, card)) },
  }));

/** Waits until what is shown is what is stored of the agent's dialogs. */
export async function equalsDatabase(
  db: Pool,
  assistantId: string,
  shown: () => ComparedColumn[],
): Promise<void> {
  let words = '';
  await eventually(
    async () => {
      const { rows } = await db.query<{ status_id: StatusId; row: unknown[] }>(
        `SELECT status_id, json_build_array('thread_' || id, version, status_id, customer_name, last_message_text) AS row
           FROM threads WHERE assistant_id = $1 ORDER BY date_trunc('milliseconds', last_activity_at) DESC, id DESC`,
        [assistantId],
      );
      const columns = shown();
      const kept = columns.map(({ id }): ComparedColumn => {
        const cards = rows.filter(({ status_id }) => status_id === id).map(({ row }) => row);
        return { id, total: cards.length, cards };
      });
      const [one, other] = [columns, kept].map((each) => JSON.stringify(each));
      words = `${one}\nis not\n${other}`;
      return columns.length > 0 && one === other;
    },
    5_000,
    'the board is not equal to the database',
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${words}`);
  });
}

/** Cuts the connection, as when the network fails. */
export function cut(connection: BoardConnection): void {
  const { socket } = connection as unknown as { socket: { socket: { io: { engine: { close(): void } } } } };
  socket.socket.io.engine.close();
}
