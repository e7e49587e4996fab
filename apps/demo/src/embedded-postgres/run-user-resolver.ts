import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EmbeddedPostgresError } from './embedded-postgres.errors';

/** The user that PostgreSQL runs as. It refuses to run as root. */
export interface RunUser {
  name: string;
  uid: number;
  gid: number;
}

/** Whether this process is root, and so must run PostgreSQL as another user. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user for a new cluster: `postgres` if the host has it, else `nobody`; undefined when we are not root.
 * @throws EmbeddedPostgresError when we are root and the host has neither
 */
export function defaultRunUser(): RunUser | undefined {
  if (!isRoot()) return undefined;
  const found = findAccount('postgres') ?? findAccount('nobody');
  if (found) return found;
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root and this host has neither a user postgres nor nobody: ' +
      'start Leadline as a normal user.',
  );
}

function findAccount(name: string): RunUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  // macOS uses -2 for nobody; the system calls expect it unsigned.
  return uid && gid ? { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 } : undefined;
}

/** What `spawn` needs to run a child as that user: a folder that it can enter, and a neutral environment. */
export function spawnSettings(user: RunUser | undefined) {
  return {
    cwd: '/',
    // LC_ALL, PG* and TZ of our caller must not influence the cluster, because we parse its messages.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  };
}

/**
 * Whether that user can enter a folder. It is tried as that user, because permission bits say nothing about ACLs and
 * mounts.
 * @throws EmbeddedPostgresError when we may not become that user
 */
export function canEnter(user: RunUser | undefined, folder: string): boolean {
  const tried = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    ...spawnSettings(user),
    stdio: 'ignore',
  });
  if (tried.error && user) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root and this process may not become user ${user.name} ` +
        `(${tried.error.message}): start Leadline as a normal user.`,
    );
  }
  return tried.status === 0;
}
