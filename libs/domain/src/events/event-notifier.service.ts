import { AsyncResource } from 'node:async_hooks';
import type { CommittedEvent } from '@app/persistence/threads/thread-log.statements';
import { Notifications } from '@app/persistence/work/notifications-connection';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/**
 * @param committed the event, where the statement that appended it returned it; else the log has to be read
 * @param accountId whose events they are; null: of several accounts
 */
type Listener = (committed: CommittedEvent | undefined, accountId: string | null) => void;

/**
 * Notifies listeners after a commit that appended an event, so that they need not wait for their next look at the log.
 * A notification may carry the event; one that is lost does no harm, because the log has all of them.
 */
@Injectable()
export class EventNotifier {
  private readonly listeners = new Set<Listener>();
  private watches: (accountId: string) => boolean = () => false;

  /** @param accountId whose the events are; null: of several accounts, all of whose endpoints look then */
  notify(accountId: string | null, committed?: CommittedEvent): void {
    for (const listener of this.listeners) listener(committed, accountId);
  }

  onNotify(listener: Listener): void {
    this.listeners.add(listener);
  }

  /** Whether a board of this process shows an account's threads, so that it is worth returning an event's card. */
  isWatched(accountId: string): boolean {
    return this.watches(accountId);
  }

  /** Sets who answers {@link isWatched}; where nobody does, no account is watched. */
  watchedBy(watches: (accountId: string) => boolean): void {
    this.watches = watches;
  }
}

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
