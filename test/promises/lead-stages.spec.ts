import { ApiClient } from '../support/api.client';
import { AccountFixture } from '../support/fixture';
import { startServer, type ServerProcess } from '../support/server.process';
import { createDatabase, type TestDatabase } from '../support/test.database';

describe('set-status', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let account: AccountFixture;
  let api: ApiClient;

  beforeAll(async () => {
    database = await createDatabase();
    server = await startServer(database.url);
    account = await AccountFixture.create(database.pool, [
      { name: 'New' },
      { name: 'Оплачено', kind: 'success' },
    ]);
    api = new ApiClient(server.url, account.key);
  });

  afterAll(async () => {
    await server?.stop();
    await database?.drop();
  });

  it('moves a lead to a stage by its id and answers the stage', async () => {
    const threadId = await account.addThread();
    const { status, body } = await api.setStatus({ thread_id: threadId, status_id: account.stages[1] });
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      data: {
        thread_id: threadId,
        changed: true,
        answered_pending_message: false,
        status: { id: account.stages[1], name: 'Оплачено', kind: 'success', order: 2, ai_enabled: true },
      },
    });
  });
});
