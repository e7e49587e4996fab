import type { DueDelivery, HeldRow } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import type { LoggedEvent } from '@app/persistence/webhooks-out/logged-event.repository';
import type { Logger } from '@nestjs/common';
import type { SecretCipher } from '../../accounts/secret-cipher.port';
import { faultOf, outcomeOf, type SentAttempt } from './delivery-outcome';
import { openSecrets } from '../endpoints/endpoint-secrets';
import { webhookBody } from './webhook-body';
import type { WebhookConnections, WebhookRequest, WebhookSender } from './webhook-sender.port';
import { webhookHeaders } from './webhook-signature';

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
