import type { ErrorCode } from '@app/contracts/error-codes';
import { applyDecorators, type Type } from '@nestjs/common';
import type * as Swagger from '@nestjs/swagger';
import { MEANING } from './error-meanings';
import { STATUS_OF_CODE } from '../errors/error-statuses';
import { documentedAccessOf, type DocumentedAccess } from './access-documentation';
import { EXAMPLE_REQUEST_ID } from './example-ids';
import { documentedLater, schemaOf } from './openapi.decorator';
import { mayLackBody } from '../routes/route.rules';

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
