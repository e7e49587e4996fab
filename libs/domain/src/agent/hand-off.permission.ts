import type { SendPermission } from '../messages/message-sender.port';

/** Half of what the database gives it, so that nothing is begun that others count as void. */
const VALID_MS = 500;

/**
 * The permission to hand one part of a reply to the messenger, by two clocks: one never goes back but may stand still
 * while the machine sleeps, the other goes on but may be set. Where either says that time is up, it is.
 */
export class HandOffPermission implements SendPermission {
  private readonly steady = performance.now();
  private readonly wall = Date.now();

  /** Made before the gate is asked: the permission runs from within its statement. */
  constructor(private readonly onUse: () => void) {}

  isValid(): boolean {
    return performance.now() - this.steady < VALID_MS && Math.abs(Date.now() - this.wall) < VALID_MS;
  }

  used(): void {
    this.onUse();
  }
}
