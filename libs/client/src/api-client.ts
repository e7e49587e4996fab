import createClient from 'openapi-fetch';
import {
  type Answering,
  type Caller,
  type CallOf,
  type Method,
  type PathOf,
  newRequestId,
} from './api-calls';
import { ApiError } from './api.errors';
import type { components, paths } from './openapi-types';

/** Where the service is, and on whose behalf it is called. */
export interface ApiOptions {
  /** Of the service; in its own pages none is needed. */
  baseUrl?: string;
  fetch?: (request: Request) => Promise<Response>;
  /** The `csrf_token` of the session; null: there is none. */
  csrf: () => string | null;
  /** The session, or the key, is not valid any more. */
  onUnauthorized?: (error: ApiError) => void;
  /** Further headers of each call, such as X-API-Key outside of browsers. */
  headers?: Record<string, string>;
}

/** Every operation of the service, by its path. */
export interface Api {
  get: Caller<'get'>;
  post: Caller<'post'>;
  put: Caller<'put'>;
  patch: Caller<'patch'>;
  delete: Caller<'delete'>;
  /** What an operation answers that is a file and no envelope. */
  file<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    call: CallOf<M, Path>,
  ): Answering<Blob>;
  /** The same as it comes, for what may be larger than the memory. */
  stream<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    call: CallOf<M, Path>,
  ): Answering<ReadableStream<Uint8Array>>;
}

type Failure = components['schemas']['Failure'];

interface Call {
  params?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
  requestId?: string;
  keepalive?: boolean;
}

type Request_ = (path: never, init: object) => Promise<{ error?: unknown; response: Response }>;

/** A client of the operations, typed by the OpenAPI document. */
export function createApi(options: ApiOptions): Api {
  const client = createClient<paths>({
    baseUrl: options.baseUrl ?? '',
    credentials: 'same-origin',
    headers: options.headers,
    // Read at each call, so that what is put in its place later counts.
    fetch: options.fetch ?? ((request) => fetch(request)),
  });

  async function respond(method: Method, path: string, call: Call, requestId: string): Promise<Response> {
    const { requestId: _, ...init } = call;
    const csrf = method === 'get' ? null : options.csrf();
    const request = client[method.toUpperCase() as Uppercase<Method>] as unknown as Request_;
    const { error, response } = await request(path as never, {
      ...init,
      headers: { 'X-Request-Id': requestId, 'X-CSRF-Token': csrf },
      parseAs: 'stream',
    }).catch((cause: unknown) => {
      if (call.signal?.aborted) throw cause;
      throw new ApiError(
        { code: 'NETWORK', message: 'The service was not reached', status: 0, requestId },
        cause,
      );
    });
    if (response.ok) return response;
    const failure = errorOf(error, response, requestId);
    if (failure.code === 'UNAUTHORIZED') options.onUnauthorized?.(failure);
    throw failure;
  }

  function start<Data>(
    method: Method,
    path: string,
    call: Call,
    read: (response: Response, requestId: string) => Promise<Data>,
  ): Answering<Data> {
    const requestId = call.requestId ?? newRequestId();
    const answer = respond(method, path, call, requestId).then((response) =>
      read(response, requestId).catch((cause: unknown) => {
        if (cause instanceof ApiError || call.signal?.aborted) throw cause;
        throw new ApiError({ code: 'NETWORK', message: 'The answer broke off', status: 0, requestId }, cause);
      }),
    );
    return Object.assign(answer, { requestId });
  }

  const caller = <M extends Method>(method: M): Caller<M> =>
    ((path: string, call: Call = {}) => start(method, path, call, dataOf)) as Caller<M>;

  return {
    get: caller('get'),
    post: caller('post'),
    put: caller('put'),
    patch: caller('patch'),
    delete: caller('delete'),
    file: (method, path, call) => start(method, path, call as Call, (response) => response.blob()),
    stream: (method, path, call) =>
      start(method, path, call as Call, async ({ body }) => body ?? new Blob([]).stream()),
  };
}

async function dataOf(response: Response, requestId: string): Promise<unknown> {
  const text = await response.text();
  try {
    const answer = JSON.parse(text) as { ok?: unknown; data?: unknown };
    if (answer.ok === true) return answer.data;
  } catch {
    // As every answer that is no envelope.
  }
  throw notJson(response, requestId);
}

const notJson = ({ status }: Response, requestId: string): ApiError =>
  new ApiError({ code: 'NOT_JSON', message: 'The answer is not one of the service', status, requestId });

function errorOf(answer: unknown, response: Response, requestId: string): ApiError {
  const { error, provider_response } = (answer ?? {}) as Partial<Failure>;
  if (typeof error?.code !== 'string') return notJson(response, requestId);
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
  return new ApiError({
    code: error.code,
    message: error.message,
    status: response.status,
    requestId: error.request_id ?? requestId,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    details: error.details,
    providerResponse: provider_response,
  });
}
