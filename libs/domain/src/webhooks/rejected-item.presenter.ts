import type { WebhookRejectRow } from '@app/persistence/webhooks/webhook-reject.repository';

/** A part of a webhook that could not be processed, as admins see it. */
export interface RejectedWebhookItem {
  id: string;
  /** Null where the account is unknown. */
  account_id: string | null;
  provider: string;
  bot_id: string | null;
  /** Its path in the body; empty for the whole body. */
  path: string;
  reason: string;
  item: string;
  received_at: string;
}

export function presentRejectedItem(row: WebhookRejectRow): RejectedWebhookItem {
  const { id, account_id, provider, bot_id, path, reason, received_at: receivedAt } = row;
  // A cut may leave half a character at the end. A decoder in stream mode leaves it out.
  const item = new TextDecoder().decode(row.item, { stream: true });
  return { id, account_id, provider, bot_id, path, reason, item, received_at: receivedAt.toISOString() };
}
