import { renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoProcess, makeDataDir } from './demo.process';
import { startServer } from './server.process';
import { createDatabase } from '../database/test.database';

/** What an endless run has reported. */
const UNDER_WAY = 'under-way.json';

/** No spec of the suite: killed-run.e2e.spec.ts runs it as if it were one, until it kills it. */
it('has everything that a test may start, and never ends', async () => {
  const database = await createDatabase();
  const server = await startServer(database.url);
  // It is killed while its initdb is at work, or later.
  const demo = DemoProcess.launch(makeDataDir());
  const draft = join(tmpdir(), 'draft.json');
  writeFileSync(draft, JSON.stringify([process.pid, server.pid, demo.pid]));
  renameSync(draft, join(tmpdir(), UNDER_WAY));
  await new Promise(() => undefined);
}, 600_000);
