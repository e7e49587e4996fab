import { WaitingLines } from './waiting.lines';

/** Calls of one scenario that a process makes at once: a fraction of what one account may have under way. */
const AT_ONCE_MAX = 16;
/** Runs for which there is no slot ask again by and by. */
const AGAIN_MS = 250;
const ASK_PER_SECOND = 50;

/** A call's slot, given back once. */
export interface CallSlot {
  release(): void;
}

/** Slots for the calls of each scenario. An address that hangs holds up the calls of its scenario, and nothing else. */
export class CallSlots {
  private readonly taken = new Map<string, number>();
  private readonly lines = new WaitingLines();

  /** @returns milliseconds to wait instead, where no slot is free */
  take(scenarioId: string): CallSlot | number {
    const taken = this.taken.get(scenarioId) ?? 0;
    if (taken >= AT_ONCE_MAX) return this.lines.join(scenarioId, AGAIN_MS, ASK_PER_SECOND);
    this.taken.set(scenarioId, taken + 1);
    let isTaken = true;
    return {
      release: () => {
        if (isTaken) this.giveBack(scenarioId);
        isTaken = false;
      },
    };
  }

  private giveBack(scenarioId: string): void {
    const rest = (this.taken.get(scenarioId) ?? 0) - 1;
    if (rest > 0) this.taken.set(scenarioId, rest);
    else this.taken.delete(scenarioId);
  }
}
