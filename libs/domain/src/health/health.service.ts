import { HealthRepository } from '@app/persistence/database/health.repository';
import { Injectable } from '@nestjs/common';
import { BoardFeed } from '../board/board-feed.service';

/** Whether this process can serve. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: HealthRepository,
    private readonly feed: BoardFeed,
  ) {}

  /** @throws DatabaseUnavailableError when the database does not answer. */
  async requireReady(): Promise<{ database: 'up'; feed: 'up' | 'behind' }> {
    await this.database.ping();
    return { database: 'up', feed: this.feed.healthy ? 'up' : 'behind' };
  }
}
