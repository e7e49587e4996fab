/** One message of the dialog, as the model gets it. */
export interface ModelMessage {
  /** `user`: the customer; `assistant`: everyone who answered. */
  role: 'user' | 'assistant';
  text: string;
  /** Pictures that the customer sent, as `data:` addresses of JPEG. */
  images?: readonly string[];
}

/** A function that the model may call. Its arguments are hostile, so the tool checks them. */
export interface ModelTool {
  /** Letters, digits and underscores, 64 at most. */
  name: string;
  description: string;
  /** The JSON schema of its arguments, an object. */
  parameters: Readonly<Record<string, unknown>>;
  /**
   * @param given the arguments as the model wrote them, parsed from JSON and unchecked
   * @returns what the model gets as the result. Never throws: a refusal is a result too.
   */
  call(given: unknown, signal: AbortSignal): Promise<string>;
}

export interface ModelRequest {
  /** Null: the service's default (`AI_MODEL`). */
  model: string | null;
  /** Fields of the request that the agent sets itself, null to leave one out; null: none. */
  options: object | null;
  instructions: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** Most calls of tools in the whole request. Further calls are refused. */
  toolCallsMax: number;
  /** Longest text. The model is stopped when it writes more. */
  charactersMax: number;
}

/** The outcome of one request. */
export type ModelOutcome =
  | { kind: 'replied'; text: string }
  /** The signal was aborted. */
  | { kind: 'aborted' }
  | {
      kind: 'failed';
      /** Whether a later try may succeed: the model is unreachable, slow or overloaded, not wrong. */
      mayRetry: boolean;
      /** How long the model asks to wait first, if it does. */
      retryAfterMs?: number;
      /** A sentence for the operator and the log, without addresses, keys or the dialog's text. */
      reason: string;
      /** The model's own words, for admins only: they may repeat the dialog. At most 1,000 characters. */
      words?: string;
    };

/** Blanks, formatting marks and characters without a width show nothing to a customer. */
export const EMPTY_ANSWER = {
  kind: 'failed',
  mayRetry: true,
  reason: 'The model answered without a text.',
} as const satisfies ModelOutcome;

/** A model that writes replies. Never throws because of what the model or the network does. */
export abstract class LanguageModel {
  /** Loads what the first request needs. Called before a process that writes replies takes calls. */
  prepare?(): void;

  /** Resolves soon after the signal is aborted, with the connection closed. */
  abstract reply(request: ModelRequest, signal: AbortSignal): Promise<ModelOutcome>;
}
