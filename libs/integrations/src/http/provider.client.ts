import type { SendPermit } from '@app/domain/messages/message-sender.port';
import { Pool } from 'undici';
import { ProviderExchange, type ProviderAnswer } from './provider.exchange';
import { ProviderSlots } from './provider.slots';
import { LONGEST_SHOWN } from './shown.body';

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** The number for which the request is made. Numbers share the slots of requests under way. */
  number: string;
  /** Appended to the provider's address as it is, so it must already be encoded. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Bytes of the answer's body that are read; {@link LONGEST_SHOWN} when not given. */
  longestBody?: number;
  /** Read when the request is written, which may be after a wait for a connection. */
  permit?: SendPermit;
}

/** Requests to one provider at once: eleven numbers with all their eighty in flight. Files and memory end here. */
const MOST_AT_ONCE = 1024;

/**
 * Calls one provider over connections that are kept alive: one request on a connection at a time, no redirect
 * followed, nothing ever sent twice, one time limit from the call to the end of the answer.
 */
export class ProviderClient {
  private readonly pool: Pool;
  private readonly basePath: string;
  private readonly slots: ProviderSlots;

  /**
   * @param url the provider's address, without a trailing slash.
   * @param timeoutMs longest wait for a whole answer.
   * @param mostAtOnce requests under way at once, of all numbers.
   */
  constructor(
    url: string,
    private readonly timeoutMs: number,
    mostAtOnce = MOST_AT_ONCE,
  ) {
    const { origin, pathname } = new URL(url);
    this.basePath = pathname.replace(/\/+$/, '');
    this.slots = new ProviderSlots(mostAtOnce);
    this.pool = new Pool(origin, {
      connections: mostAtOnce,
      pipelining: 1,
      // HTTP/2 clients may repeat a request on another connection by themselves.
      allowH2: false,
      connect: { timeout: timeoutMs },
      // The one time limit is the exchange's own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Whether a request of the number made in this same tick has a slot. */
  hasSlot(number: string): boolean {
    return this.slots.has(number);
  }

  /** Makes one request; never throws for what the network or the provider does. */
  call(request: ProviderRequest): Promise<ProviderAnswer> {
    const { number } = request;
    if (!this.slots.has(number)) return Promise.resolve({ kind: 'no_slot' });
    this.slots.take(number);
    return new Promise((resolve) => {
      const { method, path, headers, body = null, longestBody = LONGEST_SHOWN, permit } = request;
      const onOver = (): void => this.slots.giveBack(number);
      const exchange = new ProviderExchange(this.timeoutMs, longestBody, onOver, resolve, permit);
      this.pool.dispatch({ method, path: this.basePath + path, headers, body }, exchange);
    });
  }

  /** Ends once the requests under way have their answers or their time is up; later calls are not connected. */
  async close(): Promise<void> {
    await this.pool.close();
  }
}
