import { Notifications } from '@app/persistence/work/notifications-connection';
import { Injectable } from '@nestjs/common';
import type { WorkLoop } from './work-loop';
import { WORK_NAMES, type WorkItem, type WorkName } from './worker';

/**
 * Notifies workers after a commit that something is due: the workers of this process, and those of other processes
 * where none here has a free slot. Nothing relies on it, because a sweep finds every item.
 */
@Injectable()
export class WorkNotifier {
  private readonly loops = new Map<WorkName, WorkLoop>();

  constructor(private readonly notifications: Notifications) {}

  /** How often the connection to other processes was lost since this process began. */
  get errors(): number {
    return this.notifications.errors;
  }

  /** Best effort and not awaited; never throws. */
  notify(name: WorkName, item: WorkItem): void {
    if (!this.loops.get(name)?.take(item, true)) this.notifyOthers(name, item);
  }

  /** {@link notify}, but the other processes alone: one of them has the item. */
  notifyOthers(name: WorkName, item: WorkItem): void {
    const payload = JSON.stringify([name, item.accountId, item.id]);
    this.notifications.notify('leadline_work', payload, item.accountId ?? undefined);
  }

  /** Notifies this process alone, after so many milliseconds; never throws. */
  notifyIn(name: WorkName, item: WorkItem, inMs: number): void {
    this.loops.get(name)?.takeIn(item, inMs);
  }

  /** From now on these loops get the notifications of all processes. */
  listen(loops: ReadonlyMap<WorkName, WorkLoop>): void {
    for (const [name, loop] of loops) this.loops.set(name, loop);
    this.notifications.listen('leadline_work', (payload) => this.hear(payload));
  }

  /** What was heard is never passed on: every process has heard it. */
  private hear(payload: string | null): void {
    if (payload === null) {
      for (const loop of this.loops.values()) loop.look();
      return;
    }
    const notified = notifiedOf(payload);
    if (notified) this.loops.get(notified.name)?.take(notified.item, false);
  }
}

/**
 * Null for a foreign notification: any session of the database may notify, and another version may use another form.
 */
function notifiedOf(payload: string): { name: WorkName; item: WorkItem } | null {
  try {
    const [given, accountId, id] = JSON.parse(payload) as [unknown, unknown, unknown];
    const name = WORK_NAMES.find((each) => each === given);
    const isItem = typeof id === 'string' && (accountId === null || typeof accountId === 'string');
    return name && isItem ? { name, item: { accountId, id } } : null;
  } catch {
    return null;
  }
}
