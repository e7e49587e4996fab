/**
 * Types of entries in the event log, besides those that a dialog's history shows. `opened` and `card` change the
 * card. The others name a message by `message_id` in their body; `message_transcribed` has the transcript's state as `to`.
 */
export const FEED_TYPES = ['opened', 'card', 'message', 'message_state', 'message_transcribed'] as const;

export type FeedType = (typeof FEED_TYPES)[number];

/** Types of entries that name a message by `message_id` in their body. */
export const MESSAGE_TYPES = [
  ...(['message', 'message_state', 'message_transcribed'] as const),
  ...(['message_edited', 'message_deleted'] as const),
] as const;

/**
 * Types of entries that are about no dialog. Their thread is {@link NIL_ID}, and so is their agent where they are about none.
 * Only webhooks tell them. Boards have others of their own, such as `funnel`.
 */
export const ACCOUNT_TYPES = [
  'batch',
  'import',
  'template',
  'bot_trouble',
  'quota_low',
  'webhook_disabled',
] as const;

export type AccountEventType = (typeof ACCOUNT_TYPES)[number];
