import type { ElapsedTime } from '../dispatch/elapsed-time';
import type { ClaimedMessage } from './send-queue-work';

/** Messages that one statement claimed. */
export interface ClaimedGroup {
  messages: readonly ClaimedMessage[];
  token: string;
  claimed: ElapsedTime;
}

/** Messages that are claimed and not begun. */
export class ClaimedGroups {
  private groups: ClaimedGroup[] = [];

  /** How many messages. */
  get size(): number {
    return this.groups.reduce((sum, { messages }) => sum + messages.length, 0);
  }

  add(group: ClaimedGroup): void {
    if (group.messages.length > 0) this.groups.push(group);
  }

  /** Takes messages that begin now, in the order of the claims. */
  begin(isBegun: (message: ClaimedMessage) => boolean): void {
    this.groups = this.groups
      .map((group) => ({ ...group, messages: group.messages.filter((message) => !isBegun(message)) }))
      .filter(({ messages }) => messages.length > 0);
  }

  /** Takes out the groups that were claimed that many milliseconds ago. */
  takeOlderThan(milliseconds: number): ClaimedGroup[] {
    const isOld = ({ claimed }: ClaimedGroup): boolean => claimed.milliseconds > milliseconds;
    const old = this.groups.filter(isOld);
    if (old.length > 0) this.groups = this.groups.filter((group) => !old.includes(group));
    return old;
  }

  takeAll(): ClaimedGroup[] {
    return this.groups.splice(0);
  }
}
