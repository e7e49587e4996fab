import { mayTakeSlot } from '@app/contracts/in-flight-limiter';
import type { WorkItem } from './worker';

/** Items beyond this number are left to the sweeps, and so are those of one account beyond the other. */
const WAITING_MAX = 10_000;
const WAITING_OF_ACCOUNT = 1_000;

/** In the order in which they are taken, one of each kind in turn: neither keeps the other waiting. */
interface ItemsOfAccount {
  /** Those for which something is kept at the time that has come. */
  timed: Map<string, WorkItem>;
  others: Map<string, WorkItem>;
  wasTimed: boolean;
}

/**
 * Items that wait for a slot, each once. The next item is of the account with the fewest items running; among equals,
 * of the account that has waited longest. By {@link mayTakeSlot} an account with thousands of items, or whose work hangs,
 * does not delay others, and neither do a few such accounts. Work of no account may take all slots.
 */
export class WaitingItems {
  private readonly accounts = new Map<string | null, ItemsOfAccount>();
  private readonly inHand = new Map<string | null, number>();
  private size = 0;

  get count(): number {
    return this.size;
  }

  /** @param isTimed something is kept for it now, so it does not go behind all others of its account */
  add(item: WorkItem, isTimed = false): void {
    const { accountId, id } = item;
    const items = this.accounts.get(accountId) ?? { timed: new Map(), others: new Map(), wasTimed: false };
    const kind = isTimed ? items.timed : items.others;
    const isFull = accountId !== null && kind.size >= WAITING_OF_ACCOUNT;
    if (items.timed.has(id) || (items.others.has(id) && !isTimed) || isFull || this.size >= WAITING_MAX)
      return;
    if (items.others.delete(id)) this.size -= 1;
    kind.set(id, item);
    this.accounts.set(accountId, items);
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
    if (account === undefined || !items) return undefined;
    items.wasTimed = items.timed.size > 0 && !(items.wasTimed && items.others.size > 0);
    const from = items.wasTimed ? items.timed : items.others;
    const [item] = from.values();
    if (!item) return undefined;
    from.delete(item.id);
    this.size -= 1;
    // The account goes behind the others if it has more items.
    this.accounts.delete(account);
    if (items.timed.size + items.others.size > 0) this.accounts.set(account, items);
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
