import lang from '@usebruno/lang';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RawRequest } from './api.client';

const COLLECTION = join(__dirname, '../../../docs/integrators/bruno');

type Pairs = { name: string; value: string; enabled: boolean }[];

type FormField = { name: string; enabled: boolean } & (
  | { type: 'file'; value: string[] }
  | { type: 'text'; value: string }
);

/** A request as Bruno reads it from its file. */
export interface BrunoRequest {
  meta: { name: string };
  http: { method: string; url: string; body: string; auth: string };
  params?: { name: string; value: string; enabled: boolean; type: 'path' | 'query' }[];
  headers?: Pairs;
  auth?: { apikey?: { key: string; value: string; placement: string } };
  body?: { json?: string; multipartForm?: FormField[] };
  vars?: { res: Pairs };
}

const filesOf = (extension: string): string[] =>
  readdirSync(COLLECTION, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(extension));

const textOf = (path: string): string => readFileSync(join(COLLECTION, path), 'utf8');

/** Every request of the collection, by its path without the extension; and what is beside them, parsed. */
export function readCollection() {
  const requests: Record<string, BrunoRequest> = {};
  const beside: Record<string, Record<string, unknown>> = {};
  for (const path of filesOf('.bru')) {
    const text = textOf(path);
    if (path.startsWith('environments/')) beside[path] = lang.bruToEnvJsonV2(text);
    else if (/^(folder|collection)\.bru$/.test(basename(path))) beside[path] = lang.collectionBruToJson(text);
    else requests[path.replace('.bru', '')] = lang.bruToJsonV2(text) as unknown as BrunoRequest;
  }
  return { requests, beside };
}

/** The name of the request's operation, as the document has it. */
export const operationOf = ({ http: { method, url } }: BrunoRequest): string =>
  `${method.toUpperCase()} ${url.replace('{{base_url}}', '').replaceAll(/:(\w+)/g, '{$1}')}`;

/** What Bruno sends for a request, with these variables. */
export function sentBy(
  request: BrunoRequest,
  variables: Record<string, string>,
): RawRequest & { url: string } {
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole);
  const { http, params = [], headers = [], auth, body } = request;
  const url = params
    .filter(({ type }) => type === 'path')
    .reduce((at, { name, value }) => at.replace(`:${name}`, encodeURIComponent(value)), filled(http.url));
  const form = new FormData();
  for (const { enabled, ...field } of body?.multipartForm ?? []) {
    if (!enabled) continue;
    if (field.type === 'text') form.set(field.name, filled(field.value));
    else for (const path of field.value) form.set(field.name, new File([textOf(path)], basename(path)));
  }
  return {
    ...{ url, method: http.method.toUpperCase() },
    headers: {
      ...Object.fromEntries(
        headers.filter(({ enabled }) => enabled).map(({ name, value }) => [name, filled(value)]),
      ),
      ...(auth?.apikey && { [auth.apikey.key]: filled(auth.apikey.value) }),
      ...(body?.json !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body?.json === undefined ? body?.multipartForm && form : filled(body.json),
  };
}
