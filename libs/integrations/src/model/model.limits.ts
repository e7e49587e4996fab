/** Where a request to a model ends, whatever the model and its endpoint do. */
export interface ModelLimits {
  /** Longest wait without a byte from the endpoint, in milliseconds. */
  silenceMs: number;
  /** Longest whole request, its calls of tools included, in milliseconds. */
  wholeMs: number;
  /** Bytes of all answers of one request together. */
  answerBytes: number;
  /** Bytes of one tool call's arguments. */
  argumentsBytes: number;
  /** Connections to the endpoint, one request on each: files end here. */
  connections: number;
}

export const MODEL_LIMITS: ModelLimits = {
  silenceMs: 30_000,
  wholeMs: 60_000,
  // A streamed token takes some 300 bytes: this is far more than a reply and the thoughts before it.
  answerBytes: 2 * 1024 * 1024,
  argumentsBytes: 64 * 1024,
  connections: 1_024,
};
