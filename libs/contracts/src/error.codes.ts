/** Every code that an operation or a socket may answer with. */
export const ERROR_CODES = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'VALIDATION_ERROR',
  'THREAD_NOT_FOUND',
  'STATUS_NOT_FOUND',
  'STATUS_AMBIGUOUS',
  'STATUS_CONFLICT',
  'ASSISTANT_NOT_FOUND',
  'BOT_NOT_FOUND',
  'THREAD_OPTED_OUT',
  'ACCOUNT_NOT_FOUND',
  'API_KEY_NOT_FOUND',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
