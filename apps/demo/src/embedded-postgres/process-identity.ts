import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

const LINUX = process.platform === 'linux';

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * When a process began, as an opaque text that no later process with the same pid has.
 * @returns undefined when no such process runs; a zombie does not run, although `kill(pid, 0)` says so
 */
export function runningSince(pid: number): string | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    if (!LINUX) {
      const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
        encoding: 'utf8',
      }).trim();
      return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in brackets and may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${bootId()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process that {@link runningSince} described still runs. Cheap enough to be called many times a second.
 */
export function isStillAlive(pid: number, since: string): boolean {
  if (LINUX) return runningSince(pid) === since;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether a process is a PostgreSQL that works in this folder, either a backend or the postmaster.
 * @param dataFolder the cluster's folder, its links resolved
 */
export function worksInFolder(pid: number, dataFolder: string): boolean {
  try {
    if (LINUX) return readlinkSync(`/proc/${pid}/cwd`) === dataFolder && isPostgres(pid);
  } catch (error) {
    // Root without CAP_SYS_PTRACE, which is usual in containers, cannot see the folder of another user's process.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return false;
  }
  return commandLine(pid).includes(`-D ${dataFolder} `);
}

/** All running PostgreSQL processes in this folder, as far as we may see them; none where there is no /proc. */
export function processesIn(dataFolder: string): number[] {
  if (!LINUX) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && runningSince(pid) !== undefined && worksInFolder(pid, dataFolder));
}

function isPostgres(pid: number): boolean {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
}

function commandLine(pid: number): string {
  try {
    if (LINUX) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const line = execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return `${line.trim()} `;
  } catch {
    return '';
  }
}
