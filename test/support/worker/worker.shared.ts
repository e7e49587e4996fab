import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type * as Sandbox from '../../../apps/sandbox/src/sandbox.server';
import { openChromium } from '../clients/chromium.launcher';
import { createDatabase, type TestDatabase } from '../database/test.database';
import { startServer, type ServerProcess } from '../programs/server.process';
import { ScriptedProvider } from '../stand-ins/scripted.provider';

// As it is built: Node loads this file, and knows no aliases of the sources.
const { startSandbox } = createRequire(__filename)(
  join(process.cwd(), 'dist/apps/sandbox/src/sandbox.server.js'),
) as typeof Sandbox;

export interface OpenedServer {
  environment: string;
  database: TestDatabase;
  server: ServerProcess;
}

let opened: Promise<OpenedServer> | null = null;
let provider: Promise<ScriptedProvider> | null = null;
let model: Promise<Sandbox.RunningSandbox> | null = null;
let browser: Promise<Browser | null> | null = null;

async function open(environment: Record<string, string>): Promise<OpenedServer> {
  const database = await createDatabase();
  return {
    environment: JSON.stringify(environment),
    database,
    server: await startServer(database.url, environment),
  };
}

/**
 * The worker's server with these settings, on a database of which only the schema is left. One with other settings ends:
 * a server that nobody uses costs time, too.
 */
export async function takeServer(environment: Record<string, string>): Promise<OpenedServer> {
  const former = await opened?.catch(() => null);
  if (former?.environment === JSON.stringify(environment) && (await empty(former))) return former;
  opened = open(environment);
  await former?.server.kill('SIGKILL');
  await former?.database.drop();
  return opened;
}

/**
 * Deletes what the files before have left. Events stay, as in the product: without those that it knows, the server has
 * every board opened anew.
 * @returns whether the server is there for the next one
 */
async function empty({ database: { pool }, server }: OpenedServer): Promise<boolean> {
  try {
    process.kill(server.pid, 0);
    const { rows } = await pool.query<{ name: string; filled: boolean }>(
      `SELECT format('%I', relname) AS name,
              (xpath('//filled/text()', query_to_xml(format('SELECT EXISTS (SELECT 1 FROM %I) AS filled', relname), false, true, '')))[1]::text = 'true' AS filled
         FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
          AND relname NOT IN ('migrations', 'events')`,
    );
    const names = rows.filter(({ filled }) => filled).map(({ name }) => name);
    if (names.length > 0) await pool.query(`TRUNCATE ${names.join(', ')} CASCADE`);
    return true;
  } catch {
    return false;
  }
}

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

/** The worker's Chromium, without a window; null where there is none. */
export async function takeBrowser(): Promise<Browser | null> {
  const former = await browser;
  if (!former?.isConnected()) return (browser = openChromium());
  await Promise.all(former.contexts().map((context) => context.close()));
  return former;
}

/** Ends the server at once: nobody else would before the end of the run. */
export async function endServer(): Promise<void> {
  await (await opened?.catch(() => null))?.server.kill('SIGKILL');
}

/** Ends all that keeps the worker from its end. */
export async function close(): Promise<void> {
  await Promise.allSettled([
    endServer(),
    opened?.then(({ database }) => database.pool.end()),
    provider?.then((running) => running.stop()),
    model?.then((running) => running.stop()),
    browser?.then((running) => running?.close()),
  ]);
}
