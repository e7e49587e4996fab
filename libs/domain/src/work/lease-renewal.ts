/**
 * Renews a lease while its work goes on. A failed renewal is repeated at the next one: a lease is longer than several
 * renewals.
 */
export class LeaseRenewal implements AsyncDisposable {
  private timer: NodeJS.Timeout | null = null;
  private renewing: Promise<void> = Promise.resolve();
  private ended = false;

  /**
   * @param renew renews, and says whether the lease is still ours
   * @param onLost is called once
   */
  constructor(
    private readonly everyMs: number,
    private readonly renew: () => Promise<boolean>,
    private readonly onLost: () => void,
  ) {
    this.renewLater();
  }

  /** Resolves when no renewal is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.ended = true;
    if (this.timer) clearTimeout(this.timer);
    await this.renewing;
  }

  private renewLater(): void {
    this.timer = setTimeout(() => {
      this.renewing = this.renewOnce();
    }, this.everyMs);
  }

  private async renewOnce(): Promise<void> {
    const isOurs = await this.renew().catch(() => true);
    if (this.ended) return;
    if (isOurs) this.renewLater();
    else this.onLost();
  }
}
