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
