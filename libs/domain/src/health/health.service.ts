import { HealthRepository } from '@app/persistence/database/health.repository';
import { PoolFigures, type PoolFigure } from '@app/persistence/database/connection-pool';
import { Injectable } from '@nestjs/common';
import { SendingHold, type HoldReason } from '../work/sending-hold.service';
import { BoardFeed } from '../board/board-feed.service';

interface Readiness {
  database: 'up';
  feed: 'up' | 'behind';
  /** Held: nothing goes out until a person says so. */
  sending: 'on' | 'held';
  /** Why it is held; null: it is not. */
  sending_reason: HoldReason | null;
}

/** Whether this process can serve. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: HealthRepository,
    private readonly feed: BoardFeed,
    private readonly figures: PoolFigures,
    private readonly hold: SendingHold,
  ) {}

  /** How busy this process's connections to the database are. */
  pools(): PoolFigure[] {
    return this.figures.all();
  }

  /** Statements of accounts that wait for a slot. */
  get waitingForSlot(): number {
    return this.figures.waitingForSlot;
  }

  /** @throws DatabaseUnavailableError when the database does not answer, or cannot be written. */
  async requireReady(): Promise<Readiness> {
    await this.database.ping();
    await this.hold.requireWritable();
    const { feed, hold } = this;
    return {
      database: 'up',
      feed: feed.healthy ? 'up' : 'behind',
      sending: hold.isHeld ? 'held' : 'on',
      sending_reason: hold.reason,
    };
  }
}
