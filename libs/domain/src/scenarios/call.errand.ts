import { Injectable } from '@nestjs/common';
import { HttpToolCaller, type HttpToolAnswer } from '../assistants/http-tool.port';
import type { ErrandEnd, ErrandKey, ErrandKind, ReadyErrand } from './errand';
import type { CallOrder } from './step.decision';

/** From one try to the next. */
const TRY_AGAIN_MS = [5_000, 60_000, 600_000, 2_900_000];
const TIMEOUT_MS = 15_000;
/** Answers after which another try may help. */
const MAY_PASS = new Set([408, 425, 429]);

/** Calls of runs to addresses outside: at least once. */
@Injectable()
export class CallErrands implements ErrandKind<CallOrder> {
  readonly kind = 'call';

  constructor(private readonly caller: HttpToolCaller) {}

  prepare(key: ErrandKey): Promise<ReadyErrand<CallOrder>> {
    return Promise.resolve(new ReadyCall(key, this.caller));
  }
}

class ReadyCall implements ReadyErrand<CallOrder> {
  private order: CallOrder | null = null;

  constructor(
    readonly key: ErrandKey,
    private readonly caller: HttpToolCaller,
  ) {}

  async whenDue(): Promise<void> {
    // A call has no pace.
  }

  begin(_: unknown, order: CallOrder): Promise<{ messageId?: string }> {
    this.order = order;
    return Promise.resolve({});
  }

  async carryOut(onWritten: () => void, signal: AbortSignal): Promise<ErrandEnd> {
    if (!this.order) throw new Error('a call is carried out that was not begun');
    const { step, body } = this.order;
    onWritten();
    const answer = await this.caller.call(
      {
        method: step.method,
        url: step.url,
        headers: {},
        arguments: (body ?? {}) as Record<string, unknown>,
        timeoutMs: TIMEOUT_MS,
      },
      signal,
    );
    return endOf(answer, this.key.attempts);
  }

  release(): void {
    // Nothing is kept for it.
  }
}

function endOf(answer: HttpToolAnswer, triesBefore: number): ErrandEnd {
  if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300)
    return { kind: 'end', end: { state: 'done' } };
  const isFinal =
    answer.kind === 'answered' && answer.status >= 400 && answer.status < 500 && !MAY_PASS.has(answer.status);
  const inMs = TRY_AGAIN_MS[triesBefore];
  if (!isFinal && inMs !== undefined) return { kind: 'later', inMs };
  const message =
    answer.kind === 'answered' ? `The address answered with ${answer.status}.` : 'No answer came.';
  const state = answer.kind === 'answered' ? 'failed' : 'unknown';
  return { kind: 'end', end: { state, error: { code: 'HTTP_FAILED', message } } };
}
