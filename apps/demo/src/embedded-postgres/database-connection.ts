import { Client, escapeIdentifier } from 'pg';
import { LEADLINE } from './cluster-initializer';

const CONNECT_MS = 3_000;
const PROBE = 'leadline demo start';

/** The address of a database of the cluster, with its password. */
export function databaseUrl(port: number, password: string, database: string): string {
  const path = encodeURIComponent(database);
  return `postgres://${LEADLINE}:${encodeURIComponent(password)}@127.0.0.1:${port}/${path}`;
}

/**
 * Tries a connection.
 * @returns undefined on success, else an SQLSTATE such as 57P03, or a message
 */
export async function tryConnection(port: number, password: string): Promise<string | undefined> {
  try {
    await withClient(databaseUrl(port, password, 'postgres'), PROBE, () => Promise.resolve());
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Creates the database if it is missing. */
export async function ensureDatabase(port: number, password: string, database: string): Promise<void> {
  await withClient(databaseUrl(port, password, 'postgres'), PROBE, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(database)}`);
  });
}

/** Opens a connection for one piece of work, and closes it however the work ends. */
export async function withClient<T>(
  url: string,
  applicationName: string,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // A connection that breaks between two statements emits an event. Without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
