import { mayTakeSlot } from '@app/contracts/fair.share';
import type { WorkItem } from './worker';

/** Items beyond this number are left to the sweeps, and so are those of one account beyond the other. */
const WAITING_MAX = 10_000;
const WAITING_OF_ACCOUNT = 1_000;

/**
 * Items that wait for a slot, each once. The next item is of the account with the fewest items running; among equals,
 * of the account that has waited longest. By {@link mayTakeSlot} an account with thousands of items, or whose work hangs,
 * does not delay others, and neither do a few such accounts. Work of no account may take all slots.
 */
export class WaitingItems {
  private readonly accounts = new Map<string | null, Map<string, WorkItem>>();
  private readonly inHand = new Map<string | null, number>();
  private size = 0;

  add(item: WorkItem): void {
    const items = this.accounts.get(item.accountId) ?? new Map<string, WorkItem>();
    const isFull = item.accountId !== null && items.size >= WAITING_OF_ACCOUNT;
    if (items.has(item.id) || isFull || this.size >= WAITING_MAX) return;
    this.accounts.set(item.accountId, items.set(item.id, item));
    this.size += 1;
  }

  /** Whether an item of this account may run. */
  allows(accountId: string | null, freeSlots: number): boolean {
    return mayTakeSlot(accountId === null ? 0 : this.inHandOf(accountId), freeSlots);
  }

  /** Takes the next item that may run. It counts as running until {@link done}. */
  next(freeSlots: number): WorkItem | undefined {
    const account = this.leastServed(freeSlots);
    const items = account === undefined ? undefined : this.accounts.get(account);
    const [item] = items?.values() ?? [];
    if (account === undefined || !items || !item) return undefined;
    items.delete(item.id);
    this.size -= 1;
    // The account goes behind the others if it has more items.
    this.accounts.delete(account);
    if (items.size > 0) this.accounts.set(account, items);
    this.inHand.set(account, this.inHandOf(account) + 1);
    return item;
  }

  /** A running item is over. */
  done({ accountId }: WorkItem): void {
    const rest = this.inHandOf(accountId) - 1;
    if (rest > 0) this.inHand.set(accountId, rest);
    else this.inHand.delete(accountId);
  }

  private leastServed(freeSlots: number): string | null | undefined {
    let least: string | null | undefined;
    let fewest = Infinity;
    for (const account of this.accounts.keys()) {
      const served = this.inHandOf(account);
      if (served >= fewest || !this.allows(account, freeSlots)) continue;
      [least, fewest] = [account, served];
      if (served === 0) break;
    }
    return least;
  }

  private inHandOf(accountId: string | null): number {
    return this.inHand.get(accountId) ?? 0;
  }
}
