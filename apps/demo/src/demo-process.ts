import { join, resolve } from 'node:path';
import { itemsOf } from '@app/config/environment-schema';
import { loadSettings, SettingsError, type Settings } from '@app/config/settings-config';
import { bringSchemaUpToDate } from '@app/domain/schema/schema.service';
import type { RecalledCustomer, RecalledTemplate, SandboxMemory } from '../../sandbox/src/sandbox-options';
import type { RunningSandbox } from '../../sandbox/src/sandbox-server';
import { startServer, type RunningServer } from '../../server/src/server-bootstrap';
import { explainStart } from '../../server/src/start-explanation';
import {
  openDataFolder,
  deriveKey,
  loadDemoSecrets,
  writeDemoEnvironment,
  type DemoSecrets,
} from './data-folder';
import { demoBanner, modelInWords, describeDemo, removeDemoFile, writeDemoFile } from './demo-file';
import { connectSandbox, startDemoSandbox, webhookUrls } from './demo-sandbox';
import { demoVariables, modelVariables, readStart } from './demo-variables';
import { withClient } from './embedded-postgres/database-connection';
import {
  EmbeddedPostgresError,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from './embedded-postgres/embedded-postgres-launcher';
import { DemoLife } from './life/demo-life';
import { BOTS, ownerOf } from './seed/demo-accounts';
import { DEMO_KEYS } from './seed/demo-keys';
import { mediaStoreOf } from '@app/integrations/media/media-stores';
import { seedDemo } from './seed/demo-seed';

/** Most chats that the sandbox keeps. */
const CUSTOMERS_MAX = 10_000;

/** What the providers of the demo's numbers know, reconstructed from the database. */
async function readMemory(databaseUrl: string): Promise<SandboxMemory> {
  const numbers = BOTS.flatMap(({ channels }) => channels);
  const senders = numbers.map(({ sender }) => sender);
  return withClient(databaseUrl, 'leadline demo memory', async (db) => {
    // Two bots of one business account have the same templates. The row that changed last counts.
    const templates = await db.query<Omit<RecalledTemplate, 'owner'> & { sender: string }>(
      `SELECT DISTINCT ON (t.channel, t.provider_id) c.sender, t.channel, t.provider_id AS "providerId", t.name, t.language,
              t.category, t.status, t.parameter_format AS "parameterFormat", t.header, t.body, t.footer, t.buttons, t.reason,
              t.add_security_recommendation AS "addSecurityRecommendation", t.code_expiration_minutes AS "codeExpirationMinutes",
              coalesce(t.examples->'body', '[]') AS examples
         FROM templates t
         JOIN bot_channels c ON c.account_id = t.account_id AND c.bot_id = t.bot_id AND c.channel = t.channel
        WHERE t.provider_id IS NOT NULL AND c.sender = ANY ($1)
        ORDER BY t.channel, t.provider_id, t.updated_at DESC`,
      [senders],
    );
    const customers = await db.query<RecalledCustomer>(
      `SELECT * FROM (
         SELECT c.sender, h.phone, h.customer_name AS name, h.last_activity_at,
                (SELECT extract(epoch FROM coalesce(m.sent_at, m.created_at))::float8 * 1000 FROM messages m
                  WHERE m.account_id = h.account_id AND m.thread_id = h.id AND m.role = 'USER'
                  ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS "wroteAt"
           FROM threads h
           JOIN bot_channels c ON c.account_id = h.account_id AND c.bot_id = h.bot_id AND c.channel = h.channel
          WHERE h.phone IS NOT NULL AND c.sender = ANY ($1)
          ORDER BY h.last_activity_at DESC LIMIT $2) newest
        ORDER BY last_activity_at`,
      [senders, CUSTOMERS_MAX],
    );
    const owners = new Map(numbers.map((number) => [number.sender, ownerOf(number)]));
    return {
      templates: templates.rows.map(({ sender, ...template }) => ({
        ...template,
        owner: owners.get(sender) ?? '',
      })),
      customers: customers.rows,
    };
  });
}

type Variables = Record<string, string | undefined>;

const LOOPBACK = '127.0.0.1';
/** A PostgreSQL that ends more often has a lasting problem, such as a full disk. */
const RESTARTS_MAX = 5;
const RESTARTS_WITHIN_MS = 60_000;

const NO_WORKER =
  'ROLE worker is no demo, which serves what it shows: start the demo without it, and a worker beside it with demo.env and npm run start:prod.';

/** Runs the whole demo: database, migrations, seed, server. Only this code handles the process's signals. */
export async function runDemo(variables: Variables): Promise<void> {
  const { environment: given, life } = readStart(variables);
  const { DATA_DIR, PORT, ROLE } = given;
  if (ROLE === 'worker') throw new SettingsError([NO_WORKER]);
  const dataDir = resolve(DATA_DIR);
  openDataFolder(dataDir);
  const demo = new Demo(dataDir);
  process.on('SIGINT', () => demo.end(0));
  process.on('SIGTERM', () => demo.end(0));
  let settings: Settings | undefined;
  try {
    const databaseUrl = await demo.startDatabase();
    // Not earlier: until the database is ours, the files may belong to another running demo.
    removeDemoFile(dataDir);
    const secrets = loadDemoSecrets(dataDir);
    const sandbox = await demo.startSandbox(secrets, variables, PORT);
    const environment = demoVariables(secrets, sandbox, variables);
    settings = loadSettings({ ...environment, DATABASE_URL: databaseUrl }, true);
    // Stored before anything is made with them, so that an interrupted start leaves the keys for the next one.
    writeDemoEnvironment(dataDir, {
      DATABASE_URL: databaseUrl,
      HOST: settings.host,
      // A further process on this machine, too, has no TLS.
      ALLOW_HTTP: '1',
      ...secrets,
      // A further process needs the secrets that were given to the demo.
      SESSION_SECRET: settings.sessionSecret,
      ENCRYPTION_KEY: settings.encryptionKey,
      METRICS_TOKEN: settings.metricsToken,
      CLOUD_API_URL: settings.messengers.cloud.apiUrl,
      CLOUD_API_VERSION: settings.messengers.cloud.apiVersion,
      GUPSHUP_API_URL: settings.messengers.gupshup.apiUrl,
      CLOUD_API_APP_SECRET: settings.messengers.cloud.appSecrets.join(),
      CLOUD_API_VERIFY_TOKEN: settings.messengers.cloud.verifyToken,
      GUPSHUP_WEBHOOK_TOKEN: settings.messengers.gupshup.webhookToken,
      ...modelVariables(environment),
    });
    await bringSchemaUpToDate(databaseUrl);
    await seedDemo(databaseUrl, secrets, settings.encryptionKey, mediaStoreOf(settings.media));
    // Before the server, which immediately sends the messages that were waiting.
    const memory = await readMemory(databaseUrl);
    sandbox.recall(memory);
    const server = await demo.startServer(settings, secrets);
    // The sandbox is on this machine, whatever the service's public address is.
    connectSandbox(sandbox, server.url, settings, memory);
    const baseUrl = variables.PUBLIC_URL ? settings.publicUrl : server.url;
    const addresses = {
      baseUrl,
      databaseUrl,
      sandboxUrl: sandbox.url,
      webhooks: webhookUrls(baseUrl, settings),
    };
    const file = await describeDemo(addresses, secrets);
    if (demo.ending) return;
    writeDemoFile(dataDir, file);
    const { name, baseUrl: modelUrl } = settings.model;
    const model = modelInWords(name ?? '', modelUrl ?? sandbox.modelUrl, sandbox.modelUrl);
    console.log(demoBanner(file, dataDir, model, life));
    if (life) demo.startLife(server, sandbox, secrets);
  } catch (error) {
    if (demo.ending) return;
    console.error(
      error instanceof EmbeddedPostgresError
        ? error.message
        : explainStart(error, settings ?? { port: 0, host: LOOPBACK }),
    );
    demo.end(1);
  }
}

/** Everything that runs, and how it is stopped: once and in order, however many callers ask. */
class Demo {
  ending = false;
  /** Promises, so that a stop during a start waits for what it must stop. */
  private postgres: Promise<EmbeddedPostgres> | null = null;
  private server: Promise<RunningServer> | null = null;
  private sandbox: Promise<RunningSandbox> | null = null;
  private life: DemoLife | null = null;
  /** When PostgreSQL was restarted within the last minute. */
  private restarts: number[] = [];

  constructor(private readonly dataDir: string) {}

  async startDatabase(port?: number): Promise<string> {
    this.postgres = startEmbeddedPostgres({
      dataDir: this.dataDir,
      port,
      log: (line) => console.log(line),
    });
    const postgres = await this.postgres;
    void postgres.exited.then(() => this.restartDatabase(postgres));
    return postgres.url;
  }

  async startSandbox(secrets: DemoSecrets, variables: Variables, port: number): Promise<RunningSandbox> {
    const cloud = {
      appSecret: itemsOf(variables.CLOUD_API_APP_SECRET ?? '')[0] ?? secrets.CLOUD_API_APP_SECRET,
      verifyToken: variables.CLOUD_API_VERIFY_TOKEN || secrets.CLOUD_API_VERIFY_TOKEN,
    };
    this.sandbox = startDemoSandbox(secrets, cloud, port);
    return this.sandbox;
  }

  async startServer(settings: Settings, secrets: DemoSecrets): Promise<RunningServer> {
    const keyOf = (found: (accountId: string | null) => boolean): string =>
      deriveKey(secrets, DEMO_KEYS.find(({ accountId }) => found(accountId))?.name ?? '');
    const docsKeys = { ApiKey: keyOf((id) => id !== null), AdminKey: keyOf((id) => id === null) };
    this.server = startServer(settings, { docsKeys });
    return this.server;
  }

  startLife(server: RunningServer, sandbox: RunningSandbox, secrets: DemoSecrets): void {
    this.life = new DemoLife({
      baseUrl: server.url,
      keyOf: (name) => deriveKey(secrets, name),
      write: (act) => void sandbox.customer.write(act),
    });
    this.life.start();
  }

  end(code: number): void {
    if (this.ending) return;
    this.ending = true;
    void this.stop().then(
      () => process.exit(code),
      (error: unknown) => {
        console.error('The demo did not stop cleanly:', error);
        process.exit(1);
      },
    );
  }

  private async stop(): Promise<void> {
    // A failed start has nothing to stop. Its caller reports the error.
    const postgres = await this.postgres?.catch(() => null);
    if (postgres) removeDemoFile(this.dataDir);
    await this.life?.stop();
    const server = await this.server?.catch(() => null);
    const sandbox = await this.sandbox?.catch(() => null);
    try {
      await server?.stop();
      await sandbox?.stop();
    } finally {
      await postgres?.stop();
    }
  }

  /** PostgreSQL ended unexpectedly. It is restarted on its port, where the server finds it. */
  private async restartDatabase(former: EmbeddedPostgres): Promise<void> {
    if (this.ending) return;
    const now = performance.now();
    this.restarts = this.restarts.filter((at) => now - at < RESTARTS_WITHIN_MS);
    if (this.restarts.length >= RESTARTS_MAX) {
      const log = join(this.dataDir, 'postgres/postgres.log');
      const times = this.restarts.length + 1;
      console.error(`PostgreSQL ended ${times} times within a minute: giving up. Why stands in ${log}.`);
      return this.end(1);
    }
    this.restarts.push(now);
    console.error('PostgreSQL ended unexpectedly; starting it again.');
    try {
      await former.stop();
      if (this.ending) return;
      await this.startDatabase(Number(new URL(former.url).port));
      console.error('PostgreSQL runs again.');
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      this.end(1);
    }
  }
}
