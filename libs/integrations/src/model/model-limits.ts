import { processLimits } from '@app/config/process-limits';
import { ModelFailure } from './model-failure';

/** The bounds of a request to a model, whatever the model and its endpoint do. */
export interface ModelLimits {
  /** Longest wait for the first byte of an answer, in milliseconds: a model of one's own reads the whole dialog first. */
  firstByteMs: number;
  /** Longest wait without a byte from the endpoint afterwards, in milliseconds. */
  silenceMs: number;
  /** Longest whole request, its calls of tools included, in milliseconds. */
  wholeMs: number;
  /** Bytes of all answers of one request together. */
  answerBytes: number;
  /** Bytes of one tool call's arguments. */
  argumentsBytes: number;
  /** Most connections to the endpoint, with one request on each. More would exhaust files. */
  connections: number;
}

export const MODEL_LIMITS: ModelLimits = processLimits('model', {
  // `AI_FIRST_BYTE_MS` in the product.
  firstByteMs: 30_000,
  silenceMs: 30_000,
  wholeMs: 60_000,
  // A streamed token takes about 300 bytes, so this is far more than a reply and the thoughts before it.
  answerBytes: 2 * 1024 * 1024,
  argumentsBytes: 64 * 1024,
  connections: 1_024,
});

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
