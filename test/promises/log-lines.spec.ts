import { AdminScene } from '../support/admin.scene';
import { eventually } from '../support/eventually';

let scene: AdminScene;

beforeAll(async () => {
  scene = await AdminScene.open();
});

afterAll(() => scene?.close());

it('an error that nobody foresaw is logged with where it came from, and with nothing of the rows it met', async () => {
  await scene.database.pool.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'planted' USING DETAIL = 'of ' || NEW.name; END $$;
    CREATE TRIGGER failing BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION fail()`);
  const { status, body, headers } = await scene.admin.admin('POST', 'api-keys', {
    name: 'a secret name',
    scopes: ['admin'],
  });
  expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
  expect(body.error.message).not.toContain('planted');
  const line = await eventually(
    async () =>
      scene.server
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
  expect(scene.server.output()).not.toContain('a secret name');
});
