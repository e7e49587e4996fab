import type { ErrorCode } from '@app/contracts/error.codes';

/** What each code usually means; the examples of the documentation. */
export const MEANING: Record<ErrorCode, string> = {
  UNAUTHORIZED: 'The API key is missing or invalid.',
  FORBIDDEN: 'The key lacks the scope of this operation.',
  NOT_FOUND: 'There is no such operation.',
  METHOD_NOT_ALLOWED: 'The operation takes another method; see the Allow header.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB.',
  VALIDATION_ERROR: 'The body is not what the operation takes; details name each violation.',
  THREAD_NOT_FOUND: 'The dialog does not exist or belongs to another account.',
  STATUS_NOT_FOUND: "The stage is not in this agent's funnel.",
  STATUS_AMBIGUOUS: 'Several stages match status_name; use status_id.',
  STATUS_CONFLICT: 'The lead does not stand at expected_status_id.',
  STATUS_IN_USE: 'Leads stand in the stage, and move_to does not say where they go.',
  ASSISTANT_NOT_FOUND: 'The agent does not exist or belongs to another account.',
  BOT_NOT_FOUND: 'There is no such bot.',
  THREAD_OPTED_OUT: 'The customer unsubscribed; the agent cannot be switched on.',
  MESSAGE_NOT_FOUND: 'The message does not exist or belongs to another account.',
  BATCH_NOT_FOUND: 'The batch does not exist or belongs to another account.',
  IDEMPOTENCY_IN_PROGRESS: 'The first call with this Idempotency-Key is still under way; see Retry-After.',
  QUOTA_EXCEEDED: 'The monthly message quota does not allow so many recipients; nothing was sent.',
  PROVIDER_ERROR: 'The messenger refused the message, or its answer was lost; see provider_response.',
  BILLING_ERROR: 'A payment problem on the side of the provider; see provider_response.',
  ACCOUNT_NOT_FOUND: 'There is no such account.',
  API_KEY_NOT_FOUND: 'There is no such API key.',
  TEMPLATE_NOT_FOUND: 'There is no such template.',
  TEMPLATE_CONFLICT: 'The template is neither a draft nor rejected, or somebody changed it at the same time.',
  TOOL_NOT_FOUND: 'The agent has no such tool.',
  SCENARIO_NOT_FOUND: 'There is no such scenario, or it is archived.',
  RUN_NOT_FOUND: 'There is no such run.',
  RUN_STATE:
    'The run, its step or its scenario is in a state that does not allow it; the message says which.',
  ALREADY_EXISTS: 'There is one already; the message says which.',
  RATE_LIMITED: 'More requests in 60 seconds than the key may make; see Retry-After.',
  INTERNAL_ERROR: 'An error of the service; report the request_id.',
  UNAVAILABLE:
    'The database is away, the process is shutting down, too many calls of your account are under way at once, or another request holds the same dialog or setting; see Retry-After.',
};
