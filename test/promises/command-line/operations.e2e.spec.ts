import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS } from '@app/client/operation-table';
import type { Operation } from '@app/client/api-calls';
import { callOperation } from '../../../apps/cli/src/call/call-action';
import { optionOf } from '../../../apps/cli/src/call/operation-arguments';
import { CliEnvironment } from '../../../apps/cli/src/cli-environment';
import { Output } from '../../../apps/cli/src/output/terminal-output';
import { ServiceCallers } from '../../../apps/cli/src/service-callers';
import { bodiesOf } from '../../support/clients/openapi.samples';

type Schema = Record<string, any>;
type Described = { method: string; path: string; operation: Schema };

const document = JSON.parse(readFileSync('test/snapshots/openapi.json', 'utf8')) as Schema;
const documented = Object.entries<Schema>(document.paths as Schema).flatMap(([path, methods]): Described[] =>
  Object.entries<Schema>(methods).map(([method, operation]) => ({ method, path, operation })),
);

/** Options of the verb itself, and of every verb. */
const OURS = ['data', 'out', 'request-id', 'operation', 'json', 'help', 'h', 'version', '_', '$0'];
const KEYS = { LEADLINE_API_KEY: 'll_of_an_account', LEADLINE_ADMIN_KEY: 'll_of_admins' };
const PERSON = { LEADLINE_EMAIL: 'a@example.com', LEADLINE_PASSWORD: 'eleven loud rivers' };

interface Came {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: string;
}

let server: Server;
let folder: string;
let came: Came[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-operations-'));
  writeFileSync(join(folder, 'menu.txt'), 'Flat white 1,300');
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      came.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      response.setHeader('Set-Cookie', 'leadline=of-a-session; HttpOnly');
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ ok: true, data: { csrf_token: 'of-a-session' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** In the place of stdout. */
const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Calls it as it would be typed. @returns what the service was asked, without signing in and out */
async function typed(
  operation: Operation,
  values: Record<string, unknown>,
  given: { data?: string } = {},
  keys: Record<string, string> = KEYS,
): Promise<Came[]> {
  came = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = new CliEnvironment({ LEADLINE_URL: url, ...keys });
  const output = new Output(true, environment, nowhere as never);
  await callOperation({ operation: operation.id, ...given }, values, {
    ...{ environment, output, callers: new ServiceCallers(environment) },
    interrupted: () => new AbortController().signal,
  });
  if (operation.id === 'signOut') return came.slice(1, 2);
  return came.filter(({ url: path }) => path === operation.path || !/auth\/sign-(in|out)$/.test(path));
}

const isWay =
  (way: string) =>
  ({ by }: Operation): boolean =>
    by.includes(way as never);

describe('leadline call', () => {
  it('has every operation of the document, each by its own name, and none besides', () => {
    expect(documented.length).toBeGreaterThan(100);
    expect(OPERATIONS.map(({ id, method, path }) => `${id} ${method} ${path}`).sort()).toEqual(
      documented.map(({ method, path, operation }) => `${operation.operationId} ${method} ${path}`).sort(),
    );
  });

  it('takes every field that an operation has, and none is hidden by an option of its own', () => {
    const schemaOf = (operation: Schema): Schema => {
      const content = operation.requestBody?.content ?? {};
      const schema = ((content['application/json'] ?? content['multipart/form-data'])?.schema ??
        {}) as Schema;
      const name = (schema.$ref as string | undefined)?.split('/').at(-1);
      return name === undefined
        ? schema
        : (((document.components as Schema).schemas as Record<string, Schema>)[name] ?? {});
    };
    for (const { operation } of documented) {
      const fields = [
        ...((operation.parameters ?? []) as Schema[]).map(({ name }) => String(name)),
        ...Object.keys((schemaOf(operation).properties ?? {}) as Schema),
      ].filter((name) => name !== 'X-Request-Id');
      const known = OPERATIONS.find(({ id }) => id === operation.operationId);
      expect([operation.operationId, known?.fields.map(({ name }) => name)]).toEqual([
        operation.operationId,
        fields,
      ]);
      expect(known?.fields.map(optionOf).filter((option) => OURS.includes(option))).toEqual([]);
    }
  });

  it.each(
    OPERATIONS.filter(({ body }) => body !== 'form').map((operation) => [operation.id, operation] as const),
  )('%s asks what the document shows, whether its fields or its body are given', async (id, operation) => {
    const { operation: described = {} } = documented.find((each) => each.operation.operationId === id) ?? {};
    const places = Object.fromEntries(
      operation.fields
        .filter((field) => field.in === 'path')
        .map((field) => [optionOf(field), field.kind === 'number' ? '7' : 'a b/c']),
    );
    const path = operation.path.replace('{index}', '7').replace(/\{\w+\}/g, 'a%20b%2Fc');
    for (const [, body] of bodiesOf(described, document)) {
      const fields = Object.entries((body ?? {}) as Schema).map(([name, value]): [string, unknown] => [
        name.toLowerCase(),
        Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : written(value),
      ]);
      const values = { ...places, ...Object.fromEntries(fields) };
      const asked = [
        ...(await typed(operation, values, {}, { ...KEYS, ...PERSON })),
        ...(body === undefined
          ? []
          : await typed(operation, places, { data: written(body) }, { ...KEYS, ...PERSON })),
      ];
      const sent = body === undefined ? '' : body;
      expect(
        asked.map((each) => [each.method, each.url, each.body && (JSON.parse(each.body) as unknown)]),
      ).toEqual(Array(body === undefined ? 1 : 2).fill([operation.method.toUpperCase(), path, sent]));
    }
  });

  it.each(
    OPERATIONS.filter(({ body }) => body === 'form').map((operation) => [operation.id, operation] as const),
  )('%s sends a file as a form', async (_id, operation) => {
    const [asked] = await typed(operation, { file: join(folder, 'menu.txt') });
    expect(asked?.headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(asked?.body).toMatch(/filename="menu\.txt"[^]*Flat white 1,300/);
  });

  it('asks in the name of whom the operation lets: nobody, a key, an admin key, a person', async () => {
    const keyOf = async (operation?: Operation, keys: Record<string, string> = KEYS): Promise<unknown> => {
      const [asked] = await typed(operation as Operation, {}, {}, keys);
      const { 'x-api-key': key, cookie, origin } = asked?.headers ?? {};
      return { key, cookie, hasOrigin: origin !== undefined };
    };
    const own = OPERATIONS.find(({ id }) => id === 'me');
    const session = { key: undefined, cookie: 'leadline=of-a-session', hasOrigin: true };
    const byKey = (key: string) => ({ key, cookie: undefined, hasOrigin: false });
    expect(await keyOf(OPERATIONS.find(({ id }) => id === 'live'))).toMatchObject({ key: undefined });
    expect(await keyOf(OPERATIONS.find(isWay('ApiKey')))).toEqual(byKey(KEYS.LEADLINE_API_KEY));
    expect(await keyOf(OPERATIONS.find(isWay('AdminKey')))).toEqual(byKey(KEYS.LEADLINE_ADMIN_KEY));
    expect(await keyOf(own, PERSON)).toEqual(session);
    expect(await keyOf(OPERATIONS.find(isWay('AdminKey')), PERSON)).toEqual(session);
    await expect(keyOf(own)).rejects.toThrow('LEADLINE_EMAIL');
  });

  it('takes null, numbers, booleans and lists for what they are, and a text as it is', async () => {
    const named = (id: string) => OPERATIONS.find((each) => each.id === id) as Operation;
    const bodyOf = async (id: string, values: Record<string, unknown>): Promise<unknown> =>
      JSON.parse((await typed(named(id), values))[0]?.body ?? '');
    expect(
      await bodyOf('getThreads', {
        ...{ status_id: 'null', limit: '5', waiting: 'true', search: '007', attention: 'model' },
        phones: ['+77015551001', '+77015551002'],
      }),
    ).toEqual({
      ...{ status_id: null, limit: 5, waiting: true, search: '007', attention: 'model' },
      phones: ['+77015551001', '+77015551002'],
    });
    expect(await bodyOf('setStatus', { thread_id: 'null', status_name: 'null' })).toEqual({
      thread_id: 'null',
      status_name: 'null',
    });
    // What may be null is of a kind besides.
    expect(await bodyOf('changeStatus', { id: '1', description: '007', on_enter: 'null' })).toEqual({
      description: '007',
      on_enter: null,
    });
    expect(
      await bodyOf('changeWebhookEndpoint', { id: '1', max_per_second: '20', assistant_ids: ['1', '2'] }),
    ).toEqual({ max_per_second: 20, assistant_ids: ['1', '2'] });
  });
});
