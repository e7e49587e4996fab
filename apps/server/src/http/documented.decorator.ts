import { ERROR_CODES, type ErrorCode } from '@app/contracts/error.codes';
import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  getSchemaPath,
} from '@nestjs/swagger';
import { STATUS_OF_CODE } from './error.statuses';

interface Documentation {
  summary: string;
  description: string;
  /** The class of `data` in the envelope; where there are several, it is one of them. */
  answer: Type<unknown> | readonly Type<unknown>[];
  status?: 200 | 201;
  security: 'ApiKey' | 'AdminKey' | null;
  /** Codes beyond those that every keyed operation may answer with. */
  errors: readonly ErrorCode[];
}

const EXAMPLE_REQUEST_ID = '01930000-0000-7000-8000-00000000abcd';

/** What each code says; the examples of the documentation. */
const MEANING: Record<ErrorCode, string> = {
  UNAUTHORIZED: 'The API key is missing or invalid.',
  FORBIDDEN: 'The key lacks the scope of this operation.',
  NOT_FOUND: 'There is no such operation.',
  METHOD_NOT_ALLOWED: 'The operation takes another method; see the Allow header.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1 MiB.',
  VALIDATION_ERROR: 'The body is not what the operation takes; details name each fault.',
  THREAD_NOT_FOUND: 'The dialog does not exist or belongs to another account.',
  STATUS_NOT_FOUND: "The stage is not in this agent's funnel.",
  STATUS_AMBIGUOUS: 'Several stages match status_name; use status_id.',
  STATUS_CONFLICT: 'The lead does not stand at expected_status_id.',
  ASSISTANT_NOT_FOUND: 'The agent does not exist or belongs to another account.',
  BOT_NOT_FOUND: 'The bot does not exist or belongs to another account.',
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
  ALREADY_EXISTS: 'There is one already; the message says which.',
  RATE_LIMITED: 'More requests in 60 seconds than the key may make; see Retry-After.',
  INTERNAL_ERROR: 'A fault of the service; report the request_id.',
  UNAVAILABLE:
    'The database is away, the process is shutting down, or too many calls of your account are under way at once; see Retry-After.',
};

const KEYED: readonly ErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'];
const ALWAYS: readonly ErrorCode[] = ['INTERNAL_ERROR', 'UNAVAILABLE'];

const whole = (description: string) => ({ description, schema: { type: 'integer' as const } });
const REQUEST_ID = {
  'X-Request-Id': { description: "The caller's, if sane, else new", schema: { type: 'string' as const } },
};
const RATE_HEADERS = {
  'RateLimit-Limit': whole('Requests allowed in any 60 seconds'),
  'RateLimit-Remaining': whole('Requests left of them'),
  'RateLimit-Reset': whole('Seconds until the oldest counted request no longer counts'),
};
const RETRY_AFTER = { 'Retry-After': whole('Seconds to wait before trying again') };

function errorExample(code: ErrorCode) {
  const error = {
    code,
    message: MEANING[code],
    status: STATUS_OF_CODE[code],
    request_id: EXAMPLE_REQUEST_ID,
  };
  const details =
    code === 'VALIDATION_ERROR' ? { details: [{ path: 'thread_id', message: 'is required' }] } : {};
  return { summary: MEANING[code], value: { ok: false, error: { ...error, ...details } } };
}

function errorResponses(codes: readonly ErrorCode[], keyed: boolean): MethodDecorator[] {
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF_CODE[code]);
  return [...byStatus].map(([status, group]) =>
    ApiResponse({
      status,
      description: group.map((code) => `\`${code}\`: ${MEANING[code]}`).join(' '),
      headers: {
        ...REQUEST_ID,
        ...(keyed && ![401, 500, 503].includes(status) && RATE_HEADERS),
        ...([429, 503].includes(status) && RETRY_AFTER),
      },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Failure' },
          examples: Object.fromEntries(group.map((code) => [code, errorExample(code)])),
        },
      },
    }),
  );
}

/** Everything that the OpenAPI document says about an operation: what it does, its answer and every error with an example. */
export function Documented(documentation: Documentation): MethodDecorator {
  const { summary, description, answer, status = 200, security, errors } = documentation;
  const keyed = security !== null;
  const answers: readonly Type<unknown>[] = Array.isArray(answer) ? answer : [answer];
  const schemas = answers.map((each) => ({ $ref: getSchemaPath(each) }));
  const data = schemas.length > 1 ? { oneOf: schemas } : (schemas[0] ?? {});
  const codes = [...new Set([...(keyed ? KEYED : []), ...errors, ...ALWAYS])];
  return applyDecorators(
    ApiHeader({
      name: 'X-Request-Id',
      required: false,
      description:
        'A name for the request, of up to 128 letters, digits and ._:@/+=-; it comes back and is logged',
    }),
    ApiOperation({ summary, description, ...(keyed ? {} : { security: [] }) }),
    ApiExtraModels(...answers),
    ...(security ? [ApiSecurity(security)] : []),
    ApiResponse({
      status,
      description: 'Done',
      headers: { ...REQUEST_ID, ...(keyed && RATE_HEADERS) },
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['ok', 'data'],
            properties: { ok: { type: 'boolean', enum: [true] }, data },
          },
        },
      },
    }),
    ...errorResponses(codes, keyed),
  );
}

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
          description: 'On VALIDATION_ERROR: where the faults are',
          items: {
            type: 'object' as const,
            required: ['path', 'message'],
            properties: { path: { type: 'string' as const }, message: { type: 'string' as const } },
          },
        },
      },
    },
  },
};
