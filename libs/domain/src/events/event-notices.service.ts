import { AsyncResource } from 'node:async_hooks';
import { Notifications } from '@app/persistence/work/notifications-connection';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EventNotifier } from './event-notifier.service';

/**
 * Notifies other processes that this one has appended events, so that their boards read the log at once. The NOTIFY is
 * sent outside any transaction: inside, it would cost three quarters of the rate (measured). `Notifications` sends at
 * most one every 20 ms.
 */
@Injectable()
export class EventNotices implements OnApplicationShutdown {
  private due = false;

  constructor(
    private readonly eventNotifier: EventNotifier,
    private readonly notifications: Notifications,
  ) {}

  /**
   * Starts sending notices. A process that never starts, such as a command, is noticed by the check that each process
   * makes every second.
   * @param onNotice is called for notices of others, in processes that have boards
   */
  start(onNotice?: () => void): void {
    // Runs outside the request's context: a notice is about the log, not about the call that appended to it.
    this.eventNotifier.onNotify(AsyncResource.bind(() => this.notifyOthers()));
    if (onNotice) this.notifications.listen('leadline_events', onNotice);
    else this.notifications.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notifications.stop();
  }

  /** In a later tick of the event loop: this process' own boards and the caller's answer come first. */
  private notifyOthers(): void {
    if (this.due) return;
    this.due = true;
    setTimeout(() => {
      this.due = false;
      this.notifications.notify('leadline_events');
    });
  }
}
