import type { Handler } from '../http/call-router';
import { answer } from '../http/json.answer';
import type { CloudNumber } from '../sandbox-options';
import { answerOfError, CloudError } from './cloud.errors';

/** Answers with Meta's error what the handler throws. */
export const guarded =
  (handler: Handler): Handler =>
  async (call) => {
    try {
      await handler(call);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      answer(call.response, answerOfError(error));
    }
  };

export function bearer(header: string | undefined): string {
  if (!header) throw new CloudError(104);
  return header.replace(/^Bearer /i, '');
}

/** @throws CloudError where no number has the token. */
export function requireKnown(numbers: readonly CloudNumber[], token: string): void {
  if (!numbers.some((number) => number.token === token)) throw new CloudError(190);
}
