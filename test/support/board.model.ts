import type { BoardEvent, BoardReplay, BoardSnapshot } from '@app/contracts/board.events';
import type { Pool } from 'pg';
import { eventually } from './eventually';

/** What a card shows that the database must agree with. */
interface Place {
  status_id: string | null;
  ai_enabled: boolean;
  version: number;
}

/**
 * What a board shows, kept as the contract tells its clients to: of two states of a card the higher version is the
 * truth, and totals are moved on by events that they do not count yet.
 */
export class BoardModel {
  readonly places = new Map<string, Place>();
  readonly totals = new Map<string | null, number>();
  private totalsSeq = 0;
  /** Events above it that the totals have. */
  private counted = new Set<number>();
  /** To be given as `since`. */
  seq = 0;

  /** Takes in the answer of board:open, whichever it is. */
  take(answer: BoardSnapshot | BoardReplay): void {
    if ('events' in answer) {
      for (const event of answer.events) this.apply(event);
    } else {
      this.places.clear();
      this.totals.clear();
      this.totalsSeq = answer.totals_seq;
      this.counted = new Set(answer.totals_counted);
      for (const { status_id, total, cards } of answer.columns) {
        this.totals.set(status_id, total);
        for (const { thread_id, ai_enabled, version } of cards)
          this.places.set(thread_id, { status_id, ai_enabled, version });
      }
    }
    this.seq = answer.seq;
  }

  apply(event: BoardEvent): void {
    this.count(event);
    const known = this.places.get(event.thread_id);
    if (known && known.version >= event.version) return;
    const { thread_id, lead_status, ai_enabled, version } = event.card;
    this.places.set(thread_id, { status_id: lead_status?.id ?? null, ai_enabled, version });
  }

  /** Totals go by the events' numbers, whatever is known of the card: a snapshot's cards may be newer than its totals. */
  private count(event: BoardEvent): void {
    if (event.event !== 'card.moved' || event.seq <= this.totalsSeq || this.counted.has(event.seq)) return;
    this.counted.add(event.seq);
    const add = (statusId: string | null, by: number) =>
      this.totals.set(statusId, (this.totals.get(statusId) ?? 0) + by);
    add(event.from_status_id, -1);
    add(event.to_status_id, 1);
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
      'SELECT id, status_id, ai_enabled, version::float8 AS version FROM threads WHERE assistant_id = $1',
      [assistantId],
    );
    const totals = new Map<string | null, number>();
    for (const { id, status_id, ai_enabled, version } of rows) {
      totals.set(status_id, (totals.get(status_id) ?? 0) + 1);
      const shown = JSON.stringify(this.places.get(`thread_${id}`));
      const kept = JSON.stringify({ status_id, ai_enabled, version });
      if (shown !== kept) return `thread_${id} is shown as ${shown} and kept as ${kept}`;
    }
    if (this.places.size !== rows.length) return `${this.places.size} cards of ${rows.length} leads`;
    for (const statusId of new Set([...totals.keys(), ...this.totals.keys()])) {
      const [shown = 0, kept = 0] = [this.totals.get(statusId), totals.get(statusId)];
      if (shown !== kept) return `column ${statusId} counts ${shown} of ${kept}`;
    }
    return '';
  }
}
