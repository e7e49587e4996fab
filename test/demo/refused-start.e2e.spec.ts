import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoProcess, removeDataDir } from '../support/programs/demo.process';
import { asPlainUser, isRoot, NOBODY, plainUser, PLAIN_USER_NEEDED } from '../support/programs/other.user';
import { outcomeOf, type Outcome } from '../support/programs/program.outcome';

const MAIN = 'apps/demo/src/main.js';
const asRoot = isRoot ? it : it.skip;

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'leadline-refused-'));
  chmodSync(base, 0o755);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const startIn = (dataDir: string, settings: Record<string, string> = {}, by = plainUser): Promise<Outcome> =>
  outcomeOf(MAIN, [], { DATA_DIR: dataDir, PORT: '0', ...settings }, by);

const refused = (line: string): Outcome => ({ code: 1, stdout: '', stderr: `${line}\n` });
/** The advice to give a folder away is for a demo's own alone. */
const closed = (path: string, dataDir: string): Outcome =>
  refused(
    `${path} may not be read and written by this user: let root give it to this user (chown -R USER ${dataDir}), or choose another DATA_DIR.`,
  );

describe('a demo that cannot have its folder says so in one line', () => {
  asPlainUser(`when it belongs to another user (${PLAIN_USER_NEEDED})`, async () => {
    const dataDir = join(base, 'data');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'demo.env'), '');
    chmodSync(dataDir, 0o555);
    const outcome = await startIn(dataDir);
    chmodSync(dataDir, 0o755);
    expect(outcome).toEqual(closed(dataDir, dataDir));
  });

  asPlainUser(`when it is another user's and holds no demo (${PLAIN_USER_NEEDED})`, async () => {
    const dataDir = join(base, 'data');
    mkdirSync(dataDir, { mode: 0o555 });
    expect(await startIn(dataDir)).toEqual(
      refused(`${dataDir} may not be read and written by this user: choose another DATA_DIR.`),
    );
  });

  asPlainUser(`when it may not be made (${PLAIN_USER_NEEDED})`, async () => {
    chmodSync(base, 0o500);
    const dataDir = join(base, 'data');
    // Root's folder may not even be looked into.
    if (isRoot) chmodSync(base, 0o700);
    expect(await startIn(dataDir)).toEqual(
      refused(`DATA_DIR ${dataDir} may not be made or entered by this user: choose another.`),
    );
    chmodSync(base, 0o755);
  });

  asPlainUser(
    `when a file in it cannot be read, as one that root left there (${PLAIN_USER_NEEDED})`,
    async () => {
      const dataDir = join(base, 'data');
      mkdirSync(dataDir);
      const file = join(dataDir, 'demo.env');
      writeFileSync(file, '', { mode: 0o600 });
      if (isRoot) chownSync(dataDir, NOBODY.uid, NOBODY.gid);
      else chmodSync(file, 0o000);
      expect(await startIn(dataDir)).toEqual(closed(file, dataDir));
    },
  );

  it.each(['data', 'data/below'])('when %s is a file, or below one', async (path) => {
    writeFileSync(join(base, 'data'), '');
    const dataDir = join(base, path);
    expect(await startIn(dataDir, {}, {})).toEqual(
      refused(`DATA_DIR ${dataDir} is no folder: choose another DATA_DIR.`),
    );
  });
});

it('a demo that should be a worker says in one line how to have one', async () => {
  expect(await startIn(join(base, 'data'), { ROLE: 'worker' })).toEqual(
    refused(
      'ROLE worker is no demo, which serves what it shows: start the demo without it, and a worker beside it with demo.env and npm run start:prod.',
    ),
  );
});

// One demo shows both: what it leaves in a user's folder, and where that user cannot go on.
asRoot(
  "a demo that root runs in a user's folder leaves that user the keys, and its database elsewhere",
  async () => {
    // Nobody as whom PostgreSQL may run: that one cannot enter the folder.
    const [uid, gid] = [NOBODY.uid - 1, NOBODY.gid - 1];
    const dataDir = join(base, 'data');
    chownSync(base, uid, gid);
    chmodSync(base, 0o700);
    const demo = await DemoProcess.start(dataDir);
    try {
      for (const path of ['.', 'demo.env', 'demo.json']) {
        const found = statSync(join(dataDir, path));
        expect([path, found.uid, found.gid]).toEqual([path, uid, gid]);
        if (path !== '.') expect(found.mode & 0o777).toBe(0o600);
      }
      expect(readFileSync(join(dataDir, 'demo.env'), 'utf8')).toMatch(/^HOST=127\.0\.0\.1$/m);
      await demo.ended('SIGTERM');
      const [, home = ''] = readFileSync(join(dataDir, 'postgres/location'), 'utf8').split('\n');
      // Whatever user the demo ran its database as, the other user is not that one.
      chownSync(home, uid - 1, uid - 1);
      spawnSync('chown', ['-R', `${uid}:${gid}`, dataDir]);
      expect(await startIn(dataDir, {}, { uid, gid })).toEqual(
        refused(
          `The database lies in ${home} and belongs to another user (uid ${uid - 1}): start Leadline as root again, remove ${dataDir} to begin anew, or choose another DATA_DIR.`,
        ),
      );
    } finally {
      await demo.ended('SIGTERM');
      removeDataDir(dataDir);
    }
  },
);
