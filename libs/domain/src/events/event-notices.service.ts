import { AsyncResource } from 'node:async_hooks';
import { Notifications } from '@app/persistence/work/notifications.connection';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EventNotifier } from './event-notifier.service';

const NOTIFY_EVERY_MS = 20;

/**
 * Tells other processes that this one has appended events, so that their boards look at the log at once: one NOTIFY,
 * outside any transaction, at most each 20 ms. Inside, it would cost three quarters of the rate (measured).
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
   * Begins to give notice. A process that does not, as a command, is found out by the look of each second.
   * @param onNotice hears of the notices of others; for processes that have boards.
   */
  start(onNotice?: () => void): void {
    // Bound to no request: what is told is about the log, not about the call that happened to append to it.
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
