import { asSpan } from '@app/contracts/trace-recorder';
import {
  HttpToolCaller,
  type HttpToolAnswer,
  type HttpToolConnection,
  type HttpToolFailure,
  type HttpToolRequest,
} from '@app/domain/assistants/http-tool.port';
import { Client, type Dispatcher } from 'undici';
import {
  areSent,
  sentHeaders,
  failed,
  failureOf,
  REFUSED_ADDRESS,
  REFUSED_HEADERS,
  UnusableAnswerError,
  GuardedConnection,
} from './guarded-connection';
import { GuardedAddresses, type AddressOptions } from './guarded-addresses';

const MASK = '***';
/** Shorter values, such as "1" or "Bearer", are no secrets and occur in many texts. */
const SHORTEST_VALUE = 6;
const SHORTEST_WORD = 8;
/** Shortest beginning of a secret that is masked at the end of a text that was cut. */
const SHORTEST_PIECE = 6;

/** A header's value, its words, and the forms in which an answer may repeat them, the longest first. */
function formsOf(values: readonly string[]): string[] {
  const secrets = values.flatMap((value) => [
    ...(value.length >= SHORTEST_VALUE ? [value] : []),
    ...value.split(/[\s,;=]+/).filter((word) => word.length >= SHORTEST_WORD),
  ]);
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('/', '\\/'),
  ]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/**
 * Masks values of the request's headers that an answer repeats.
 * @param isCut whether the text was cut: its end may be the beginning of a secret
 */
function masked(text: string, values: readonly string[], isCut: boolean): string {
  let clean = text;
  const forms = formsOf(values);
  for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, MASK);
  if (!isCut) return clean;
  for (const form of forms) {
    for (let length = form.length - 1; length >= SHORTEST_PIECE; length -= 1) {
      if (clean.endsWith(form.slice(0, length))) return clean.slice(0, -length) + MASK;
    }
  }
  return clean;
}

/** How many bytes of an answer are read. */
const LONGEST_ANSWER = 65_536;

/**
 * Calls addresses that tenants chose. Each call opens a new connection, so one tenant's call cannot affect the next.
 * Only public addresses are called, and they are checked when the connection is made. No redirect is followed;
 * nothing is sent twice, sent through a proxy, or decompressed. One time limit covers everything from resolving the
 * name to the end of the answer.
 */
export class GuardedToolCaller extends HttpToolCaller {
  private readonly addresses: GuardedAddresses;

  constructor(options: AddressOptions) {
    super();
    this.addresses = new GuardedAddresses(options);
  }

  violationOfUrl(text: string): string | null {
    return this.addresses.violationOf(text);
  }

  /** The address is the tenant's, and may hold a secret: a trace has neither it nor any header of ours for it. */
  call(request: HttpToolRequest, signal: AbortSignal): Promise<HttpToolAnswer> {
    return asSpan(
      () => ({
        ...{ name: `${request.method} tool`, kind: 'client' },
        facts: { 'http.request.method': request.method },
      }),
      async (span) => {
        const answer = await this.callWithin(request, signal);
        const status = answer.kind === 'answered' ? answer.status : undefined;
        span?.set({ 'leadline.outcome': answer.kind, 'http.response.status_code': status });
        if (answer.kind !== 'answered') span?.fail({ code: answer.kind });
        return answer;
      },
    );
  }

  private async callWithin(request: HttpToolRequest, signal: AbortSignal): Promise<HttpToolAnswer> {
    if (signal.aborted) return { kind: 'aborted' };
    if (this.violationOfUrl(request.url) !== null) return REFUSED_ADDRESS;
    if (!areSent(request.headers)) return REFUSED_HEADERS;
    const timeIsUp = AbortSignal.timeout(request.timeoutMs);
    try {
      return await this.exchange(request, AbortSignal.any([signal, timeIsUp]));
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted' };
      if (timeIsUp.aborted) return failed(`no whole answer came within ${request.timeoutMs} ms`);
      return failureOf(error);
    }
  }

  async connect(url: string, timeoutMs: number): Promise<HttpToolConnection | HttpToolFailure> {
    if (this.violationOfUrl(url) !== null) return REFUSED_ADDRESS;
    try {
      return await GuardedConnection.open(new URL(url), timeoutMs, this.addresses.lookup);
    } catch (error) {
      return failureOf(error);
    }
  }

  private async exchange(request: HttpToolRequest, signal: AbortSignal): Promise<HttpToolAnswer> {
    const inAddress = request.method === 'GET' || request.method === 'DELETE';
    const url = new URL(request.url);
    if (inAddress) addArguments(url, request.arguments);
    const client = new Client(url.origin, {
      pipelining: 1,
      allowH2: false,
      maxCachedSessions: 0,
      // The signal has the one time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { lookup: this.addresses.lookup, timeout: request.timeoutMs },
    });
    try {
      const answer = await client.request({
        method: request.method,
        path: url.pathname + url.search,
        headers: sentHeaders(request.headers, !inAddress),
        body: inAddress ? null : JSON.stringify(request.arguments),
        signal,
      });
      const { text, overlong } = await readAnswer(answer);
      const body = masked(text, Object.values(request.headers), overlong);
      return { kind: 'answered', status: answer.statusCode, body, overlong };
    } finally {
      client.destroy().catch(() => undefined);
    }
  }
}

/** Null is left out. Lists and objects are written as JSON. */
function addArguments(url: URL, given: HttpToolRequest['arguments']): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    url.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
}

async function readAnswer(answer: Dispatcher.ResponseData): Promise<{ text: string; overlong: boolean }> {
  const { statusCode: status, headers, body } = answer;
  // Errors of a body that is not read further do not matter.
  body.on('error', () => undefined);
  if (status >= 300 && status < 400) {
    throw new UnusableAnswerError(`it answered with a redirect (${status}), which is not followed`);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new UnusableAnswerError('its answer is compressed, which was not asked for');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, LONGEST_ANSWER - size));
    size += chunk.length;
    if (size > LONGEST_ANSWER) break;
  }
  const overlong = size > LONGEST_ANSWER;
  // A decoder in stream mode leaves out a character that was cut.
  const text = new TextDecoder().decode(Buffer.concat(chunks), { stream: overlong });
  return { text: text.replaceAll('\0', ''), overlong };
}
