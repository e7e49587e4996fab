import { ApiClient, request, type Answer } from '../../support/clients/api.client';
import { operationsOf, type Operation } from '../../support/clients/openapi.operations';
import type { SessionClient } from '../../support/clients/session.client';
import { addAdminKey } from '../../support/database/fixture';
import { setPeopleScene } from '../../support/scenes/people.scene';

const MISSING = '00000000-0000-7000-8000-000000000000';
const DAY_MS = 86_400_000;
/** Longer than the call takes. */
const SLACK_MS = 60_000;

const scene = setPeopleScene();

let adminKey: string;
let person: SessionClient;
/** Those with a body, as the document has them. */
let operations: Operation[];

beforeAll(async () => {
  adminKey = await addAdminKey(scene.database.pool);
  person = await scene.join({ role: 'admin' });
  const { body } = await request(`${scene.server.url}/openapi.json`);
  operations = operationsOf(body).filter((operation) => operation.body !== null);
});

function credentialsOf({ ways }: Operation): Record<string, string> {
  const [way = {}] = ways;
  if ('AdminKey' in way) return { 'X-API-Key': adminKey };
  return 'ApiKey' in way ? { 'X-API-Key': scene.account.key } : person.headers;
}

function call(operation: Operation, sent: { type?: string; body?: string }): Promise<Answer> {
  const { 'Content-Type': _type, ...headers } = credentialsOf(operation);
  return request(scene.server.url + operation.path.replaceAll(/\{\w+\}/g, MISSING), {
    method: operation.method,
    headers: { ...headers, ...(sent.type && { 'Content-Type': sent.type }) },
    body: sent.body,
  });
}

const outcome = ({ status, body }: Answer): unknown[] => [status, body.error?.code, body.error?.details];

it('a body that needs no field may be absent, as the document says, and is the same as one without fields', async () => {
  const optional = operations.filter(({ needsBody }) => !needsBody);
  expect(optional.length).toBeGreaterThan(5);
  for (const operation of optional) {
    const { method, path } = operation;
    const empty = outcome(await call(operation, { type: 'application/json', body: '{}' }));
    for (const sent of [{}, { type: 'application/json' }])
      expect([method, path, ...outcome(await call(operation, sent))]).toEqual([method, path, ...empty]);
  }
});

it('any other body may not: calls that read or change say that they send JSON', async () => {
  const needing = operations.filter(({ needsBody }) => needsBody);
  const changing = operations.filter(({ method, path }) => method === 'PATCH' || path.includes('/get-'));
  expect(changing.filter(({ needsBody }) => !needsBody)).toEqual([]);
  expect(needing.length).toBeGreaterThan(25);
  for (const operation of needing) {
    const { method, path } = operation;
    const none = await call(operation, {});
    expect([method, path, ...outcome(none)]).toEqual([
      ...[method, path, 422, 'VALIDATION_ERROR'],
      [{ path: '', message: expect.stringContaining('Content-Type') }],
    ]);
  }
});

it('a key is rotated without a body, as with one without fields: the old secret lasts a day', async () => {
  const admin = new ApiClient(scene.server.url, adminKey);
  const issued = await admin.admin('POST', 'api-keys', {
    ...{ account_id: scene.account.id, name: 'Rotated', scopes: ['leads'] },
    assistant_ids: [scene.account.assistantId],
  });
  const rotated = await request(`${scene.server.url}/api/v1/admin/api-keys/${issued.body.data.id}/rotate`, {
    method: 'POST',
    headers: { 'X-API-Key': adminKey },
  });
  expect(rotated.status).toBe(200);
  const left = Date.parse(rotated.body.data.old_key_expires_at as string) - Date.now();
  expect(Math.abs(left - DAY_MS)).toBeLessThan(SLACK_MS);
});
