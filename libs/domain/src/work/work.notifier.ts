import { Notifications } from '@app/persistence/work/notifications.connection';
import { Injectable } from '@nestjs/common';
import type { WorkLoop } from './work.loop';
import { WORK_NAMES, type WorkItem, type WorkName } from './worker';

/**
 * Tells workers, after a commit, that something is due: those of this process, and where none of them has a free slot
 * those of the others. Nothing relies on it: what nobody was told of, a sweep finds.
 */
@Injectable()
export class WorkNotifier {
  private readonly loops = new Map<WorkName, WorkLoop>();

  constructor(private readonly notifications: Notifications) {}

  /** How often the connection to the other processes was lost, since this one began. */
  get errors(): number {
    return this.notifications.errors;
  }

  /** Best effort and not waited for: never throws. */
  notify(name: WorkName, item: WorkItem): void {
    if (this.loops.get(name)?.take(item)) return;
    this.notifications.notify('leadline_work', JSON.stringify([name, item.accountId, item.id]));
  }

  /** From now on these loops hear of what any process notifies of. */
  listen(loops: ReadonlyMap<WorkName, WorkLoop>): void {
    for (const [name, loop] of loops) this.loops.set(name, loop);
    this.notifications.listen('leadline_work', (payload) => this.hear(payload));
  }

  private hear(payload: string | null): void {
    if (payload === null) {
      for (const loop of this.loops.values()) loop.look();
      return;
    }
    const notified = notifiedOf(payload);
    if (notified) this.loops.get(notified.name)?.take(notified.item);
  }
}

/** Null for what is not ours: any session of the database may notify, and another version may in another form. */
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
