/**
 * Types of entries in the event log, besides those that a dialog's history shows. `opened` and `card` change the
 * card. `message` and `message_state` name a message by `message_id` in their body.
 */
export const FEED_TYPES = ['opened', 'card', 'message', 'message_state'] as const;

export type FeedType = (typeof FEED_TYPES)[number];
