import type { MessengerSettings } from '@app/config/settings-config';
import { asSpan, type TraceSpan } from '@app/contracts/trace-recorder';
import type { SendPermit, SendSlot } from '@app/domain/messages/dispatch/message-sender.port';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'undici';
import { ProviderExchange, type ProviderAnswer } from './provider-exchange';
import { ProviderSlots } from './provider-slots';
import { LONGEST_SHOWN } from './shown-body';

export interface ProviderRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** The number for which the request is made. Numbers share the slots for requests. */
  number: string;
  /** Appended to the provider's address unchanged, so it must be encoded already. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** How many bytes of the answer's body are read; default {@link LONGEST_SHOWN}. */
  longestBody?: number;
  /** Read when the request is written, which may be after a wait for a connection. */
  permit?: SendPermit;
  /** Kept by {@link ProviderClient.keepSlot}. Without one, a slot is taken now. */
  slot?: SendSlot;
}

/** Most requests to one provider at once: eleven numbers with eighty each. More would exhaust files and memory. */
const MOST_AT_ONCE = 1024;

/**
 * Shorter than any permit of a list's or a single message, so that a slow connection is reported as none. The timer of
 * undici runs up to half a second longer.
 */
const CONNECT_WITHIN_MS = 3_000;

/**
 * Calls one provider over connections that are kept alive. A connection carries one request at a time. No redirect is
 * followed and nothing is sent twice. One time limit covers everything from the call to the end of the answer.
 */
export class ProviderClient {
  private readonly pool: Pool;
  private readonly basePath: string;
  private readonly host: string;
  private readonly slots: ProviderSlots;
  /** Hears of each request, with its time in seconds. */
  onAnswer: (answer: ProviderAnswer, seconds: number) => void = () => undefined;
  /** Slots that are kept for requests to come. */
  private readonly kept = new Set<SendSlot>();

  /**
   * @param url the provider's address, without a trailing slash.
   * @param timeoutMs longest wait for a whole answer.
   * @param mostAtOnce requests under way at once, of all numbers.
   * @param name of the provider, in traces.
   */
  constructor(
    url: string,
    private readonly timeoutMs: number,
    mostAtOnce = MOST_AT_ONCE,
    private readonly name = 'provider',
  ) {
    const { origin, pathname, hostname } = new URL(url);
    this.host = hostname;
    this.basePath = pathname.replace(/\/+$/, '');
    this.slots = new ProviderSlots(mostAtOnce);
    this.pool = new Pool(origin, {
      connections: mostAtOnce,
      pipelining: 1,
      // HTTP/2 clients may repeat a request on another connection by themselves.
      allowH2: false,
      connect: { timeout: Math.min(timeoutMs, CONNECT_WITHIN_MS) },
      // The exchange has the one time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Whether a request of the number would get a slot now, if it is made in this tick. */
  hasSlot(number: string): boolean {
    return this.slots.has(number);
  }

  /** Keeps a slot for one request of the number. @returns null when none is free for it. */
  keepSlot(number: string): SendSlot | null {
    if (!this.slots.has(number)) return null;
    this.slots.take(number);
    const slot: SendSlot = {
      release: () => {
        if (this.kept.delete(slot)) this.slots.giveBack(number);
      },
    };
    this.kept.add(slot);
    return slot;
  }

  /** Makes one request. Never throws because of the network or the provider. */
  call(request: ProviderRequest): Promise<ProviderAnswer> {
    if (!this.takeSlot(request)) return Promise.resolve({ kind: 'no_slot' });
    return asSpan(
      () => ({
        ...{ name: `${request.method} ${this.name}`, kind: 'client' },
        facts: { 'http.request.method': request.method, 'server.address': this.host },
      }),
      async (span) => {
        const begun = performance.now();
        const answer = await this.exchange(request);
        this.onAnswer(answer, (performance.now() - begun) / 1_000);
        return told(span, answer);
      },
    );
  }

  private exchange(request: ProviderRequest): Promise<ProviderAnswer> {
    const { number } = request;
    return new Promise((resolve) => {
      const { method, path, headers, body = null, longestBody = LONGEST_SHOWN, permit } = request;
      const onOver = (): void => this.slots.giveBack(number);
      const exchange = new ProviderExchange(this.timeoutMs, longestBody, onOver, resolve, permit);
      this.pool.dispatch({ method, path: this.basePath + path, headers, body }, exchange);
    });
  }

  private takeSlot({ number, slot }: ProviderRequest): boolean {
    if (slot && this.kept.delete(slot)) return true;
    if (!this.slots.has(number)) return false;
    this.slots.take(number);
    return true;
  }

  /** Resolves when the requests under way are answered or out of time. Later calls are not connected. */
  async close(): Promise<void> {
    await this.pool.close();
  }
}

/** Neither the path, which names our number, nor anything of what was sent and answered. */
function told(span: TraceSpan | null, answer: ProviderAnswer): ProviderAnswer {
  const status = answer.kind === 'answered' ? answer.status : undefined;
  span?.set({ 'leadline.outcome': answer.kind, 'http.response.status_code': status });
  if (answer.kind !== 'answered') span?.fail({ code: answer.kind });
  else if (answer.status >= 400) span?.fail({ code: String(answer.status) });
  return answer;
}

/** The connections to both providers, for the life of the process. */
export class ProviderClients implements OnApplicationShutdown {
  readonly cloud: ProviderClient;
  readonly gupshup: ProviderClient;

  constructor({ cloud, gupshup, timeoutMs }: MessengerSettings) {
    this.cloud = new ProviderClient(cloud.apiUrl, timeoutMs, undefined, 'cloud');
    this.gupshup = new ProviderClient(gupshup.apiUrl, timeoutMs, undefined, 'gupshup');
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.cloud.close(), this.gupshup.close()]);
  }
}
