import type { Dispatcher } from 'undici';
import type { PendingTimers } from '../pending-timers';
import type { RetryPlan } from '../sandbox-options';

/** JSON as Meta writes it: every character beyond ASCII is escaped, so its bytes are the same in every encoding. */
export function asciiJson(value: unknown): Buffer {
  const json = JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(json, 'latin1');
}

/** A webhook's body with its headers: the same bytes at every attempt. */
export interface Webhook {
  body: Buffer;
  headers: Record<string, string>;
}

interface WebhookQueueOptions<T> {
  client: Dispatcher;
  timers: PendingTimers;
  retry: RetryPlan;
  /** Null: there is no receiver. */
  address: () => string | null;
  compose: (items: readonly T[]) => Webhook;
  isAcknowledged: (status: number) => boolean;
  /** How many items one body holds. */
  itemsMax: number;
}

const LINGER_MS = 8;
const AT_ONCE_MAX = 8;
const WAITING_MAX = 100_000;
const ANSWER_WITHIN_MS = 10_000;
/** Longest wait of a caller for the acknowledgement. */
const NOW_WITHIN_MS = 2_000;

/** Sends webhooks to one receiver: several at once, several items in a body, repeated until acknowledged. */
export class WebhookQueue<T> {
  private waiting: T[] = [];
  private lingering = false;
  private underWay = 0;
  /** Items that wait for their next attempt. */
  private held = 0;
  private stopped = false;

  constructor(private readonly options: WebhookQueueOptions<T>) {}

  push(item: T): void {
    if (this.options.address() === null || this.waiting.length + this.held >= WAITING_MAX) return;
    this.waiting.push(item);
    if (this.lingering) return;
    this.lingering = true;
    this.options.timers.after(LINGER_MS, () => {
      this.lingering = false;
      this.flush();
    });
  }

  /** Sends one item alone. Resolves when it is acknowledged, or has not been for some time. */
  async sendNow(item: T): Promise<void> {
    if (this.options.address() === null) return;
    await new Promise<void>((resolve) => {
      this.options.timers.after(NOW_WITHIN_MS, resolve);
      void this.deliver(this.options.compose([item]), 1, resolve);
    });
  }

  /** Requests under way end with the client. */
  stop(): void {
    this.waiting = [];
    this.stopped = true;
  }

  private flush(): void {
    while (this.waiting.length > 0 && this.underWay < AT_ONCE_MAX) {
      const items = this.waiting.splice(0, this.options.itemsMax);
      this.underWay += 1;
      void this.deliver(this.options.compose(items), items.length).finally(() => {
        this.underWay -= 1;
        this.flush();
      });
    }
  }

  /** Only the first attempt is awaited, so an absent receiver delays nothing. */
  private async deliver(webhook: Webhook, items: number, done?: () => void, attempt = 1): Promise<void> {
    if (await this.acknowledged(webhook)) return done?.();
    const { firstMs, longestMs, attempts } = this.options.retry;
    if (attempt >= attempts || this.stopped) return;
    this.held += items;
    this.options.timers.after(Math.min(firstMs * 2 ** (attempt - 1), longestMs), () => {
      this.held -= items;
      void this.deliver(webhook, items, done, attempt + 1);
    });
  }

  private async acknowledged({ body, headers }: Webhook): Promise<boolean> {
    const address = this.options.address();
    if (address === null) return true;
    try {
      const url = new URL(address);
      const { statusCode, body: answered } = await this.options.client.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        headersTimeout: ANSWER_WITHIN_MS,
        bodyTimeout: ANSWER_WITHIN_MS,
      });
      await answered.dump({ limit: 65_536 });
      return this.options.isAcknowledged(statusCode);
    } catch {
      return false;
    }
  }
}
