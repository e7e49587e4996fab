/** One message of the dialog, as the model is told of it. */
export interface ModelMessage {
  /** `user`: the customer; `assistant`: anyone who answered. */
  role: 'user' | 'assistant';
  text: string;
}

/** Something that the model may call. Its arguments are hostile: the tool that is called checks them. */
export interface ModelTool {
  /** Letters, digits and underscores, 64 at most. */
  name: string;
  description: string;
  /** The JSON schema of its arguments, an object. */
  parameters: Readonly<Record<string, unknown>>;
  /**
   * @param given the arguments as the model wrote them, parsed from JSON but not looked at yet
   * @returns what the model is told. Never throws: a refusal is an answer too.
   */
  call(given: unknown, signal: AbortSignal): Promise<string>;
}

export interface ModelRequest {
  /** Null: the service's own (`AI_MODEL`). */
  model: string | null;
  instructions: string;
  messages: readonly ModelMessage[];
  tools: readonly ModelTool[];
  /** Calls of tools in the whole request, however the model spreads them; further ones are refused, not made. */
  toolCallsMax: number;
  /** Of the text; the model is stopped where it goes on. */
  charactersMax: number;
}

/** What became of one request. */
export type ModelOutcome =
  | { kind: 'replied'; text: string }
  /** The signal was aborted. */
  | { kind: 'aborted' }
  | {
      kind: 'failed';
      /** Whether a later try may go better: the model is away, slow or too busy, not wrong. */
      mayRetry: boolean;
      /** How long the model asks to wait first, where it does. */
      retryAfterMs?: number;
      /** A sentence for the operator and the log, without addresses, keys or the dialog's text. */
      reason: string;
    };

/** A model that writes replies. Never throws for what the model or the network does. */
export abstract class LanguageModel {
  /** Resolves soon after the signal is aborted, with the connection closed. */
  abstract reply(request: ModelRequest, signal: AbortSignal): Promise<ModelOutcome>;
}
