import { ApiClient, type Answer } from '../clients/api.client';
import { DialogRecords } from '../database/dialog.records';
import { AccountFixture, type GivenStage } from '../database/fixture';
import { endAll, startServer, type ServerProcess } from '../programs/server.process';
import { createDatabase, type TestDatabase } from '../database/test.database';
import { sharedServer } from '../worker/shared';

export interface SceneOptions {
  /** It stops its server, or needs one that has just started. Any other option of processes says so, too. */
  ownServer?: boolean;
  /** The major version of PostgreSQL. */
  version?: string;
  /** Opens a database elsewhere than in the run's clusters. */
  openDatabase?: () => Promise<TestDatabase>;
  servers?: number;
  stages?: GivenStage[];
  /** Settings of every server. */
  environment?: Record<string, string>;
  /**
   * Whether its agent could answer what waits: its number is connected and a model is configured. The model is never
   * asked: the servers only take calls, so a reply stays due.
   */
  agentCouldAnswer?: boolean;
  /** Of the address by which the servers go to the database. */
  parameters?: URLSearchParams;
}

const UNASKED_MODEL = { ROLE: 'api', AI_BASE_URL: 'http://127.0.0.1:1/v1' };

/** One database, server processes on it, and an account with a funnel and a key: where a test of leads plays. */
export class LeadScene {
  database: TestDatabase;
  readonly servers: ServerProcess[] = [];
  account: AccountFixture;
  kept: DialogRecords;
  private environment: Record<string, string> = {};
  private shared: ServerProcess | null = null;

  constructor(private readonly options: SceneOptions = {}) {}

  static async open(options?: SceneOptions): Promise<LeadScene> {
    const scene = new LeadScene(options);
    await scene.start();
    return scene;
  }

  async start(): Promise<void> {
    const { version = '18', openDatabase, servers = 1, agentCouldAnswer = false } = this.options;
    const settings = agentCouldAnswer ? UNASKED_MODEL : {};
    if (this.sharesServer) {
      this.environment = { ...(await this.startStandIns()), ...settings };
      const { database, server } = await sharedServer(this.environment);
      this.database = database;
      this.shared = server;
      this.servers.push(server);
      await this.addAccount();
      return;
    }
    this.database = await (openDatabase?.() ?? createDatabase(version));
    await this.addAccount();
    this.environment = { ...(await this.startStandIns()), ...settings, ...this.options.environment };
    await Promise.all(Array.from({ length: servers }, () => this.addServer()));
  }

  /** Whether its server and its stand-ins are those of the worker: no test may stop them. */
  protected get sharesServer(): boolean {
    const { ownServer, version, openDatabase, servers = 1, environment, parameters } = this.options;
    return !ownServer && !version && !openDatabase && servers === 1 && !environment && !parameters;
  }

  private async addAccount(): Promise<void> {
    this.kept = new DialogRecords(this.database.pool);
    this.account = await AccountFixture.create(this.database.pool, this.options.stages);
    if (this.options.agentCouldAnswer) await this.account.connect();
  }

  async addServer(
    environment: Record<string, string> = {},
    databaseUrl = this.databaseUrl,
  ): Promise<ServerProcess> {
    const server = await startServer(databaseUrl, { ...this.environment, ...environment });
    this.servers.push(server);
    return server;
  }

  /** For scenes with more around the servers than a database. @returns the settings that lead the servers there. */
  protected startStandIns(): Promise<Record<string, string>> {
    return Promise.resolve({});
  }

  private get databaseUrl(): string {
    const { parameters } = this.options;
    return parameters ? `${this.database.url}?${parameters.toString()}` : this.database.url;
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
    await endAll(this.servers.filter((server) => server !== this.shared));
    await this.database?.drop();
  }
}

/** Sets the scene for a test file, or for one of its parts; it is there from the first hook on. */
export function setLeadScene(options?: SceneOptions): LeadScene {
  const scene = new LeadScene(options);
  beforeAll(() => scene.start());
  afterAll(() => scene.close());
  return scene;
}

/** A refusal without what differs by call, so that two of them can be held to be the same byte for byte. */
export const refusalOf = ({ status, text, body }: Answer): { status: number; text: string } => ({
  status,
  text: text.replace(body.error.request_id, 'the request id'),
});
