import { ApiClient, type Answer } from './api.client';
import { DialogRecords } from './dialog.records';
import { AccountFixture, type GivenStage } from './fixture';
import { startServer, type ServerProcess } from './server.process';
import { createDatabase, type TestDatabase } from './test.database';

export interface SceneOptions {
  /** The major version of PostgreSQL. */
  version?: string;
  servers?: number;
  stages?: GivenStage[];
}

/** One database, server processes on it, and an account with a funnel and a key: where a test of leads plays. */
export class LeadScene {
  private constructor(
    readonly database: TestDatabase,
    readonly servers: ServerProcess[],
    readonly account: AccountFixture,
    readonly kept: DialogRecords,
  ) {}

  static async open({ version = '18', servers = 1, stages }: SceneOptions = {}): Promise<LeadScene> {
    const database = await createDatabase(version);
    const scene = new LeadScene(
      database,
      [],
      await AccountFixture.create(database.pool, stages),
      new DialogRecords(database.pool),
    );
    for (let index = 0; index < servers; index += 1) await scene.addServer();
    return scene;
  }

  async addServer(environment: Record<string, string> = {}, databaseUrl = this.database.url) {
    const server = await startServer(databaseUrl, environment);
    this.servers.push(server);
    return server;
  }

  /** The first process. */
  get server(): ServerProcess {
    const [first] = this.servers;
    if (!first) throw new Error('no server');
    return first;
  }

  /** The account's key at the first process. */
  get api(): ApiClient {
    return this.apiAt(0);
  }

  apiAt(server: number, key = this.account.key): ApiClient {
    const { url } = this.servers[server % this.servers.length] ?? { url: 'no server' };
    return new ApiClient(url, key);
  }

  stage(index: number): string {
    const id = this.account.stages[index];
    if (id === undefined) throw new Error(`no stage ${index}`);
    return id;
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.database.drop();
  }
}

/** A refusal without what differs by call, so that two of them can be held to be the same byte for byte. */
export const refusalOf = ({ status, text, body }: Answer): { status: number; text: string } => ({
  status,
  text: text.replace(body.error.request_id, 'the request id'),
});
