import { FeedRepository } from '@app/persistence/board/feed.repository';
import { Database, FeedDatabase } from '@app/persistence/database/database.service';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import type { Pool } from 'pg';

/** The event log as a process reads it, on a test's own connections. */
export const feedReader = (pool: Pool): FeedRepository =>
  new FeedRepository(new Database(pool, new InFlightLimiter(1)), new FeedDatabase(pool));
