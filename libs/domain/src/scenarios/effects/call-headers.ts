/** Headers that the service sets for every call of a scenario. */
export const CALL_HEADERS = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  idempotencyKey: 'idempotency-key',
  cause: 'leadline-cause',
} as const;
