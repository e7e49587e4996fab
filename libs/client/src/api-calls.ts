import type { paths } from './openapi-types';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [_ in M]: object } ? Path : never;
}[keyof paths];

type OperationOf<M extends Method, Path extends PathOf<M>> = paths[Path] extends {
  [_ in M]: infer Operation;
}
  ? Operation
  : never;

type ContentOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Responses[Status] extends { content: infer C } ? C : never;
    }[keyof Responses]
  : never;

/** What is in `data` of an operation's answer. */
export type DataOf<M extends Method, Path extends PathOf<M>> =
  ContentOf<OperationOf<M, Path>> extends { 'application/json': { data: infer Data } } ? Data : never;

/** A file goes as FormData with the field `file`. */
type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: Content extends { 'application/json': infer Body } ? Body : FormData }
  : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : { body?: undefined };

type GivenParts<Parameters> = {
  [
    Part in keyof Parameters as Exclude<Parameters[Part], undefined> extends never ? never : Part
  ]: Parameters[Part];
};

type ParametersOf<Operation> = Operation extends { parameters: infer Parameters }
  ? object extends GivenParts<Parameters>
    ? { params?: GivenParts<Parameters> }
    : { params: GivenParts<Parameters> }
  : object;

interface CallOptions {
  signal?: AbortSignal;
  /** By which the events of this call are known; else a new one. */
  requestId?: string;
  /** Lets the request live on when the page is left. */
  keepalive?: boolean;
}

/** What a call of an operation takes: `params` with `path`, `query` and `header`, and `body`. */
export type CallOf<M extends Method, Path extends PathOf<M>> = ParametersOf<OperationOf<M, Path>> &
  BodyOf<OperationOf<M, Path>> &
  CallOptions;

/** The answer of a call that is under way. */
export interface Answering<Data> extends Promise<Data> {
  /** The X-Request-Id of the call, known before it is answered. */
  readonly requestId: string;
}

type Arguments<Call> = object extends Call ? [call?: Call] : [call: Call];

/** Resolves to `data` of the answer; rejects with an ApiError, or as the signal says. */
export type Caller<M extends Method> = <Path extends PathOf<M>>(
  path: Path,
  ...call: Arguments<CallOf<M, Path>>
) => Answering<DataOf<M, Path>>;

const BYTES = 16;

/** A new X-Request-Id, by which a client knows the events of its own calls. Unlike randomUUID it needs no https. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a value that was typed becomes; `json`: what is JSON as that, all else as text. */
type FieldKind = 'string' | 'number' | 'boolean' | 'strings' | 'json' | 'file';

/** A value that an operation takes. */
export interface OperationField {
  /** The only one of its operation, wherever it goes. */
  name: string;
  in: 'path' | 'query' | 'header' | 'body';
  kind: FieldKind;
  required?: true;
  nullable?: true;
  /** What it may be, where that is a list. */
  words?: readonly string[];
  about: string;
}

/** An operation, as the OpenAPI document describes it. */
export interface Operation {
  id: string;
  method: Method;
  path: string;
  group: string;
  summary: string;
  /** Who may call it; empty: anybody. */
  by: readonly ('ApiKey' | 'AdminKey' | 'Session')[];
  body: 'none' | 'json' | 'form';
  /** `file`: what comes is no envelope. */
  answer: 'data' | 'file';
  fields: readonly OperationField[];
}
