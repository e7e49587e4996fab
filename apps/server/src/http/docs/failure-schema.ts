import { ERROR_CODES } from '@app/contracts/error-codes';

export const FAULT_VALUES = {
  type: 'object' as const,
  description: 'What the message names, by name',
  additionalProperties: { oneOf: [{ type: 'string' as const }, { type: 'integer' as const }] },
};

/** The failure envelope, a component of the document. */
export const FAILURE_SCHEMA = {
  type: 'object' as const,
  required: ['ok', 'error'],
  properties: {
    ok: { type: 'boolean' as const, enum: [false] },
    error: {
      type: 'object' as const,
      required: ['code', 'message', 'status', 'request_id'],
      properties: {
        code: { type: 'string' as const, enum: [...ERROR_CODES] },
        message: { type: 'string' as const, description: 'A sentence that a person can act on' },
        status: { type: 'integer' as const, description: 'The HTTP status again' },
        request_id: { type: 'string' as const },
        details: {
          type: 'array' as const,
          description: 'On VALIDATION_ERROR: where the violations are',
          items: {
            type: 'object' as const,
            required: ['path', 'message'],
            properties: {
              path: { type: 'string' as const },
              message: { type: 'string' as const },
              reason: {
                type: 'string' as const,
                description:
                  'What is wrong, for programs; only where the operation says which reasons there are',
              },
              values: FAULT_VALUES,
            },
          },
        },
      },
    },
    provider_response: {
      description:
        "On PROVIDER_ERROR and BILLING_ERROR: the provider's own body, a string if it is not JSON; null where no answer came",
    },
  },
};
