import { mayTakeSlot } from '@app/contracts/in-flight-limiter';

/**
 * The slots for requests under way, shared by numbers ({@link mayTakeSlot}). When none is left, a freed slot goes to a
 * number that has fewer than the others.
 */
export class ProviderSlots {
  private readonly taken = new Map<string, number>();
  private free: number;

  constructor(most: number) {
    this.free = most;
  }

  has(number: string): boolean {
    return mayTakeSlot(this.taken.get(number) ?? 0, this.free);
  }

  take(number: string): void {
    this.free -= 1;
    this.taken.set(number, (this.taken.get(number) ?? 0) + 1);
  }

  giveBack(number: string): void {
    this.free += 1;
    const rest = (this.taken.get(number) ?? 0) - 1;
    if (rest > 0) this.taken.set(number, rest);
    else this.taken.delete(number);
  }
}
