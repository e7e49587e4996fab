import { EventNotices } from '@app/domain/events/event-notifier.service';
import { Module, type OnApplicationBootstrap } from '@nestjs/common';

/** For a process without boards: it notifies others of its commits and reads no event log. */
@Module({})
export class EventNoticesModule implements OnApplicationBootstrap {
  constructor(private readonly notices: EventNotices) {}

  onApplicationBootstrap(): void {
    this.notices.start();
  }
}
