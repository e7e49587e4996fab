import { AsyncResource } from 'node:async_hooks';
import { Notifications } from '@app/persistence/work/notifications.connection';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EventNotifier } from './event-notifier.service';

const NOTIFY_EVERY_MS = 20;

/**
 * Notifies other processes that this one has appended events, so that their boards read the log at once. It sends one
 * NOTIFY, outside any transaction, at most each 20 ms. Inside the transaction it would cost three quarters of the
 * rate (measured).
 */
@Injectable()
export class EventNotices implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null;
  private notifiedAt = -Infinity;
  private stopped = false;

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
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.notifications.stop();
  }

  private notifyOthers(): void {
    if (this.timer || this.stopped) return;
    const wait = this.notifiedAt + NOTIFY_EVERY_MS - performance.now();
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.notifiedAt = performance.now();
        this.notifications.notify('leadline_events');
      },
      Math.max(0, wait),
    );
  }
}
