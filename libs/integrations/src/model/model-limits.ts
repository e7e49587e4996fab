import { processLimits } from '@app/config/process-limits';

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
