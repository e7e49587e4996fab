import { processLimits } from '@app/config/process-limits';
import { asSpan } from '@app/contracts/trace-recorder';
import type { AttemptFault } from '@app/contracts/webhook.words';
import type { HttpToolFailure } from '@app/domain/assistants/http-tool.port';
import {
  SENDER_HEADERS,
  WebhookSender,
  type WebhookConnections,
  type WebhookOutcome,
  type WebhookRequest,
} from '@app/domain/webhooks-out/sending/webhook-sender.port';
import { Agent, type Dispatcher } from 'undici';
import {
  AddressRefusedError,
  NameUnknownError,
  GuardedAddresses,
  type AddressOptions,
} from '../http-tools/guarded-addresses';
import { failureOf, REFUSED_ADDRESS } from '../http-tools/guarded-connection';
import { retryAfterMs } from '../http/retry-after-header';

/** By the codes of Node and undici. */
const BY_CODE: Readonly<Record<string, AttemptFault>> = {
  ...{ ECONNREFUSED: 'refused', ECONNRESET: 'reset', EPIPE: 'reset', UND_ERR_SOCKET: 'reset' },
  ...{ EHOSTUNREACH: 'unreachable', ENETUNREACH: 'unreachable', ETIMEDOUT: 'unreachable' },
  ...{ UND_ERR_CONNECT_TIMEOUT: 'unreachable', EPROTO: 'tls' },
};
/** OpenSSL has some thirty codes for certificates. */
const OF_CERTIFICATES = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$/;
const OF_TLS = /^ERR_(?:SSL|TLS)_/;

/** What a connection failed by. */
export function faultOfConnection(error: unknown): AttemptFault {
  if (error instanceof AddressRefusedError) return 'name_address';
  if (error instanceof NameUnknownError) return 'name_unknown';
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'connection';
  if (OF_CERTIFICATES.test(code)) return 'certificate';
  if (OF_TLS.test(code)) return 'tls';
  return BY_CODE[code] ?? 'connection';
}

const SENDING_TIMES = processLimits('webhookSending', {
  /** For everything from resolving the name to the answer's status. */
  answerWithinMs: 15_000,
});
/** So much of an answer's body is taken, so that the connection can be used again. */
const BODY_BYTES_MAX = 4_096;
const BODY_MS_MAX = 1_000;
/** What is told of an answer: nothing went wrong, or it leads elsewhere. */
const NOTHING = { error: null, reason: null } as const;
const REDIRECTED = {
  error: 'it answered with a redirect, which is not followed',
  reason: 'redirect',
} as const;

const KEPT_OPEN_MS = 4_000;

/**
 * Sends events to addresses that tenants chose. A connection is made to a checked address only, and stays with it; nothing is sent
 * through a proxy, or decompressed.
 */
export class GuardedWebhookSender extends WebhookSender {
  private readonly addresses: GuardedAddresses;

  constructor(options: AddressOptions) {
    super();
    this.addresses = new GuardedAddresses(options);
  }

  open(): WebhookConnections {
    return new KeptConnections(this.addresses);
  }
}

class KeptConnections implements WebhookConnections {
  private readonly agent: Agent;

  constructor(private readonly addresses: GuardedAddresses) {
    this.agent = new Agent({
      pipelining: 1,
      allowH2: false,
      maxCachedSessions: 0,
      keepAliveTimeout: KEPT_OPEN_MS,
      keepAliveMaxTimeout: KEPT_OPEN_MS,
      // The signal has the one time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { lookup: addresses.lookup, timeout: SENDING_TIMES.answerWithinMs },
    });
  }

  /** The address is the tenant's, and may hold a secret: a trace does not have it. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome> {
    return asSpan(
      () => ({ name: 'POST webhook', kind: 'client', facts: { 'http.request.method': 'POST' } }),
      async (span) => {
        const outcome = await this.sendWithin(request, signal);
        const { status } = outcome;
        const kind = status === null ? 'failed' : 'answered';
        span?.set({ 'leadline.outcome': kind, 'http.response.status_code': status ?? undefined });
        if (status === null) span?.fail({ code: kind });
        return outcome;
      },
    );
  }

  private async sendWithin(request: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome> {
    const began = performance.now();
    const failed = (reason: AttemptFault, error: string): WebhookOutcome => ({
      ...{ status: null, ms: performance.now() - began, error },
      ...{ reason, retryAfterMs: null },
    });
    if (this.addresses.violationOf(request.url) !== null) return failed('address', wordsOf(REFUSED_ADDRESS));
    const { answerWithinMs } = SENDING_TIMES;
    const timeIsUp = AbortSignal.timeout(answerWithinMs);
    try {
      const answer = await this.request(request, AbortSignal.any([signal, timeIsUp]));
      const { statusCode: status, headers } = answer;
      const ms = performance.now() - began;
      await finishBody(answer);
      const told = status >= 300 && status < 400 ? REDIRECTED : NOTHING;
      return { status, ms, ...told, retryAfterMs: retryAfterMs(headers) };
    } catch (error) {
      if (signal.aborted) return failed('broken_off', 'the request was broken off');
      if (timeIsUp.aborted) return failed('no_answer', `no answer came within ${answerWithinMs / 1_000} s`);
      return failed(faultOfConnection(error), wordsOf(failureOf(error)));
    }
  }

  close(): void {
    this.agent.destroy().catch(() => undefined);
  }

  private request(
    { url, headers, body }: WebhookRequest,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { origin, pathname, search } = new URL(url);
    return this.agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        ...headers,
        ...SENDER_HEADERS,
        'accept-encoding': 'identity',
      },
      body,
      signal,
    });
  }
}

const wordsOf = (failure: HttpToolFailure): string =>
  failure.kind === 'failed' ? failure.reason : 'the request was broken off';

/** The connection is used again where the body was short; else it is closed. */
async function finishBody({ body }: Dispatcher.ResponseData): Promise<void> {
  const signal = AbortSignal.timeout(BODY_MS_MAX);
  await body.dump({ limit: BODY_BYTES_MAX, signal }).catch(() => undefined);
}
