import type {
  BegunDeliveries,
  DueDelivery,
  HeldRow,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';
import type { LoggedEvent } from '@app/persistence/webhooks-out/logged-event.repository';
import type { Logger } from '@nestjs/common';
import type { SecretCipher } from '../../accounts/secret-cipher.port';
import { openSecrets } from '../endpoints/endpoint-secrets';
import { type SentAttempt, faultOf, outcomeOf } from './delivery-outcome';
import { webhookBody, webhookHeaders } from './webhook-body';
import type { WebhookConnections, WebhookRequest, WebhookSender } from './webhook-sender.port';

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

export interface EndpointSenderParts {
  sender: WebhookSender;
  cipher: SecretCipher;
  logger: Pick<Logger, 'warn' | 'error'>;
}

/** Makes requests to one endpoint, as it is now, over connections of its own. */
export class EndpointSender {
  private readonly connections: WebhookConnections;
  private readonly aborts = new AbortController();
  /** Those that sign; none: the endpoint's secret was sealed with another key. */
  private secrets: readonly string[] = [];
  /** How far the database's clock is before this process's, in milliseconds. */
  private clockAheadMs = 0;

  constructor(
    private readonly parts: EndpointSenderParts,
    private endpoint: HeldRow,
  ) {
    this.connections = parts.sender.open();
    this.take(endpoint);
  }

  /** Whether nothing can be signed until the endpoint's secret is rotated. */
  get isSealed(): boolean {
    return this.secrets.length === 0;
  }

  /** The endpoint as it has just been read. */
  take(endpoint: HeldRow): void {
    this.endpoint = endpoint;
    this.clockAheadMs = +endpoint.asked_at - Date.now();
    try {
      this.secrets = openSecrets(this.parts.cipher, endpoint, endpoint.former_counts);
    } catch {
      this.secrets = [];
    }
  }

  /**
   * Sends an event. Never rejects: a fault of ours is tried again as a failed request is, and ends neither the run nor the process.
   * @param event undefined: it is not in the log any more
   * @returns null: it was broken off, which says nothing about the endpoint
   */
  async attempt(delivery: DueDelivery, event: LoggedEvent | undefined): Promise<SentAttempt | null> {
    const at = new Date(Date.now() + this.clockAheadMs);
    const { url } = this.endpoint;
    if (!event) return { ...faultOf(delivery, at, 'no_event'), url };
    try {
      const outcome = await this.connections.send(this.requestOf(delivery, event, at), this.aborts.signal);
      const isBrokenOff = this.aborts.signal.aborted && outcome.status === null;
      return isBrokenOff ? null : { ...outcomeOf(delivery, at, outcome), url };
    } catch (error) {
      this.parts.logger.error({ err: error, delivery_id: delivery.id }, 'An event could not be sent.');
      return { ...faultOf(delivery, at, 'no_body'), url };
    }
  }

  /** Breaks off what is under way. */
  abort(): void {
    this.aborts.abort();
  }

  /** Nothing may be under way any more. */
  close(): void {
    this.connections.close();
  }

  private requestOf(delivery: DueDelivery, event: LoggedEvent, at: Date): WebhookRequest {
    const body = webhookBody(event, delivery);
    const signed = { eventId: delivery.event_id, body, replayed: delivery.replayed };
    return { url: this.endpoint.url, headers: webhookHeaders(signed, this.secrets, at), body };
  }
}
