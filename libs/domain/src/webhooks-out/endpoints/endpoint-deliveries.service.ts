import type { DeliveryState } from '@app/contracts/webhook.words';
import { idOrNothing } from '@app/contracts/uuid.format';
import {
  DeliveryListRepository,
  type FoundDelivery,
  type RetriedDelivery,
} from '@app/persistence/webhooks-out/delivery-list.repository';
import { LoggedEventRepository } from '@app/persistence/webhooks-out/logged-event.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../../accounts/principal.rules';
import { Audit } from '../../audit/audit.service';
import { WorkNotifier } from '../../work/work-notifier';
import { presentDelivery, type Delivery, ofDelivery } from './endpoint.presenter';
import { DeliveryNotFoundError, DeliveryStateError, EndpointDisabledError } from './endpoint.errors';
import { keyOf, WebhookEndpoints } from './webhook-endpoints.service';
import { SENDER_HEADERS } from '../sending/webhook-sender.port';
import { testBody, webhookBody, WEBHOOK_HEADERS, webhookHeaders } from '../sending/webhook-body';

/** What is sent for a delivery. It is not kept, but made anew: so it says what an attempt would send now. */
interface DeliveryRequest {
  url: string;
  /** Of the last attempt; of the next, without its time, where there was none. */
  headers: Record<string, string>;
  /** JSON; null: the event has left the log, or its customer was erased. */
  body: string | null;
}

type DeliveryWithRequest = Delivery & { request: DeliveryRequest };

/** A signature would let others send the body once more. */
const HIDDEN_SIGNATURE = 'v1,…';

const presentRequest = (delivery: FoundDelivery, body: string | null): DeliveryWithRequest => ({
  ...presentDelivery(delivery),
  request: { url: delivery.url, headers: headersOf(delivery), body },
});

function headersOf({ event_id: eventId, replayed, attempts }: FoundDelivery): Record<string, string> {
  const last = attempts.at(-1);
  const signed = webhookHeaders({ eventId, body: '', replayed }, [], new Date(last?.at ?? 0));
  if (last === undefined) delete signed[WEBHOOK_HEADERS.timestamp];
  return { ...SENDER_HEADERS, ...signed, [WEBHOOK_HEADERS.signature]: HIDDEN_SIGNATURE };
}

/** What was sent to endpoints and is to be sent, for admins to read and to send again. */
@Injectable()
export class EndpointDeliveries {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: DeliveryListRepository,
    private readonly events: LoggedEventRepository,
    private readonly audit: Audit,
    private readonly work: WorkNotifier,
  ) {}

  /**
   * Those of an endpoint, newest first.
   * @param state null: any
   * @param before the id of the delivery that the page follows
   * @throws EndpointNotFoundError
   */
  async list(
    by: Principal,
    endpointId: string,
    state: DeliveryState | null,
    before: string | null,
    limit: number,
  ): Promise<Delivery[]> {
    const endpoint = await this.endpoints.require(by, endpointId);
    return (await this.deliveries.list(keyOf(endpoint), state, before, limit)).map(presentDelivery);
  }

  /**
   * One with what it says now, which may be what a customer wrote.
   * @throws DeliveryNotFoundError
   */
  async get(by: Principal, id: string): Promise<DeliveryWithRequest> {
    const delivery = await this.require(by, id);
    return presentRequest(delivery, await this.bodyOf(delivery));
  }

  /**
   * Has a delivery sent now, with all its retries before it.
   * @throws DeliveryNotFoundError, EndpointDisabledError, DeliveryStateError
   */
  async retry(by: Principal, id: string): Promise<Delivery> {
    const delivery = await this.require(by, id);
    if (delivery.is_erased) throw DeliveryStateError.erased();
    if (delivery.seq === null) throw DeliveryStateError.ofTest();
    const retried = await this.audit.act(
      by,
      'webhook_delivery.retry',
      ({ former }: RetriedDelivery) => ({
        ...{ subject: ofDelivery(delivery), before: { state: former }, after: { state: 'pending' } },
      }),
      (entryOf) => this.deliveries.retry(delivery, entryOf),
    );
    if (!retried) throw new EndpointDisabledError();
    if (!retried.due_at) throw DeliveryStateError.delivered();
    const { account_id: accountId, endpoint_id: endpointId } = delivery;
    this.work.notify('webhooks-out', { accountId, id: endpointId });
    return presentDelivery({ ...delivery, state: 'pending', due_at: retried.due_at });
  }

  private async bodyOf(delivery: FoundDelivery): Promise<string | null> {
    const { account_id, endpoint_id, seq, event_id, created_at, is_erased } = delivery;
    if (is_erased) return null;
    if (seq === null) return testBody({ account_id, id: endpoint_id }, event_id, created_at);
    const [event] = await this.events.find(account_id, [Number(seq)]);
    return event ? webhookBody(event, delivery) : null;
  }

  private async require(by: Principal, id: string): Promise<FoundDelivery> {
    const delivery = await this.deliveries.find(reachOf(by), idOrNothing(id));
    if (!delivery) throw new DeliveryNotFoundError();
    return delivery;
  }
}
