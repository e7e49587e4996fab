import type { Handler } from './call-router';
import { answerJson } from './json.answer';

/** A page of another origin in the same browser must not play the customer or clear the ledger. */
export function refuseForeignPages(handler: Handler): Handler {
  return (call) => {
    const { origin, host } = call.request.headers;
    if (origin !== undefined && hostOf(origin) !== host)
      return answerJson(call.response, 403, { error: 'Only pages of the sandbox may do this.' });
    return handler(call);
  };
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
