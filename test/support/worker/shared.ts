import { openPool, type TestDatabase } from '../database/test.database';
import type { ServerProcess } from '../programs/server.process';
import type * as Shared from './worker.shared';

/** What all files of a worker share, each after the other; made by `worker.environment.js`. */
export const shared = (globalThis as unknown as { sharedByWorker: typeof Shared }).sharedByWorker;

/**
 * The worker's server, which sends to the worker's provider, and its empty database, for one file of tests.
 * @param environment further settings; one server at a time is kept, so few files should give any
 */
export async function sharedServer(
  environment: Record<string, string> = {},
): Promise<{ database: TestDatabase; server: ServerProcess }> {
  const provider = await shared.takeProvider();
  const { database, server } = await shared.takeServer({ ...provider.environment, ...environment });
  const pool = openPool(database.url, 10);
  const before = server.output().length;
  const refuse = (): never => {
    throw new Error('other tests need this server: open the scene with ownServer');
  };
  return {
    database: { url: database.url, pool, drop: () => pool.end() },
    server: { ...server, output: () => server.output().slice(before), kill: refuse, stop: refuse },
  };
}
