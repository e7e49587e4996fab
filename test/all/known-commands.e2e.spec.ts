import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type TestDatabase } from '../support/database/test.database';
import { request } from '../support/clients/api.client';
import { eventually } from '../support/eventually';
import { SECRETS } from '../support/programs/server.process';

const LIMIT_MS = 60_000;

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase('18', { empty: true });
});

afterEach(() => database?.drop());

describe('npm run typeorm', () => {
  const typeorm = (...words: string[]): string => {
    const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'typeorm', '--', ...words], {
      // Without colours, which it shows where CI is set.
      env: { ...process.env, DATABASE_URL: database.url, NO_COLOR: '1', FORCE_COLOR: '0' },
      encoding: 'utf8',
      timeout: LIMIT_MS,
    });
    return stdout + stderr;
  };
  /** Which of the known migrations the database has, oldest first. */
  const applied = (): boolean[] =>
    [...typeorm('migration:show').matchAll(/^\[(.)\]/gm)].map(([, mark]) => mark === 'X');

  it('shows and runs our migrations, finds none to generate, and does not revert the baseline', () => {
    expect(new Set(applied())).toEqual(new Set([false]));
    typeorm('migration:run');
    expect(new Set(applied())).toEqual(new Set([true]));
    expect(typeorm('migration:generate', join(tmpdir(), 'nothing'))).toContain(
      'No changes in database schema',
    );
    expect(typeorm('migration:revert')).toContain('The baseline is not undone');
    expect(new Set(applied())).toEqual(new Set([true]));
  });
});

describe('nest start', () => {
  /** With an output of its own: processes of other tests run from ours. */
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leadline-nest-'));
    for (const path of [
      'apps',
      'libs',
      'ormconfig.ts',
      'package.json',
      'nest-cli.json',
      'tsconfig.json',
      '.swcrc',
    ])
      cpSync(path, join(folder, path), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('builds the service and serves on the database of DATABASE_URL', async () => {
    const nest = join(process.cwd(), 'node_modules/@nestjs/cli/bin/nest.js');
    const child = spawn(process.execPath, [nest, 'start'], {
      cwd: folder,
      // Nest starts the service by a shell: the group is ended as a whole.
      detached: true,
      env: { ...process.env, ...SECRETS, DATABASE_URL: database.url, PORT: '0', ALLOW_HTTP: '1' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    try {
      const url = () => /listens on (http:\/\/\S+)/.exec(output)?.[1];
      await eventually(async () => url(), LIMIT_MS, 'the service did not start');
      expect((await request(`${url()}/health/ready`)).status).toBe(200);
    } finally {
      if (child.pid) process.kill(-child.pid, 'SIGTERM');
      await eventually(
        async () => child.exitCode !== null || child.signalCode !== null,
        LIMIT_MS,
        'it did not end',
      );
    }
  });
});
