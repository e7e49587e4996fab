import type { Method } from './api-calls';

/** What a value that was typed becomes; `json`: what is JSON as that, all else as text. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'strings' | 'json' | 'file';

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
