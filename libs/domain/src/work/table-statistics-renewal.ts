import { TableStatisticsRepository } from '@app/persistence/database/table-statistics.repository';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { RepeatedSweep } from './repeated-sweep';
import { WORK_TIMES } from './work-times';

/**
 * Keeps the planner's statistics in step with tables that grow fast. Autovacuum does so within a minute. Until then a new
 * installation that gets 10,000 leads at once would read them by the plans that were made for empty tables.
 */
@Injectable()
export class TableStatisticsRenewal
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly sweep: RepeatedSweep;

  constructor(statistics: TableStatisticsRepository) {
    const logger = new Logger(TableStatisticsRenewal.name);
    this.sweep = new RepeatedSweep(
      'table statistics',
      WORK_TIMES.statisticsMs,
      () => statistics.renew(),
      logger,
    );
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  onModuleDestroy(): void {
    this.sweep.end();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.over();
  }
}
