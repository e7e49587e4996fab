import { isIP } from 'node:net';
import {
  violationOfHeader,
  HttpToolCaller,
  type HttpToolAnswer,
  type HttpToolRequest,
} from '@app/domain/assistants/http-tool.port';
import { Client, type Dispatcher } from 'undici';
import { AddressRefusedError, guardedLookup, NameUnknownError } from './guarded.lookup';
import { resolveName, type ResolveName } from './name.resolver';
import { isLoopback, isPublicAddress } from './public.address';
import { masked } from './secret.mask';

/** How many bytes of an answer are read. */
const LONGEST_ANSWER = 65_536;
const USER_AGENT = 'Leadline-Tools/1';

export interface CallerOptions {
  /** Allows this machine and plain http, for the demo and for tests. */
  mayReachThisMachine: boolean;
  /** Replaces the name servers, in tests. */
  resolve?: ResolveName;
}

/** The answer is not used. The message is half a sentence for the model. */
class UnusableAnswerError extends Error {}

/**
 * Calls addresses that tenants chose. Each call opens a new connection, so one tenant's call cannot affect the next.
 * Only public addresses are called, and they are checked when the connection is made. No redirect is followed;
 * nothing is sent twice, sent through a proxy, or decompressed. One time limit covers everything from resolving the
 * name to the end of the answer.
 */
export class GuardedToolCaller extends HttpToolCaller {
  private readonly mayCall: (address: string) => boolean;
  private readonly resolve: ResolveName;
  private readonly protocols: readonly string[];

  constructor({ mayReachThisMachine, resolve = resolveName }: CallerOptions) {
    super();
    this.resolve = resolve;
    this.protocols = mayReachThisMachine ? ['https:', 'http:'] : ['https:'];
    this.mayCall = (address) => isPublicAddress(address) || (mayReachThisMachine && isLoopback(address));
  }

  violationOfUrl(text: string): string | null {
    const url = URL.parse(text);
    if (!url || text !== text.trim() || !this.protocols.includes(url.protocol))
      return 'must be an https address';
    if (url.username !== '' || url.password !== '') return 'must not carry a user or a password: use headers';
    // URL has already normalised other forms of an IPv4 address, decimal or octal.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.mayCall(host))
      return 'must be an address that is reachable from everywhere';
    return null;
  }

  async call(request: HttpToolRequest, signal: AbortSignal): Promise<HttpToolAnswer> {
    if (signal.aborted) return { kind: 'aborted' };
    if (this.violationOfUrl(request.url) !== null) return failed('its address is not one that is called');
    const headers = Object.entries(request.headers);
    if (headers.some(([name, value]) => violationOfHeader(name, value) !== null)) {
      return failed('its headers are not ones that are sent');
    }
    const timeIsUp = AbortSignal.timeout(request.timeoutMs);
    try {
      return await this.exchange(request, headers, AbortSignal.any([signal, timeIsUp]));
    } catch (error) {
      if (signal.aborted) return { kind: 'aborted' };
      if (timeIsUp.aborted) return failed(`no whole answer came within ${request.timeoutMs} ms`);
      return failed(reasonOf(error));
    }
  }

  private async exchange(
    request: HttpToolRequest,
    headers: readonly [string, string][],
    signal: AbortSignal,
  ): Promise<HttpToolAnswer> {
    const url = new URL(request.url);
    const inAddress = request.method === 'GET' || request.method === 'DELETE';
    if (inAddress) addArguments(url, request.arguments);
    const client = new Client(url.origin, {
      pipelining: 1,
      allowH2: false,
      maxCachedSessions: 0,
      // The signal has the one time limit.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { lookup: guardedLookup(this.resolve, this.mayCall), timeout: request.timeoutMs },
    });
    try {
      const answer = await client.request({
        method: request.method,
        path: url.pathname + url.search,
        headers: [
          ...headers.flat(),
          ...['user-agent', USER_AGENT, 'accept-encoding', 'identity'],
          ...(inAddress ? [] : ['content-type', 'application/json']),
        ],
        body: inAddress ? null : JSON.stringify(request.arguments),
        signal,
      });
      const { text, overlong } = await readAnswer(answer);
      const secrets = headers.map(([, value]) => value);
      const body = masked(text, secrets, overlong);
      return { kind: 'answered', status: answer.statusCode, body, overlong };
    } finally {
      client.destroy().catch(() => undefined);
    }
  }
}

const failed = (reason: string): HttpToolAnswer => ({ kind: 'failed', reason });

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

/** Half a sentence. Messages of the network may name addresses, so only their codes are used. */
function reasonOf(error: unknown): string {
  if (error instanceof UnusableAnswerError) return error.message;
  if (error instanceof AddressRefusedError) return 'its name leads to an address that is not called';
  if (error instanceof NameUnknownError) return 'its name is not known';
  const { code, name } = error as { code?: unknown; name?: string };
  return `the connection broke: ${typeof code === 'string' ? code : (name ?? 'unknown')}`;
}
