import { ApiClient } from '../support/api.client';
import { eventually } from '../support/eventually';
import { addAdminKey } from '../support/fixture';
import { startServer, type ServerProcess } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

let database: TestDatabase;
let server: ServerProcess;
let admin: ApiClient;

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer(database.url);
  admin = new ApiClient(server.url, await addAdminKey(database.pool));
});

afterAll(async () => {
  await server?.stop();
  await database?.drop();
});

it('an error that nobody foresaw is logged with where it came from, and with nothing of the rows it met', async () => {
  await database.pool.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'planted' USING DETAIL = 'of ' || NEW.name; END $$;
    CREATE TRIGGER failing BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION fail()`);
  const { status, body, headers } = await admin.admin('POST', 'api-keys', {
    name: 'a secret name',
    scopes: ['admin'],
  });
  expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(body.error.message).not.toContain('planted');
  const line = await eventually(
    async () =>
      server
        .output()
        .split('\n')
        .find((text) => text.includes('planted')),
    5_000,
    'no log line of the error',
  );
  const { err, request_id: requestId } = JSON.parse(line) as { err: object; request_id: string };
  expect(requestId).toBe(headers.get('x-request-id'));
  expect(err).toEqual({
    type: 'QueryFailedError',
    message: 'planted',
    code: 'P0001',
    stack: expect.stringContaining('api-key.repository'),
  });
  expect(server.output()).not.toContain('a secret name');
});
