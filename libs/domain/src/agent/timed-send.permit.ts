import type { SendPermit } from '../messages/message-sender.port';

/** Half of the time that the database gives it, so that nothing is begun that others count as void. */
const VALID_MS = 500;

/**
 * The permit to send one part of a reply, measured by two clocks. The monotonic one may stop while the machine
 * sleeps; the wall clock may be set. The permit is void as soon as either clock says so.
 */
export class TimedSendPermit implements SendPermit {
  private readonly steady = performance.now();
  private readonly wall = Date.now();

  /** Made before the gate is asked, because the permit's time begins within the gate's statement. */
  constructor(private readonly onUse: () => void) {}

  isValid(): boolean {
    return performance.now() - this.steady < VALID_MS && Math.abs(Date.now() - this.wall) < VALID_MS;
  }

  used(): void {
    this.onUse();
  }
}
