import { ApiClient, type Answer } from '../clients/api.client';
import { expectRefused } from '../clients/refusal.expectation';
import { invite, joinBy, type Invited, type SessionClient } from '../clients/session.client';
import { DialogRecords } from '../database/dialog.records';
import { AccountFixture, addAdminKey, type GivenStage } from '../database/fixture';
import { CLUSTERS, createDatabase, type TestDatabase } from '../database/test.database';
import { endAll, startServer, type ServerProcess } from '../programs/server.process';
import { sharedServers } from '../worker/shared';
import { sceneOf } from './scene.opening';

export interface SceneOptions {
  /** It stops its servers, or needs some that have just started. Any other option of processes says so, too. */
  ownServer?: boolean;
  /** The major version of PostgreSQL. */
  version?: string;
  /** Opens a database elsewhere than in the run's clusters. */
  openDatabase?: () => Promise<TestDatabase>;
  servers?: number;
  /** What the servers run, unless the built server. */
  program?: string;
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

export type Scene = ReturnType<typeof makeScene>;

/**
 * One database, server processes on it, an account with a funnel and a key, people who come by invitation, and a key that
 * governs the installation. Other scenes have more ({@link extend}), and register what they open and close.
 */
export function makeScene(options: SceneOptions = {}) {
  const { ownServer, version, openDatabase, program, servers: count = 1, parameters, stages } = options;
  const isElsewhere = openDatabase !== undefined || (version !== undefined && version !== CLUSTERS[0]?.name);
  const sharesServer =
    !ownServer && !isElsewhere && !program && count > 0 && !options.environment && !parameters;
  const servers: ServerProcess[] = [];
  const standIns: (() => Promise<Record<string, string>>)[] = [];
  const beginnings: (() => unknown)[] = [];
  const testEnds: (() => unknown)[] = [];
  const ends: (() => unknown)[] = [];
  let environment: Record<string, string> = {};
  let database: TestDatabase;
  let account: AccountFixture;
  let kept: DialogRecords;
  let adminKey: string;

  const scene = {
    /** Whether its servers and its stand-ins are those of the worker: no test may stop them. */
    sharesServer,
    servers,

    async start(): Promise<void> {
      if (sharesServer) {
        await startStandIns();
        const shared = await sharedServers(environment, count);
        ({ environment, database } = shared);
        servers.push(...shared.servers);
      } else database = await (openDatabase?.() ?? createDatabase(version));
      scene.whenClosed(() => database.drop());
      await addAccount();
      if (!sharesServer) {
        await startStandIns();
        await Promise.all(Array.from({ length: count }, () => scene.addServer()));
      }
      for (const begin of beginnings) await begin();
    },

    /** The last that was opened is closed first. */
    async close(): Promise<void> {
      for (const end of ends.splice(0).reverse()) await end();
    },

    async endTest(): Promise<void> {
      for (const end of testEnds) await end();
    },

    /** @param start opens what the servers are led to. @returns the settings that lead them there */
    withStandIns(start: () => Promise<Record<string, string>>): void {
      standIns.push(start);
    },

    /** @param begin is called when the servers are there */
    whenStarted(begin: () => unknown): void {
      beginnings.push(begin);
    },

    /** @param end is called after each test of a file that set the scene */
    afterEachTest(end: () => unknown): void {
      testEnds.push(end);
    },

    whenClosed(end: () => unknown): void {
      ends.push(end);
    },

    async addServer(
      given: Record<string, string> = {},
      databaseUrl = urlOfDatabase(),
    ): Promise<ServerProcess> {
      const server = await startServer(databaseUrl, { ...environment, ...given }, program);
      servers.push(server);
      scene.whenClosed(() => endAll([server]));
      return server;
    },

    get database(): TestDatabase {
      return database;
    },

    get account(): AccountFixture {
      return account;
    },

    get kept(): DialogRecords {
      return kept;
    },

    /** The first process. */
    get server(): ServerProcess {
      const [first] = servers;
      if (!first) throw new Error('no server');
      return first;
    },

    get urls(): string[] {
      return servers.map(({ url }) => url);
    },

    /** The account's key at the first process. */
    get api(): ApiClient {
      return scene.apiAt(0);
    },

    apiAt(server: number, key: string = account.key): ApiClient {
      const { url } = servers[server % servers.length] ?? { url: 'no server' };
      return new ApiClient(url, key);
    },

    get adminKey(): string {
      return adminKey;
    },

    /** The installation's admin, at the first process. */
    get admin(): ApiClient {
      return new ApiClient(scene.server.url, adminKey);
    },

    stage(index: number): string {
      const id = account.stages[index];
      if (id === undefined) throw new Error(`no stage ${index}`);
      return id;
    },

    invite(fields: Record<string, unknown> = {}): Promise<Invited> {
      return invite(scene.admin, account.id, fields);
    },

    /** A person who has accepted the invitation and is signed in. */
    async join(fields?: Record<string, unknown>): Promise<SessionClient & { email: string }> {
      const invited = await scene.invite(fields);
      return Object.assign(await joinBy(scene.server.url, invited), { email: invited.email });
    },

    /** The operation is refused with the code, names the fields and changes nothing. */
    expectRefused(call: () => Promise<Answer>, code: string, paths: string[] = []): Promise<Answer> {
      return expectRefused(database.pool, call, [code === 'VALIDATION_ERROR' ? 422 : 404, code], paths);
    },
  };

  const urlOfDatabase = (): string =>
    parameters ? `${database.url}?${parameters.toString()}` : database.url;

  async function startStandIns(): Promise<void> {
    for (const start of standIns) environment = { ...environment, ...(await start()) };
    environment = {
      ...environment,
      ...(options.agentCouldAnswer && UNASKED_MODEL),
      ...options.environment,
    };
  }

  async function addAccount(): Promise<void> {
    kept = new DialogRecords(database.pool);
    account = await AccountFixture.create(database.pool, stages);
    adminKey = await addAdminKey(database.pool);
    if (options.agentCouldAnswer) await account.connect();
  }

  return scene;
}

/** A scene with more in it. Getters stay getters: much is there only when the scene has started. */
export const extend = <Base extends object, Parts extends object>(scene: Base, parts: Parts): Base & Parts =>
  Object.defineProperties(scene, Object.getOwnPropertyDescriptors(parts)) as Base & Parts;

export const { set: setScene, open: openScene } = sceneOf(makeScene);
