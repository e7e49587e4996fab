/** Types of events that go out to endpoints. */
export const WEBHOOK_EVENTS = [
  'lead.created',
  'lead.status_changed',
  'lead.ai_switched',
  'lead.handler_changed',
  'lead.opted_out',
  'lead.assigned',
  'lead.renamed',
  'lead.attention',
  'message.received',
  'message.sent',
  'message.status_changed',
  'message.transcribed',
  'message.edited',
  'message.deleted',
  'batch.finished',
  'scenario.finished',
  'import.finished',
  'template.status_changed',
  'bot.trouble',
  'quota.low',
  'webhook.disabled',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What an endpoint's test sends. Nobody subscribes to it. */
export const WEBHOOK_TEST = 'webhook.test';

/** All that endpoints are sent. */
export type SentEvent = WebhookEvent | typeof WEBHOOK_TEST;

/** In a subscription: every type, those of later versions too. */
export const ALL_EVENTS = '*';

export const ENDPOINT_LIMITS = {
  descriptionLengthMax: 1_000,
  /** Requests a second that an endpoint may ask for. */
  perSecondMax: 500,
  /** So long ago an event may be that is sent once more. */
  replayDays: 14,
  /** Deliveries that are to be sent are counted up to this number. */
  pendingCounted: 1_000,
} as const;

/** `pending` is to be sent; `skipped` was not sent any more, because its endpoint was disabled or its customer erased. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'skipped'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * Why an endpoint is disabled: an admin did it; it answered 410; or no delivery passed for five days and three different events
 * failed.
 */
export const DISABLED_REASONS = ['admin', 'gone', 'failing'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Failed attempts in a row, after which an endpoint fails: it gets one probe at a time. */
export const FAILURES_UNTIL_PROBED = 10;

/** How an endpoint fares. */
export const ENDPOINT_STATES = ['ok', 'failing', 'disabled'] as const;

export type EndpointState = (typeof ENDPOINT_STATES)[number];

/**
 * Faults of the service itself, which say nothing about a receiver: the secret does not open, the event is not in the log any
 * more, or has no body.
 */
export const SERVICE_FAULTS = ['secret', 'no_event', 'no_body'] as const;

export type ServiceFault = (typeof SERVICE_FAULTS)[number];

/** Why an attempt got no answer, or none that counts. */
export const ATTEMPT_FAULTS = [
  /** The address, or what its name leads to, is not one that is called. */
  'address',
  'name_address',
  'name_unknown',
  'refused',
  'reset',
  'unreachable',
  'certificate',
  'tls',
  /** Any other fault of the connection. */
  'connection',
  'no_answer',
  'redirect',
  ...SERVICE_FAULTS,
  /** A process that stops ends its requests. */
  'broken_off',
] as const;

export type AttemptFault = (typeof ATTEMPT_FAULTS)[number];

/** One try to deliver an event. */
export interface DeliveryAttempt {
  /** When it began, ISO 8601. */
  at: string;
  /** The answer's status; null: none came. */
  status: number | null;
  /** How long it took, in milliseconds. */
  ms: number;
  /** What went wrong; null: nothing. */
  error: string | null;
  /** The same for programs; null also of an attempt of a version before. */
  reason: AttemptFault | null;
}

/** For so many hours the former of two signing secrets signs too, unless told otherwise. */
export const OVERLAP_HOURS = 24;
export const OVERLAP_HOURS_MAX = 168;
