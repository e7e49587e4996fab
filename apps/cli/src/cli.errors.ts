/** How a command ended, for scripts. */
export const EXIT = {
  done: 0,
  /** The service refused, or did not answer. */
  refused: 1,
  /** The command was wrong, or no key was given: nothing was called. */
  usage: 2,
  /** Ctrl-C, as shells have it. */
  interrupted: 130,
} as const;

/** What was typed, or what the environment has, is not what a verb takes. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was right, and yet it could not be done. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Ended by Ctrl-C; the message says how to go on. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** It failed in the midst; `done` tells programs what had been done, and how to go on. */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';

  constructor(
    readonly failure: unknown,
    readonly done: object,
  ) {
    super('It failed in the midst', { cause: failure });
  }
}
