import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors';
import { endAtOnce } from './postmaster-process';
import { canEnter, defaultRunUser, isRoot, type RunUser } from './run-user-resolver';
import { openPrivateCopy } from './private-copy-folder';
import { writeWhole } from './whole-file-writer';

/** The place of a cluster and the user who runs it. */
export interface ClusterLocation {
  /** Holds the cluster and unfinished ones. The run user can enter it. */
  home: string;
  /** The cluster and its password, made in one step: either both exist or neither. */
  cluster: string;
  /** What PostgreSQL calls its data directory. */
  data: string;
  /** Undefined: it runs as this process's user. */
  user: RunUser | undefined;
}

const NOTE = 'location';

/**
 * Decides where the cluster of a control folder is: in that folder, or in the private copy when the run user cannot
 * enter it. A note in the control folder records the decision, so the data is found again after permissions or the
 * temporary folder have changed. Deleting the control folder deletes the data: a cluster in the private copy without
 * its note is removed.
 * @param control our folder below the data directory, its links resolved
 * @throws EmbeddedPostgresError when a cluster exists and cannot be reached any more
 */
export async function locateCluster(
  control: string,
  privateCopy: string,
  log: (line: string) => void,
): Promise<ClusterLocation> {
  const note = readNote(control);
  if (note !== undefined) {
    refuseStrangers(note, control);
    return owned(note);
  }
  const here = owned(control);
  if (!here.user || canEnter(here.user, control)) return here;
  if (existsSync(here.cluster)) {
    throw new EmbeddedPostgresError(
      `The user ${here.user.name}, as whom PostgreSQL must run, can no longer enter ${control}: open ` +
        'the folders above it (chmod o+x).',
    );
  }
  openPrivateCopy(privateCopy);
  const home = join(privateCopy, createHash('sha256').update(control).digest('hex').slice(0, 16));
  if (existsSync(home)) {
    await endAtOnce(owned(home).data);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
  mkdirSync(home, { mode: 0o700 });
  chmodSync(home, 0o700);
  chownSync(home, here.user.uid, here.user.gid);
  writeWhole(join(control, NOTE), `${statSync(control).ino}\n${home}\n`);
  log(`User ${here.user.name} cannot enter ${control}: the database is kept in ${home}`);
  return owned(home);
}

function readNote(control: string): string | undefined {
  const path = join(control, NOTE);
  if (!existsSync(path)) return undefined;
  const [inode, home] = readFileSync(path, 'utf8').split('\n');
  // A copy of the folder must not share the original's cluster.
  return home && existsSync(home) && Number(inode) === statSync(control).ino ? home : undefined;
}

/** Owning the control folder does not give a user the cluster outside of it. */
function refuseStrangers(home: string, control: string): void {
  const { uid } = statSync(home);
  if (isRoot() || uid === process.getuid?.()) return;
  throw new EmbeddedPostgresError(
    `The database lies in ${home} and belongs to another user (uid ${uid}): start Leadline as root again, remove ` +
      `${dirname(control)} to begin anew, or choose another DATA_DIR.`,
  );
}

function owned(home: string): ClusterLocation {
  const cluster = join(home, 'cluster');
  const data = join(cluster, 'data');
  return { home, cluster, data, user: runUserOf(cluster, data) };
}

/** A cluster always keeps its user, also when a user postgres is created later or root starts the demo. */
function runUserOf(cluster: string, data: string): RunUser | undefined {
  if (isRoot()) {
    const found = statSync(data, { throwIfNoEntry: false });
    return found && found.uid !== 0
      ? { name: `with uid ${found.uid}`, uid: found.uid, gid: found.gid }
      : defaultRunUser();
  }
  const holder = statSync(cluster, { throwIfNoEntry: false });
  if (holder && holder.uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError(
      `The database in ${cluster} belongs to another user (uid ${holder.uid}): start Leadline as ` +
        'that user, as root, or with another DATA_DIR.',
    );
  }
  return undefined;
}
