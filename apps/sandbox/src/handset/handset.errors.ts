import type { Handler } from '../http/call-router';
import { answerJson } from '../http/json.answer';

/** A request to the handset that cannot be fulfilled. */
export class HandsetError extends Error {}

/** Answers 400 with the reason where the handler throws one. */
export function guarded(handler: Handler): Handler {
  return (call) => {
    try {
      return handler(call);
    } catch (error) {
      if (!(error instanceof HandsetError)) throw error;
      answerJson(call.response, 400, { error: error.message });
    }
  };
}
