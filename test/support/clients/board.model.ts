import type {
  BoardEvent,
  BoardReplay,
  BoardSnapshot,
  Card,
  ColumnTotal,
  MessageChanged,
} from '@app/contracts/board-events';
import type { MessageStatus } from '@app/contracts/message.words';
import type { Pool } from 'pg';
import { eventually } from '../eventually';

/** What a card shows that the database must agree with. */
interface Place {
  status_id: string | null;
  ai_enabled: boolean;
  opted_out: boolean;
  customer_name: string | null;
  unread_count: number;
  last_text: string | null;
  version: number;
}

const placeOf = (card: Card): Place => ({
  status_id: card.lead_status?.id ?? null,
  ai_enabled: card.ai_enabled,
  opted_out: card.opted_out,
  customer_name: card.customer_name,
  unread_count: card.unread_count,
  last_text: card.last_message?.text ?? null,
  version: card.version,
});

/**
 * What a board shows, kept as the contract demands: of two states of a card the one with the higher version is right,
 * and totals are those that the board got.
 */
export class BoardModel {
  readonly places = new Map<string, Place>();
  readonly totals = new Map<string | null, number>();
  /** Messages that the board got, with the version of their dialog at the time. */
  readonly messages = new Map<string, { status: MessageStatus; version: number }>();
  /** To be given as `since`. */
  seq = 0;

  /** Takes in the answer of board:open, whichever it is. */
  take(answer: BoardSnapshot | BoardReplay): void {
    if ('events' in answer) {
      for (const event of answer.events) this.apply(event);
    } else {
      this.places.clear();
      this.totals.clear();
      // A snapshot contains no messages. Their present state is read with get-messages.
      this.messages.clear();
      for (const { status_id, total, cards } of answer.columns) {
        this.totals.set(status_id, total);
        for (const card of cards) this.places.set(card.thread_id, { ...placeOf(card), status_id });
      }
    }
    this.seq = answer.seq;
  }

  apply(event: BoardEvent): void {
    if ('message' in event) this.takeMessage(event);
    const known = this.places.get(event.thread_id);
    if (known && known.version >= event.version) return;
    this.places.set(event.thread_id, placeOf(event.card));
  }

  /** A message is taken by its own rule: the card of its event may be known already. */
  private takeMessage({ message: { id, status }, version }: MessageChanged): void {
    const known = this.messages.get(id);
    if (!known || known.version < version) this.messages.set(id, { status, version });
  }

  /** Of this board alone: one connection may show several. */
  takeTotal({ status_id, total }: ColumnTotal): void {
    this.totals.set(status_id, total);
  }

  /** Waits until this board, its totals included, equals the database. */
  async untilEqual(db: Pool, assistantId: string, deadlineMs = 5_000): Promise<void> {
    let difference = '';
    await eventually(
      async () => (difference = await this.differenceFrom(db, assistantId)) === '',
      deadlineMs,
      'the board did not become equal to the database',
    ).catch((error: Error) => {
      throw new Error(`${error.message}: ${difference}`);
    });
  }

  private async differenceFrom(db: Pool, assistantId: string): Promise<string> {
    const { rows } = await db.query<Place & { id: string }>(
      `SELECT id, status_id, ai_enabled, opted_out, customer_name, unread_count, last_message_text AS last_text,
              version::float8 AS version FROM threads WHERE assistant_id = $1`,
      [assistantId],
    );
    const totals = new Map<string | null, number>();
    for (const { id, ...place } of rows) {
      totals.set(place.status_id, (totals.get(place.status_id) ?? 0) + 1);
      const shown = JSON.stringify(this.places.get(`thread_${id}`));
      const kept = JSON.stringify(place);
      if (shown !== kept) return `thread_${id} is shown as ${shown} and kept as ${kept}`;
    }
    if (this.places.size !== rows.length) return `${this.places.size} cards of ${rows.length} leads`;
    for (const statusId of new Set([...totals.keys(), ...this.totals.keys()])) {
      const [shown = 0, kept = 0] = [this.totals.get(statusId), totals.get(statusId)];
      if (shown !== kept) return `column ${statusId} counts ${shown} of ${kept}`;
    }
    return this.messagesDifferFrom(db);
  }

  private async messagesDifferFrom(db: Pool): Promise<string> {
    const { rows } = await db.query<{ id: string; status: string }>(
      'SELECT id, status FROM messages WHERE id = ANY ($1)',
      [[...this.messages.keys()]],
    );
    if (rows.length !== this.messages.size) return `${this.messages.size} messages of ${rows.length}`;
    const differing = rows.find(({ id, status }) => this.messages.get(id)?.status !== status);
    return differing ? `message ${differing.id} is not shown as ${differing.status}` : '';
  }
}
