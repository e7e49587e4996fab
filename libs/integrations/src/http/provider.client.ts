import { Pool } from 'undici';
import { ProviderExchange, type ProviderAnswer } from './provider.exchange';
import { LONGEST_SHOWN } from './shown.body';

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Goes behind the provider's address as it is: whatever stands in it must be encoded. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Bytes of the answer's body that are read; {@link LONGEST_SHOWN} when not given. */
  longestBody?: number;
}

/** Requests to one provider at once: a dozen numbers with all their eighty in flight. Files and memory end here. */
const MOST_AT_ONCE = 1024;

/**
 * Calls one provider over connections that are kept alive: one request on a connection at a time, no redirect
 * followed, nothing ever sent twice, one time limit from the call to the end of the answer.
 */
export class ProviderClient {
  private readonly pool: Pool;
  private readonly basePath: string;
  private atOnce = 0;

  /**
   * @param url the provider's address, without a trailing slash.
   * @param timeoutMs longest wait for a whole answer.
   * @param mostAtOnce requests under way at once; one more is not connected.
   */
  constructor(
    url: string,
    private readonly timeoutMs: number,
    private readonly mostAtOnce = MOST_AT_ONCE,
  ) {
    const { origin, pathname } = new URL(url);
    this.basePath = pathname.replace(/\/+$/, '');
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

  /** Makes one request; never throws for what the network or the provider does. */
  call(request: ProviderRequest): Promise<ProviderAnswer> {
    if (this.atOnce >= this.mostAtOnce) {
      return Promise.resolve({ kind: 'not_connected', reason: 'too many requests at once' });
    }
    this.atOnce += 1;
    return new Promise((resolve) => {
      const { method, path, headers, body = null, longestBody = LONGEST_SHOWN } = request;
      const onOver = (): void => void (this.atOnce -= 1);
      const exchange = new ProviderExchange(this.timeoutMs, longestBody, onOver, resolve);
      this.pool.dispatch({ method, path: this.basePath + path, headers, body }, exchange);
    });
  }

  /** Ends once the requests under way have their answers or their time is up; later calls are not connected. */
  async close(): Promise<void> {
    await this.pool.close();
  }
}
