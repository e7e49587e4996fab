import type { BoardEvent } from '@app/contracts/board.events';

/** A replay has 5,000 at most, of which some are news. */
const KEPT = 10_000;

/** Which events were told already: a replay reaches half a minute further back than what was missed. */
export class HeardEvents {
  private readonly numbers = new Set<number>();

  /**
   * Whether it was not heard yet. What takes a card into the filter or out of it later has the number of the event before:
   * the card changes, and nothing else happened.
   */
  isNews({ seq }: BoardEvent): boolean {
    if (this.numbers.has(seq)) return false;
    this.numbers.add(seq);
    const [oldest] = this.numbers;
    if (this.numbers.size > KEPT && oldest !== undefined) this.numbers.delete(oldest);
    return true;
  }
}
