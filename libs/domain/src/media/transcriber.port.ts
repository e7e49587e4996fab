import type { Readable } from 'node:stream';

/** Audio to transcribe. */
export interface Recording {
  /** Detected from the bytes. */
  mimeType: string;
  /** In bytes. */
  size: number;
  /** Opens the file; called once for each request. */
  open(): Promise<Readable>;
}

/** What the model heard. */
export interface Transcript {
  /** Empty where nobody speaks. */
  text: string;
  /** ISO 639-1; null: not known. */
  language: string | null;
}

/** The message is half a sentence for logs and people, without addresses, keys or what was said. */
export class TranscriptionFailedError extends Error {
  override readonly name = 'TranscriptionFailedError';

  /**
   * @param mayRetry whether the same request may succeed later
   * @param retryAfterMs how long the server asks us to wait
   */
  constructor(
    reason: string,
    readonly mayRetry: boolean,
    readonly retryAfterMs: number | null = null,
  ) {
    super(reason);
  }
}

/** A speech-to-text model. */
export abstract class Transcriber {
  /** Whether one is configured. */
  abstract readonly isOn: boolean;

  /** @throws TranscriptionFailedError */
  abstract transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript>;
}
