import { Upkeep } from '@app/domain/upkeep/upkeep.service';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { RepeatedSweep } from './repeated.sweep';

const EVERY_MS = 5 * 60_000;

/** Deletes what nobody needs any more, from the start of the process until it is told to end. */
@Injectable()
export class UpkeepRunner implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly sweep: RepeatedSweep;

  constructor(upkeep: Upkeep) {
    const act = (): Promise<void> => upkeep.run(this.stopping.signal);
    this.sweep = new RepeatedSweep('upkeep', EVERY_MS, act, new Logger(UpkeepRunner.name));
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  onModuleDestroy(): void {
    this.stopping.abort();
    this.sweep.end();
  }

  /** Before the pools end. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.over();
  }
}
