import type { BoardEvent } from '@app/contracts/board.events';

/** More than a replay has: 1,000 at most. */
const KEPT = 5_000;

/** Which events were told already: a replay reaches half a minute further back than what was missed. */
export class HeardEvents {
  private readonly keys = new Set<string>();

  /** Whether it was not heard yet. What takes a card into the filter later has the number of an event before. */
  isNews({ event, seq, in_filter }: BoardEvent): boolean {
    const key = `${seq} ${event} ${in_filter}`;
    if (this.keys.has(key)) return false;
    this.keys.add(key);
    const [oldest] = this.keys;
    if (this.keys.size > KEPT && oldest !== undefined) this.keys.delete(oldest);
    return true;
  }
}
