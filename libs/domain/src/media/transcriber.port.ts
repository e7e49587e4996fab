import type { Readable } from 'node:stream';

/** Audio that is to be written down. */
export interface Recording {
  /** By its bytes. */
  mimeType: string;
  /** In bytes. */
  size: number;
  /** Opens the bytes, for each request anew. */
  open(): Promise<Readable>;
}

/** What is said in it. */
export interface Heard {
  /** Empty: nothing. */
  text: string;
  /** ISO 639-1; null: not known. */
  language: string | null;
}

/** It could not be written down. The reason is half a sentence, without addresses, keys and what was said. */
export class TranscriptionFailedError extends Error {
  override readonly name = 'TranscriptionFailedError';

  /**
   * @param mayRetry whether the same request may succeed later
   * @param retryAfterMs how long the server asks to wait first, if it does
   */
  constructor(
    reason: string,
    readonly mayRetry: boolean,
    readonly retryAfterMs: number | null = null,
  ) {
    super(reason);
  }
}

/** A model that writes down what is said. */
export abstract class Transcriber {
  /** Whether there is one. */
  abstract readonly isOn: boolean;

  /** @throws TranscriptionFailedError */
  abstract transcribe(recording: Recording, signal: AbortSignal): Promise<Heard>;
}
