import type { WebhookRejectRow } from '@app/persistence/webhooks/webhook-reject.repository';

/** A part of a webhook that could not be taken in, as admins see it. */
export interface RejectedWebhookItem {
  id: string;
  /** Null where it cannot be told whose it is. */
  account_id: string | null;
  provider: string;
  bot_id: string | null;
  /** Where in the body it stands; empty for the whole. */
  path: string;
  reason: string;
  item: string;
  received_at: string;
}

export function presentRejectedItem(row: WebhookRejectRow): RejectedWebhookItem {
  const { id, account_id, provider, bot_id, path, reason, received_at: receivedAt } = row;
  // Where the text was cut, half a character may stand at its end: left out by a decoder that expects more.
  const item = new TextDecoder().decode(row.item, { stream: true });
  return { id, account_id, provider, bot_id, path, reason, item, received_at: receivedAt.toISOString() };
}
