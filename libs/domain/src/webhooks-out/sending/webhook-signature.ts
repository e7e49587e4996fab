import { Webhook } from 'standardwebhooks';

/** The headers of a delivery besides its content type. */
export const WEBHOOK_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  replay: 'webhook-replay',
} as const;

/**
 * The headers of one attempt by Standard Webhooks.
 * @param secrets each signs
 * @param at when it is sent, by the database's clock: receivers refuse what is minutes old
 */
export function webhookHeaders(
  { eventId, body, replayed }: { eventId: string; body: string; replayed: boolean },
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  return {
    [WEBHOOK_HEADERS.id]: eventId,
    [WEBHOOK_HEADERS.timestamp]: String(Math.floor(+at / 1_000)),
    [WEBHOOK_HEADERS.signature]: secrets
      .map((secret) => new Webhook(secret).sign(eventId, at, body))
      .join(' '),
    ...(replayed && { [WEBHOOK_HEADERS.replay]: 'true' }),
  };
}
