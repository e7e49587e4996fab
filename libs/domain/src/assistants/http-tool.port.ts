import type { ToolMethod } from '@app/contracts/tool.words';
import type { SendPermit } from '../messages/dispatch/message-sender.port';

export interface HttpToolRequest {
  method: ToolMethod;
  url: string;
  /** Headers besides those that the caller sets. {@link violationOfHeader} says which are allowed. */
  headers: Readonly<Record<string, string>>;
  /** GET and DELETE put them into the address, other methods into the body as JSON. */
  arguments: Readonly<Record<string, unknown>>;
  /** Longest wait for a whole answer, in milliseconds. */
  timeoutMs: number;
}

/** A request over a connection that is open already. */
export interface HttpToolCall extends Omit<HttpToolRequest, 'arguments' | 'timeoutMs'> {
  /** JSON, sent byte for byte; null: no body. */
  body: string | null;
  /** Checked when the request is written. */
  permit: SendPermit;
}

/** The outcome of one call. */
export type HttpToolAnswer =
  | {
      kind: 'answered';
      status: number;
      /** As text. The values of the request's headers are masked. */
      body: string;
      /** Whether the body exceeded its limit. The remainder was not read. */
      overlong: boolean;
    }
  | HttpToolFailure;

/** Why there is no answer. */
export type HttpToolFailure =
  /** The signal was aborted. */
  | { kind: 'aborted' }
  | {
      kind: 'failed';
      /** Half a sentence for the model and the log, without addresses and headers. */
      reason: string;
      /** Present where the request is not one that is made, whenever it is tried: nothing was sent. */
      refused?: true;
    };

/** What came of a request of which only the status counts. */
export type HttpToolStatus =
  | {
      kind: 'status';
      status: number;
      /** What its Retry-After asks for, in milliseconds; null: nothing. */
      retryAfterMs: number | null;
    }
  /** Nothing was sent: the permit was void when it would have been. */
  | { kind: 'withheld' }
  | HttpToolFailure;

/** An open connection for one request. */
export interface HttpToolConnection {
  readonly kind: 'connected';
  /**
   * Makes the request, within what is left of the connection's time. Any status is an answer, a redirect's too, and the
   * body is not looked at.
   */
  send(call: HttpToolCall): Promise<HttpToolStatus>;
  /** Closes it, also before or within a request. Idempotent. */
  close(): void;
}

/** Calls addresses that tenants choose. Never throws because of the tenant, the network or the other side. */
export abstract class HttpToolCaller {
  /** Why the address is not called, as far as that is known without resolving its name; null: it may be called. */
  abstract violationOfUrl(url: string): string | null;

  /** Resolves soon after the signal is aborted, with the connection closed. */
  abstract call(request: HttpToolRequest, signal: AbortSignal): Promise<HttpToolAnswer>;

  /**
   * Opens a connection to the address, checked as for a call, so that a request can begin at a chosen moment.
   * @param timeoutMs for connecting and for the request together
   */
  abstract connect(url: string, timeoutMs: number): Promise<HttpToolConnection | HttpToolFailure>;
}

/** A token of RFC 9110, section 5.6.2. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;

/** Headers of the connection (RFC 9110, section 7.6.1), of the body's form, and those that the caller sets. */
const RESERVED_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** What is wrong with a header of a tool; null when nothing is. */
export function violationOfHeader(name: string, value: unknown): string | null {
  if (!HEADER_NAME.test(name)) return 'is no name of a header';
  if (RESERVED_HEADERS.has(name.toLowerCase())) return 'is set by the service itself';
  if (typeof value === 'string' && HEADER_VALUE.test(value)) return null;
  return 'must be 1 to 4096 printable ASCII characters in one line, without blanks around them';
}
