import { HealthRepository } from '@app/persistence/database/health.repository';
import { PoolFigures, type PoolFigure } from '@app/persistence/database/pool.figures';
import { Injectable } from '@nestjs/common';
import { BoardFeed } from '../board/board-feed.service';

/** Whether this process can serve. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: HealthRepository,
    private readonly feed: BoardFeed,
    private readonly figures: PoolFigures,
  ) {}

  /** How busy this process's connections to the database are. */
  pools(): PoolFigure[] {
    return this.figures.all();
  }

  /** Statements of accounts that wait for a slot. */
  get waitingForSlot(): number {
    return this.figures.waitingForSlot;
  }

  /** @throws DatabaseUnavailableError when the database does not answer. */
  async requireReady(): Promise<{ database: 'up'; feed: 'up' | 'behind' }> {
    await this.database.ping();
    return { database: 'up', feed: this.feed.healthy ? 'up' : 'behind' };
  }
}
