import { ApiClient, type Answer } from '../clients/api.client';
import { AccountFixture, addAdminKey } from '../database/fixture';
import { expectRefused } from '../clients/refusal.expectation';
import { endAll, startServer, type ServerProcess } from '../programs/server.process';
import { createDatabase, type TestDatabase } from '../database/test.database';
import { sharedServer } from '../worker/shared';

/** One database, a server process on it, an account with a key, and a key that governs the installation. */
export class AdminScene {
  private constructor(
    readonly database: TestDatabase,
    readonly server: ServerProcess,
    readonly account: AccountFixture,
    readonly admin: ApiClient,
    readonly close: () => Promise<void>,
  ) {}

  /**
   * @param environment settings of a server of its own
   * @param program of such a server
   */
  static async open(environment?: Record<string, string>, program?: string): Promise<AdminScene> {
    if (!environment) {
      const { database, server } = await sharedServer();
      return AdminScene.on(database, server, () => database.drop());
    }
    const database = await createDatabase();
    const server = await startServer(database.url, environment, program);
    return AdminScene.on(database, server, async () => {
      await endAll([server]);
      await database.drop();
    });
  }

  private static async on(
    database: TestDatabase,
    server: ServerProcess,
    close: () => Promise<void>,
  ): Promise<AdminScene> {
    const account = await AccountFixture.create(database.pool);
    const admin = new ApiClient(server.url, await addAdminKey(database.pool));
    return new AdminScene(database, server, account, admin, close);
  }

  /** The operation is refused with the code, names the fields and changes nothing. */
  expectRefused = (call: () => Promise<Answer>, code: string, paths: string[] = []): Promise<Answer> =>
    expectRefused(this.database.pool, call, [code === 'VALIDATION_ERROR' ? 422 : 404, code], paths);
}
