import type { BegunDeliveries, DueDelivery } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import type { SentAttempt } from './delivery-outcome';

/**
 * Requests to an endpoint that are under way, and attempts that have ended and are not written down yet. For the database all
 * these deliveries are still due.
 */
export class EndpointRequests {
  private readonly underWay = new Map<string, Promise<void>>();
  /** The dialogs of deliveries whose attempts are not written down. */
  private readonly unsettled = new Map<string, string>();
  private ended: SentAttempt[] = [];

  /** @param onEnd called whenever a request is over */
  constructor(private readonly onEnd: () => void) {}

  get count(): number {
    return this.underWay.size;
  }

  /** Whether there are attempts to write down. */
  get haveEnded(): boolean {
    return this.ended.length > 0;
  }

  get begun(): BegunDeliveries {
    return { ids: [...this.unsettled.keys()], threadIds: [...this.unsettled.values()] };
  }

  /** @param attempt never rejects; null: it says nothing, and its delivery is due as it was */
  begin(
    { id, thread_id }: Pick<DueDelivery, 'id' | 'thread_id'>,
    attempt: Promise<SentAttempt | null>,
  ): void {
    this.unsettled.set(id, thread_id);
    const over = attempt.then((ended) => {
      if (ended) this.ended.push(ended);
      this.underWay.delete(id);
      this.onEnd();
    });
    this.underWay.set(id, over);
  }

  /** The attempts that have ended, to be written down; then {@link settled} or {@link giveBack}. */
  takeEnded(): SentAttempt[] {
    return this.ended.splice(0);
  }

  giveBack(attempts: readonly SentAttempt[]): void {
    this.ended.unshift(...attempts);
  }

  /** These are written down. */
  settled(attempts: readonly SentAttempt[]): void {
    for (const { id } of attempts) this.unsettled.delete(id);
  }

  /** Resolves when none is under way. */
  async over(): Promise<void> {
    await Promise.all(this.underWay.values());
  }
}
