import { openPool, type TestDatabase } from '../database/test.database';
import type { ServerProcess } from '../programs/server.process';
import { CHEAP_HASHES } from '../programs/test.limits';
import type * as Shared from './worker.shared';

/** What all files of a worker share, each after the other; made by `worker.environment.js`. */
export const shared = (globalThis as unknown as { sharedByWorker: typeof Shared }).sharedByWorker;

/** Each test of sign-in comes from a network of its own, and is not about what a hash costs. */
const FOR_SIGN_IN = { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8', ...CHEAP_HASHES };

/**
 * The worker's servers, which send to the worker's provider, and their empty database, for one file of tests.
 * @param further settings; servers of one kind at a time are kept, so few files should give any
 * @returns them with all their settings
 */
export async function sharedServers(
  further: Record<string, string> = {},
  count = 1,
): Promise<{ environment: Record<string, string>; database: TestDatabase; servers: ServerProcess[] }> {
  const provider = await shared.takeProvider();
  const environment = { ...provider.environment, ...FOR_SIGN_IN, ...further };
  const { database, servers } = await shared.takeServers(environment, count);
  const pool = openPool(database.url, 10);
  const refuse = (): never => {
    throw new Error('other tests need this server: open the scene with ownServer');
  };
  return {
    environment,
    database: { url: database.url, pool, drop: () => pool.end() },
    servers: servers.map((server) => {
      const before = server.output().length;
      return { ...server, output: () => server.output().slice(before), kill: refuse, stop: refuse };
    }),
  };
}
