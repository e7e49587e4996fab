import { ModelFailure } from './model-failure';
import type { ModelLimits } from './model-limits';

const seconds = (ms: number): string => `${ms / 1000} seconds`;

/**
 * The bounds of one request to a model. The first of these ends it, and aborts everything that listens to the signal:
 * the caller's abort, a time limit, too many bytes, a failure.
 */
export class ReplyBounds {
  /** Why the request ended early; null while it runs, and when the caller ended it. */
  failure: ModelFailure | null = null;
  private readonly controller = new AbortController();
  private readonly whole: NodeJS.Timeout;
  private silence: NodeJS.Timeout | undefined;
  private bytesLeft: number;

  constructor(
    private readonly limits: Pick<ModelLimits, 'firstByteMs' | 'silenceMs' | 'wholeMs' | 'answerBytes'>,
    private readonly caller: AbortSignal,
  ) {
    this.bytesLeft = limits.answerBytes;
    this.whole = setTimeout(() => {
      this.fail(new ModelFailure(`The model gave no whole reply within ${seconds(limits.wholeMs)}.`, true));
    }, limits.wholeMs);
    caller.addEventListener('abort', this.end, { once: true });
    if (caller.aborted) this.end();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** A request was written, so the wait for its answer begins. */
  expectAnswer(): void {
    const { firstByteMs } = this.limits;
    this.expectBytesIn(firstByteMs, `The model sent nothing for ${seconds(firstByteMs)}.`);
  }

  /** @param fault what the endpoint did where nothing has come by then */
  private expectBytesIn(ms: number, fault: string): void {
    clearTimeout(this.silence);
    if (this.signal.aborted) return;
    this.silence = setTimeout(() => this.fail(new ModelFailure(fault, true)), ms);
  }

  /** Nothing is expected from the endpoint now. */
  expectNothing(): void {
    clearTimeout(this.silence);
  }

  /**
   * @throws ModelFailure when all answers together are too long
   */
  receive(bytes: number): void {
    this.bytesLeft -= bytes;
    const { silenceMs } = this.limits;
    if (this.bytesLeft >= 0)
      return this.expectBytesIn(silenceMs, `The model was silent for ${seconds(silenceMs)}.`);
    throw this.fail(
      new ModelFailure(`The model answered with more than ${this.limits.answerBytes} bytes.`, true),
    );
  }

  /** Ends the request for this reason, unless it has ended before. */
  fail(failure: ModelFailure): ModelFailure {
    if (!this.signal.aborted) this.failure = failure;
    this.end();
    return failure;
  }

  /** Ends the request. Nothing of it may continue after its outcome. */
  readonly end = (): void => {
    clearTimeout(this.whole);
    clearTimeout(this.silence);
    this.caller.removeEventListener('abort', this.end);
    // Without a reason: the platform's default abort error is thrown, which the SDK treats as a normal end.
    this.controller.abort();
  };
}
