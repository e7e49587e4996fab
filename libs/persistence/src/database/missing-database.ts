import { Client } from 'pg';
import { connectionTo } from './connection-address';
import { CONNECTION_LIMITS } from './data-source-options';

const NO_SUCH_DATABASE = '3D000';

/** Databases that every cluster has. */
const USUAL = ['postgres', 'template1'];

/** Makes the database that an address names, in UTF-8, where there is none. Its user must be allowed to. */
export async function createMissing(url: string): Promise<void> {
  try {
    return await using(url, async () => undefined);
  } catch (error) {
    if ((error as { code?: string }).code !== NO_SUCH_DATABASE) throw error;
  }
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  let missing: unknown;
  for (const other of USUAL) {
    const beside = new URL(url);
    beside.pathname = `/${other}`;
    try {
      return await using(beside.toString(), async (client) => {
        await client.query(
          `CREATE DATABASE ${client.escapeIdentifier(name)} ENCODING 'UTF8' TEMPLATE template0`,
        );
      });
    } catch (error) {
      if ((error as { code?: string }).code !== NO_SUCH_DATABASE) throw error;
      missing = error;
    }
  }
  throw missing;
}

async function using(url: string, act: (client: Client) => Promise<void>): Promise<void> {
  const limits = { ...CONNECTION_LIMITS, statement_timeout: 0, query_timeout: 0 };
  const client = new Client(
    connectionTo(url, { ...limits, application_name: 'leadline restore' }, ['statement_timeout=0']),
  );
  client.on('error', () => undefined);
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
