import { join } from 'node:path';
import { describeDemo } from '../../apps/demo/src/demo-file';
import { loadDemoSecrets, type DemoSecrets } from '../../apps/demo/src/data-folder';
import { DiskMediaStore } from '@app/integrations/media/media-stores';
import { seedDemo } from '../../apps/demo/src/seed/demo-seed';
import { makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { DatabaseProxy } from '../support/faults/database.proxy';
import { createDatabase, type TestDatabase } from '../support/database/test.database';
import { untilWaiting } from '../support/faults/waiting.sessions';

const dataDir = makeDataDir();
let database: TestDatabase;
let proxy: DatabaseProxy;
let secrets: DemoSecrets;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  secrets = loadDemoSecrets(dataDir);
});

afterAll(async () => {
  await proxy?.stop();
  await database?.drop();
  removeDataDir(dataDir);
});

const ADDRESSES = {
  baseUrl: 'http://x',
  sandboxUrl: 'http://y',
  webhooks: { cloud: 'http://x/w', gupshup: () => 'http://x/g' },
};

const seed = (): Promise<void> =>
  seedDemo(proxy.url, secrets, secrets.ENCRYPTION_KEY, new DiskMediaStore(join(dataDir, 'media')));

describe('a start of the demo whose database goes away', () => {
  it.each([
    ['seeds', 'leadline demo seed', seed],
    [
      'reads what it has',
      'leadline demo file',
      () => describeDemo({ ...ADDRESSES, databaseUrl: proxy.url }, secrets),
    ],
  ])('while it %s refuses, and does not end the process by an event', async (_, name, act) => {
    const locker = await database.pool.connect();
    try {
      await locker.query('BEGIN; LOCK accounts, threads');
      const done = act().then(
        () => 'done',
        (error: Error) => error.message,
      );
      await untilWaiting(database.pool, 1, { application: name });
      proxy.cut();
      expect(await done).toMatch(/^Connection terminated unexpectedly|ECONNRESET/);
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
  });
});
