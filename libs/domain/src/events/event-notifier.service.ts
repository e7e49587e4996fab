import type { CommittedEvent } from '@app/persistence/threads/thread-log.statements';
import { Injectable } from '@nestjs/common';

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
