import type { ErrorCode } from '@app/contracts/error-codes';
import { applyDecorators, type Type } from '@nestjs/common';
import type * as Swagger from '@nestjs/swagger';
import { STATUS_OF_CODE } from '../errors/error-statuses';
import { mayLackBody } from '../routes/route.rules';
import { documentedAccessOf, type DocumentedAccess } from './access-documentation';
import { EXAMPLE_REQUEST_ID, documentedLater, schemaOf } from './openapi.decorator';

/** What each code usually means; the examples of the documentation. */
const MEANING: Record<ErrorCode, string> = {
  UNAUTHORIZED: 'The API key or the session is missing or invalid, or both came at once.',
  FORBIDDEN: 'The key or the person may not do this; the message says why.',
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
  THREAD_ERASED: 'The customer of the dialog was erased; nothing can be written there.',
  THREAD_OPTED_OUT: 'The customer unsubscribed; the agent cannot be switched on.',
  MESSAGE_NOT_FOUND: 'The message does not exist or belongs to another account.',
  BATCH_NOT_FOUND: 'The batch does not exist or belongs to another account.',
  IMPORT_NOT_FOUND: 'The import does not exist or belongs to another account.',
  MEDIA_NOT_FOUND: 'The file does not exist or belongs to another account.',
  MEDIA_GONE: 'The file was deleted, or the provider did not give it within a day.',
  MEDIA_LOADING: 'The file is still being fetched from the provider; ask again when its state is stored.',
  MEDIA_NO_PREVIEW: 'The file is no image, has more than 50 megapixels, or cannot be read.',
  MEDIA_QUOTA_EXCEEDED: "The account's storage quota has no room for the file; nothing was stored.",
  IDEMPOTENCY_IN_PROGRESS: 'The first call with this Idempotency-Key is still under way; see Retry-After.',
  QUOTA_EXCEEDED: 'The monthly message quota does not allow so many recipients; nothing was sent.',
  PROVIDER_ERROR: 'The messenger refused the message, or its answer was lost; see provider_response.',
  BILLING_ERROR: 'A payment problem on the side of the provider; see provider_response.',
  MODEL_ERROR: 'The model of the agent gave no answer; the message says why.',
  ACCOUNT_NOT_FOUND: 'There is no such account.',
  API_KEY_NOT_FOUND: 'There is no such API key.',
  API_KEY_REVOKED: 'The API key is revoked; a revoked key stays so.',
  TEMPLATE_NOT_FOUND: 'There is no such template.',
  TEMPLATE_CONFLICT: 'The template is neither a draft nor rejected, or somebody changed it at the same time.',
  TOOL_NOT_FOUND: 'The agent has no such tool.',
  SCENARIO_NOT_FOUND: 'There is no such scenario, or it is archived.',
  RUN_NOT_FOUND: 'There is no such run.',
  RUN_STATE:
    'The run, its step or its scenario is in a state that does not allow it; the message says which.',
  WEBHOOK_REJECT_NOT_FOUND: 'There is no such part of a webhook, or it was taken in meanwhile.',
  WEBHOOK_ENDPOINT_NOT_FOUND: 'There is no such endpoint of webhooks.',
  WEBHOOK_ENDPOINT_DISABLED: 'The endpoint is disabled, so nothing is sent to it.',
  WEBHOOK_DELIVERY_NOT_FOUND: 'There is no such delivery, or it is older than 30 days.',
  WEBHOOK_DELIVERY_STATE: 'The delivery is not one to be sent again; the message says why.',
  ALREADY_EXISTS: 'There is one already; the message says which.',
  SIGN_IN_FAILED: 'The e-mail address, the password or the code is wrong.',
  CODE_REQUIRED: 'The person has a second factor: send `code` too.',
  CSRF: 'The call lacks an `Origin` of this service, or, by a session, its `X-CSRF-Token`; the message says which.',
  CONFIRM_REQUIRED: 'By a session, the password must be given again first, by auth/confirm.',
  WRONG_PASSWORD: 'The password is wrong.',
  INVITATION_NOT_FOUND: 'The link is unknown, used, or too old.',
  USER_NOT_FOUND: 'There is no such person.',
  SESSION_NOT_FOUND: 'There is no such session.',
  EMAIL_TAKEN: 'Somebody has this e-mail address already.',
  LAST_ADMIN: 'The account would have no admin any more who can sign in.',
  LIMIT_REACHED: 'There are as many already as the installation lets there be.',
  RATE_LIMITED: 'More requests in 60 seconds than the key, or the person, may make; see Retry-After.',
  INTERNAL_ERROR: 'An error of the service; report the request_id.',
  UNAVAILABLE:
    'The database is away, the process is shutting down, too many calls of your account are under way at once, another request holds the same dialog or setting, or, where the call would send, sending is held after a restore; see Retry-After.',
};

type Library = typeof Swagger;

/** Marks operations until the document is whole, when {@link tellOptionalBodies} removes it. */
const BODY_MAY_BE_ABSENT = 'x-body-may-be-absent';

interface MarkedOperation {
  [BODY_MAY_BE_ABSENT]?: true;
  requestBody?: { required?: boolean };
}

interface Documentation {
  summary: string;
  description: string;
  /** The class of `data` in the envelope. Where there are several, it is one of them. `bytes`: a file instead; `lines`: NDJSON; `table`: CSV, or NDJSON. */
  answer: Type<unknown> | readonly Type<unknown>[] | 'bytes' | 'lines' | 'table';
  /** Whether `data` is an array of it. */
  isList?: boolean;
  status?: 200 | 201;
  /** Which key the page fills in, or `Session`; who else may call it stands in the table of operations. */
  security: 'ApiKey' | 'AdminKey' | 'Session' | null;
  /** Codes besides those of every keyed operation. */
  errors: readonly ErrorCode[];
  /** What a code means here, where that differs from its usual meaning. */
  meanings?: Partial<Record<ErrorCode, string>>;
  /** Codes that say here when to try again, besides those that always do. */
  retryAfter?: readonly ErrorCode[];
  /** Whether an earlier call's answer may be repeated, for a call with the same Idempotency-Key. */
  replayable?: boolean;
}

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
const ALWAYS_WITH_RETRY_AFTER: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'IDEMPOTENCY_IN_PROGRESS',
  'UNAVAILABLE',
];
const REPLAYED = {
  'Idempotent-Replayed': {
    description: '`true` where this is the answer of an earlier call with the same Idempotency-Key',
    schema: { type: 'string' as const, enum: ['true'] },
  },
};
/** Refusals that are stored with an Idempotency-Key, because the message had been stored. */
const KEPT: readonly ErrorCode[] = ['PROVIDER_ERROR', 'BILLING_ERROR'];
const EXAMPLE_PROVIDER_RESPONSE: Partial<Record<ErrorCode, object>> = {
  PROVIDER_ERROR: {
    error: {
      message: '(#132000) Number of parameters does not match the expected number of params',
      type: 'OAuthException',
      code: 132000,
      fbtrace_id: 'AbCdEf123',
    },
  },
  BILLING_ERROR: {
    error: {
      message: '(#131042) Business eligibility payment issue',
      type: 'OAuthException',
      code: 131042,
      fbtrace_id: 'AbCdEf123',
    },
  },
};

function errorExample(code: ErrorCode, message: string) {
  const error = { code, message, status: STATUS_OF_CODE[code], request_id: EXAMPLE_REQUEST_ID };
  const details =
    code === 'VALIDATION_ERROR' ? { details: [{ path: 'thread_id', message: 'is required' }] } : {};
  const answered = EXAMPLE_PROVIDER_RESPONSE[code];
  const value = {
    ok: false,
    error: { ...error, ...details },
    ...(answered && { provider_response: answered }),
  };
  return { summary: message, value };
}

/** Operations on a bot answer a key with FORBIDDEN where others answer 404. */
function forbiddenIn({ security, errors }: Documentation, { forbidden }: DocumentedAccess): string {
  if (!forbidden) return MEANING.FORBIDDEN;
  const ofBot = security === 'ApiKey' && errors.includes('BOT_NOT_FOUND');
  const key = ofBot ? `${forbidden.key}, or is not attached to the bot` : forbidden.key;
  return `${[key, ...(forbidden.person === null ? [] : [forbidden.person])].join('; or ')}.`;
}

const meaningsOf = (documentation: Documentation, access: DocumentedAccess): Record<ErrorCode, string> => ({
  ...MEANING,
  FORBIDDEN: forbiddenIn(documentation, access),
  ...documentation.meanings,
});

function errorResponses(
  { ApiResponse }: Library,
  documentation: Documentation,
  access: DocumentedAccess,
): MethodDecorator[] {
  const { security, errors, retryAfter = [], replayable = false } = documentation;
  const keyed = security !== null;
  const codes = [...new Set([...(keyed ? KEYED : []), ...access.errors, ...errors, ...ALWAYS])];
  const says = meaningsOf(documentation, access);
  const tellsWhen = (code: ErrorCode) => ALWAYS_WITH_RETRY_AFTER.includes(code) || retryAfter.includes(code);
  return [...Map.groupBy(codes, (code) => STATUS_OF_CODE[code])].map(([status, group]) =>
    ApiResponse({
      status,
      description: group.map((code) => `\`${code}\`: ${says[code]}`).join(' '),
      headers: {
        ...REQUEST_ID,
        // A 500 or 503 has them where the call had been counted before.
        ...(keyed && status !== 401 && RATE_HEADERS),
        ...(group.some(tellsWhen) && RETRY_AFTER),
        ...(replayable && group.some((code) => KEPT.includes(code)) && REPLAYED),
      },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Failure' },
          examples: Object.fromEntries(group.map((code) => [code, errorExample(code, says[code])])),
        },
      },
    }),
  );
}

/**
 * Everything that the OpenAPI document says about an operation: what it does, its answer, and every error with an
 * example.
 */
export const Documented = (documentation: Documentation): MethodDecorator =>
  documentedLater((library) => (target, key, descriptor) => {
    // Later than all decorators of the method, whose order does not matter therefore.
    const handler = descriptor.value as { name: string };
    const access = documentedAccessOf(handler);
    decorate(library, documentation, access)(target, key, descriptor);
    if (mayLackBody(target.constructor as Type<unknown>, handler))
      library.ApiExtension(BODY_MAY_BE_ABSENT, true)(target, key, descriptor);
  });

const answersOf = (answer: Documentation['answer']): readonly Type<unknown>[] => {
  if (typeof answer === 'string') return [];
  return typeof answer === 'function' ? [answer] : answer;
};

const LINES = { 'application/x-ndjson': { schema: { type: 'string' as const } } };
const TABLE = { 'text/csv': { schema: { type: 'string' as const } }, ...LINES };
const BYTES = { '*/*': { schema: { type: 'string' as const, format: 'binary' } } };

const HEADER = { schema: { type: 'string' as const } };
const ENTITY_TAG = { ETag: { ...HEADER, description: 'Of the bytes, for If-None-Match and If-Range' } };
const PLACE = { 'Content-Range': { ...HEADER, description: 'Which bytes these are, and of how many' } };

/** How a file is read in parts, and not read again (RFC 9110). */
const partResponses = ({ ApiResponse }: Library): MethodDecorator[] => [
  ApiResponse({
    status: 206,
    description: 'The part that `Range` asked for',
    headers: { ...REQUEST_ID, ...ENTITY_TAG, ...PLACE },
    content: BYTES,
  }),
  ApiResponse({
    status: 304,
    description: 'The caller has it: `If-None-Match` names its `ETag`',
    headers: { ...REQUEST_ID, ...ENTITY_TAG },
  }),
  ApiResponse({
    status: 416,
    description: 'The file ends before the part that `Range` asked for; without a body',
    headers: { ...REQUEST_ID, ...PLACE },
  }),
];

const envelopeOf = (data: object) => ({
  'application/json': {
    schema: {
      type: 'object' as const,
      required: ['ok', 'data'],
      properties: { ok: { type: 'boolean' as const, enum: [true] }, data },
    },
  },
});

function contentOf(answer: Documentation['answer'], data: object) {
  if (answer === 'bytes') return BYTES;
  if (answer === 'table') return TABLE;
  return answer === 'lines' ? LINES : envelopeOf(data);
}

function decorate(library: Library, documentation: Documentation, access: DocumentedAccess): MethodDecorator {
  const { ApiExtension, ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiSecurity } = library;
  const { summary, answer, status = 200, security, replayable, isList } = documentation;
  const keyed = security !== null;
  const description = [documentation.description, access.inWords ?? []].flat().join(' ');
  const answers = answersOf(answer);
  const schemas = answers.map(schemaOf);
  const one = schemas.length > 1 ? { oneOf: schemas } : (schemas[0] ?? {});
  const data = isList ? { type: 'array', items: one } : one;
  return applyDecorators(
    ApiHeader({
      name: 'X-Request-Id',
      required: false,
      description:
        'A name for the request, of up to 128 letters, digits and ._:@/+=-; it comes back and is logged',
    }),
    ApiOperation({ summary, description, ...(keyed ? {} : { security: [] }) }),
    ApiExtraModels(...answers),
    ...access.ways.map((way) => ApiSecurity(way)),
    ...(access.operation === null ? [] : [ApiExtension('x-operation', access.operation)]),
    ApiResponse({
      status,
      description: 'Done',
      headers: { ...REQUEST_ID, ...(keyed && RATE_HEADERS), ...(replayable && REPLAYED) },
      content: contentOf(answer, data),
    }),
    ...(answer === 'bytes' ? partResponses(library) : []),
    ...errorResponses(library, documentation, access),
  );
}

/** Says of each body whether a call needs one. The library says that of a class it always does. */
export function tellOptionalBodies(document: Swagger.OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path) as MarkedOperation[]) {
      if (operation[BODY_MAY_BE_ABSENT] && operation.requestBody) operation.requestBody.required = false;
      delete operation[BODY_MAY_BE_ABSENT];
    }
  }
}
