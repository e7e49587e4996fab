import type { AttemptFault } from '@app/contracts/webhook.words';

/** Headers of all requests, besides those that are signed. */
export const SENDER_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Leadline-Webhooks/1',
} as const;

/** A signed event for an endpoint. */
export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON, sent byte for byte, for it is signed. */
  body: string;
}

/** What came of a request. */
export interface WebhookOutcome {
  /** The answer's status; null: none came in time. */
  status: number | null;
  /** From the beginning to the answer, in milliseconds. */
  ms: number;
  /** Why there is no answer, without addresses; null: there is one. */
  error: string | null;
  /** The same for programs. */
  reason: AttemptFault | null;
  /** What the answer's Retry-After asks for, in milliseconds; null: nothing. */
  retryAfterMs: number | null;
}

/** Sends to the addresses of one endpoint, over connections that it keeps. Never throws because of the other side. */
export interface WebhookConnections {
  /**
   * An answer counts by its status alone, and its body is not read beyond 4 KiB. A redirect is not followed.
   * @param signal ends the request, whose outcome is then without a status
   */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome>;
  /** Closes all connections, those in use too. Idempotent. */
  close(): void;
}

/** Opens connections to addresses that tenants chose: to public ones only, checked when a connection is made. */
export abstract class WebhookSender {
  abstract open(): WebhookConnections;
}
