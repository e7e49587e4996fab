import type { FoundDelivery } from '@app/persistence/webhooks-out/delivery-list.repository';
import { presentDelivery, type Delivery } from './delivery.presenter';
import { SENDER_HEADERS } from './webhook-sender.port';
import { WEBHOOK_HEADERS, webhookHeaders } from './webhook.signature';

/** What is sent for a delivery. It is not kept, but made anew: so it says what an attempt would send now. */
export interface DeliveryRequest {
  url: string;
  /** Of the last attempt; of the next, without its time, where there was none. */
  headers: Record<string, string>;
  /** JSON; null: the event has left the log, or its customer was erased. */
  body: string | null;
}

export type DeliveryWithRequest = Delivery & { request: DeliveryRequest };

/** A signature would let others send the body once more. */
const HIDDEN_SIGNATURE = 'v1,…';

export const presentRequest = (delivery: FoundDelivery, body: string | null): DeliveryWithRequest => ({
  ...presentDelivery(delivery),
  request: { url: delivery.url, headers: headersOf(delivery), body },
});

function headersOf({ event_id: eventId, replayed, attempts }: FoundDelivery): Record<string, string> {
  const last = attempts.at(-1);
  const signed = webhookHeaders({ eventId, body: '', replayed }, [], new Date(last?.at ?? 0));
  if (last === undefined) delete signed[WEBHOOK_HEADERS.timestamp];
  return { ...SENDER_HEADERS, ...signed, [WEBHOOK_HEADERS.signature]: HIDDEN_SIGNATURE };
}
