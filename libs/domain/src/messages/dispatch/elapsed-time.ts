import type { SendPermit } from './message-sender.port';

/**
 * The time since it was made, by two clocks. The monotonic one may stop while the machine sleeps; the wall clock may be
 * set. The greater difference counts.
 */
export class ElapsedTime {
  private readonly steady = performance.now();
  private readonly wall = Date.now();

  get milliseconds(): number {
    return Math.max(performance.now() - this.steady, Math.abs(Date.now() - this.wall));
  }
}

/** A permit to make one request, void after a time. */
export class TimedSendPermit implements SendPermit {
  /**
   * @param elapsed since before the statement that grants it, because its time begins within that statement
   * @param validMs how long it is valid, in milliseconds
   */
  constructor(
    private readonly elapsed: ElapsedTime,
    private readonly validMs: number,
    private readonly onUse: () => void = () => undefined,
  ) {}

  isValid(): boolean {
    return this.elapsed.milliseconds < this.validMs;
  }

  used(): void {
    this.onUse();
  }
}
