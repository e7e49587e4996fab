/** A call of a tool, as the model writes it. */
export interface WrittenCall {
  name: string;
  /** JSON, or invalid JSON of a misbehaving model. */
  arguments: string;
}

/** What the model does with a request. */
export type ModelAct =
  | { kind: 'say'; text: string; calls?: readonly WrittenCall[] }
  | { kind: 'hang' }
  | { kind: 'drip'; text: string }
  | { kind: 'endless'; text: string }
  | { kind: 'garbage' }
  | { kind: 'refuse'; httpStatus: number; retryAfterSeconds?: number };

/** Where a reply pauses until it is released. */
export const HOLDS = ['start', 'middle', 'end'] as const;

export interface ModelReply {
  act: ModelAct;
  /** Before the first byte. */
  delayMs?: number;
  /** Between words. Default: the sandbox's pause. */
  wordDelayMs?: number;
  /** Before the first byte, after half of the words, or after all words but before the end is written. */
  hold?: (typeof HOLDS)[number];
  /** Resets the connection after half of the words. */
  cut?: boolean;
}
