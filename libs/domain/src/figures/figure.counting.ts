import { FigureCountRepository, type FigureAgent } from '@app/persistence/figures/figure-count.repository';
import { Injectable } from '@nestjs/common';

/** Counted within a call at most: some 0.4 s of work. More is only left where a long history is counted, or decided anew. */
const TRANSACTIONS_OF_CALL = 5;

/** Counts the log for figures, in the background, and what is newer within a call that asks for figures. */
@Injectable()
export class FigureCounting {
  constructor(private readonly counts: FigureCountRepository) {}

  /**
   * Counts for good what can be.
   * @param stopping aborted when the process stops; another one goes on
   */
  async advance(agent: FigureAgent, stopping: AbortSignal): Promise<void> {
    await this.counts.chooseNext(agent);
    while (!stopping.aborted && (await this.counts.countNext(agent)) === 'more');
  }

  /**
   * Counts everything that was committed before the call.
   * @returns whether nothing is left
   */
  async bringUpToDate(agent: FigureAgent): Promise<boolean> {
    return this.counts.countVisible(agent, TRANSACTIONS_OF_CALL);
  }
}
