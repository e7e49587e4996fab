import type { IncomingHttpHeaders } from 'node:http';
import type { SendPermit } from '@app/domain/messages/dispatch/message-sender.port';
import type { Dispatcher } from 'undici';

/** The outcome of one HTTP request to a provider. */
export type ProviderAnswer =
  /** No byte of the request left, so it can safely be made again. */
  | { kind: 'not_connected'; reason: string }
  /** No byte of the request left, because its permission ended before it could be written. */
  | { kind: 'withheld' }
  /** It was not tried: too many requests of ours are under way. */
  | { kind: 'no_slot' }
  /** A whole answer. `overlong`: its body exceeded the limit and the remainder was not read. */
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: Buffer; overlong: boolean }
  /**
   * The request may have been accepted, but its answer did not arrive whole. `body` is what arrived, null when not
   * even the head did.
   */
  | { kind: 'lost'; reason: string; body: Buffer | null };

const GIVEN_UP = new Error('The request was given up.');

/** A short word for why a connection broke; messages of the network may name inner addresses. */
function wordOf(error: Error): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : error.name;
}

/**
 * One request in undici. undici calls `onRequestStart` in the tick in which it writes to an open connection, and
 * never writes before. So that call separates "never left" from "may have left".
 */
export class ProviderExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private settled = false;
  private over = false;
  private readonly deadline: NodeJS.Timeout;

  /**
   * @param longestBody bytes of the answer's body that are read.
   * @param onOver called once, when undici is done with the request, which may be later than the answer.
   * @param permission without which nothing is written
   */
  constructor(
    timeoutMs: number,
    private readonly longestBody: number,
    private readonly onOver: () => void,
    private readonly answer: (answer: ProviderAnswer) => void,
    private readonly permit: SendPermit | null = null,
  ) {
    this.deadline = setTimeout(() => this.giveUp(timeoutMs), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // A start after the end belongs to a request that waited too long for a connection. A second start would be a
    // second request.
    if (this.settled || this.controller) return controller.abort(GIVEN_UP);
    if (this.permit && !this.permit.isValid()) {
      this.settle({ kind: 'withheld' });
      return controller.abort(GIVEN_UP);
    }
    this.controller = controller;
    // Runs after the write, which undici does when this call returns.
    if (this.permit) queueMicrotask(() => this.permit?.used());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.settled) return;
    this.chunks.push(chunk.subarray(0, this.longestBody - this.size));
    this.size += chunk.length;
    if (this.size <= this.longestBody) return;
    this.settleAnswered(true);
    controller.abort(GIVEN_UP);
  }

  onResponseEnd(): void {
    this.settleAnswered(false);
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.settleFailed(`the connection broke: ${wordOf(error)}`, wordOf(error));
    this.end();
  }

  private giveUp(timeoutMs: number): void {
    const waited = `within ${timeoutMs} ms`;
    this.settleFailed(`no whole answer came ${waited}`, `no connection ${waited}`);
    this.controller?.abort(GIVEN_UP);
  }

  private settleAnswered(overlong: boolean): void {
    const { status, headers } = this;
    this.settle({ kind: 'answered', status, headers, body: Buffer.concat(this.chunks), overlong });
  }

  private settleFailed(lost: string, notConnected: string): void {
    if (!this.controller) return this.settle({ kind: 'not_connected', reason: notConnected });
    this.settle({ kind: 'lost', reason: lost, body: this.status === 0 ? null : Buffer.concat(this.chunks) });
  }

  private settle(answer: ProviderAnswer): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.deadline);
    this.answer(answer);
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.onOver();
  }
}
