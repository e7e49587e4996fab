import type { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import type { Pool } from 'pg';

/** Connections of one pool of this process. */
export interface PoolFigure {
  name: string;
  used: number;
  idle: number;
  /** Statements that wait for a connection. */
  waiting: number;
}

/** How busy the connections of this process are. */
export class PoolFigures {
  constructor(
    private readonly pools: Readonly<Record<string, Pool>>,
    private readonly inFlight: InFlightLimiter,
  ) {}

  all(): PoolFigure[] {
    return Object.entries(this.pools).map(([name, { totalCount, idleCount, waitingCount }]) => ({
      ...{ name, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount },
    }));
  }

  /** Statements of accounts that wait for a slot, before they ask for a connection. */
  get waitingForSlot(): number {
    return this.inFlight.waitingCount;
  }
}
