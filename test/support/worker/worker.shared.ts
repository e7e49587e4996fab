import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type * as Sandbox from '../../../apps/sandbox/src/sandbox-server';
import type * as Schema from '../../../libs/domain/src/schema/schema.service';
import { openChromium } from '../clients/chromium.launcher';
import { createDatabase, type TestDatabase } from '../database/test.database';
import { endAll, startServer, type ServerProcess } from '../programs/server.process';
import { ScriptedProvider } from '../stand-ins/scripted.provider';

/** As it is built: Node loads this file, and knows no aliases of the sources. */
const built = (path: string): unknown => createRequire(__filename)(join(process.cwd(), 'dist', path));

/** Loaded once for a worker: each file of tests would load hundreds of files for it. */
export const { startSandbox } = built('apps/sandbox/src/sandbox-server.js') as typeof Sandbox;

export interface OpenedServers {
  environment: string;
  schema: string;
  database: TestDatabase;
  servers: ServerProcess[];
}

let opened: OpenedServers | null = null;
let provider: Promise<ScriptedProvider> | null = null;
let model: Promise<Sandbox.RunningSandbox> | null = null;
let browser: Promise<Browser | null> | null = null;

/**
 * So many of the worker's servers with these settings, on a database of which only the schema is left. Further ones end,
 * and all that have other settings: a server that nobody uses costs time, and takes up what is to be done.
 */
export async function takeServers(
  environment: Record<string, string>,
  count: number,
): Promise<OpenedServers> {
  const former = opened;
  const settings = JSON.stringify(environment);
  const isKept = former?.environment === settings;
  await endAll(former?.servers.splice(isKept ? count : 0) ?? []);
  if (!isKept || !(await empty(former))) {
    opened = null;
    await endAll(former?.servers ?? []);
    await former?.database.drop();
    const database = await createDatabase();
    opened = { environment: settings, schema: await schemaOf(database), database, servers: [] };
  }
  const { database, servers } = opened!;
  const missing = Array.from({ length: count - servers.length }, () =>
    startServer(database.url, environment),
  );
  servers.push(...(await Promise.all(missing)));
  return opened!;
}

/** Columns, triggers, functions and settings, which some tests change. */
async function schemaOf({ pool }: TestDatabase): Promise<string> {
  const { rows } = await pool.query<{ schema: string }>(
    `WITH tables AS (
       SELECT oid, relname FROM pg_class
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace)
     SELECT concat(
       (SELECT string_agg(concat_ws(' ', relname, attname, atttypid, atttypmod), ',' ORDER BY relname, attnum)
          FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid WHERE attnum > 0),
       (SELECT string_agg(tgname, ',' ORDER BY relname, tgname) FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT tgisinternal),
       (SELECT string_agg(proname, ',' ORDER BY proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
       (SELECT string_agg(setconfig::text, ',') FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
         WHERE datname = current_database())) AS schema`,
  );
  return rows[0]!.schema;
}

/**
 * Deletes what the files before have left. The newest events stay: without those that it knows, a server has every board
 * opened anew. So do heartbeats, without which they would hold sending. Without triggers entries of the audit go too, which the product keeps for two years. Accounts go first, so
 * that no row comes after those of its account. To truncate fifty tables takes PostgreSQL ten times as long.
 * @returns whether the servers are there for the next one, and the schema is what it was
 */
async function empty({ schema, database, servers }: OpenedServers): Promise<boolean> {
  try {
    for (const { pid } of servers) process.kill(pid, 0);
    if ((await schemaOf(database)) !== schema) return false;
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT format('%I', relname) AS name FROM pg_class
        WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
          AND relname NOT IN ('migrations', 'events', 'process_heartbeats')
        ORDER BY relname <> 'accounts', relname`,
    );
    const deletions = rows.map(({ name }) => `DELETE FROM ${name}`);
    deletions.push('DELETE FROM events WHERE seq < (SELECT max(seq) FROM events) - 100');
    await database.pool.query(['SET LOCAL session_replication_role = replica', ...deletions].join('; '));
    return true;
  } catch {
    return false;
  }
}

let customers = 77_019_000_000;

/** A customer's phone that no file of the worker had: a reply to one of a former file may come to the provider late. */
export const nextPhone = (): string => String((customers += 1));

/** The worker's provider, which knows no script and no message. */
export async function takeProvider(): Promise<ScriptedProvider> {
  provider ??= ScriptedProvider.start();
  (await provider).forget();
  return provider;
}

/** Where the worker's scripted model is, in a sandbox with nothing else. */
export async function takeModel(): Promise<string> {
  model ??= startSandbox({ numbers: [] });
  return (await model).url;
}

/** Makes the schema in an empty database. Each file that loaded what it takes would need two seconds of the processor. */
export async function migrate(databaseUrl: string): Promise<void> {
  const { bringSchemaUpToDate } = built('libs/domain/src/schema/schema.service.js') as typeof Schema;
  await bringSchemaUpToDate(databaseUrl);
}

/** The worker's Chromium, without a window; null where there is none. */
export async function takeBrowser(): Promise<Browser | null> {
  const former = await browser;
  if (!former?.isConnected()) return (browser = openChromium());
  await Promise.all(former.contexts().map((context) => context.close()));
  return former;
}

/** Kills the servers, of a worker that ends: nobody else would before the end of the run. */
export function killServers(): void {
  for (const { pid } of opened?.servers ?? [])
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
}

/** Ends all that keeps the worker from its end. */
export async function close(): Promise<void> {
  await Promise.allSettled([
    endAll(opened?.servers ?? []),
    opened?.database.pool.end(),
    provider?.then((running) => running.stop()),
    model?.then((running) => running.stop()),
    browser?.then((running) => running?.close()),
  ]);
}
