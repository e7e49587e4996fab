import { EventNotices } from '@app/domain/events/event-notices.service';
import { Module, type OnApplicationBootstrap } from '@nestjs/common';

/** A process without boards: it tells others of its commits, and reads no event log itself. */
@Module({})
export class WorkerNoticesModule implements OnApplicationBootstrap {
  constructor(private readonly notices: EventNotices) {}

  onApplicationBootstrap(): void {
    this.notices.start();
  }
}
