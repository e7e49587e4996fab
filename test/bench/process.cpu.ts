import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's own tick is. */
const MICROSECONDS_PER_TICK = 10_000;

interface ProcessTimes {
  parent: number;
  /** Ticks of the process itself. */
  own: number;
  /** Ticks of its children that ended and were waited for. */
  ended: number;
}

function timesOf(pid: number | string): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in brackets and may contain anything. Numbers follow.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const number = (index: number): number => Number(fields[index]);
    return { parent: number(1), own: number(11) + number(12), ended: number(13) + number(14) };
  } catch {
    return null;
  }
}

/** The postmaster of one of its backends. */
export const postmasterOf = (backend: number): number => timesOf(backend)?.parent ?? 0;

/** Microseconds of processor time that a process has used so far. */
export const cpuOf = (pid: number): number => (timesOf(pid)?.own ?? 0) * MICROSECONDS_PER_TICK;

/** The same of a whole PostgreSQL: the postmaster, its living children and those that ended. */
export function cpuOfPostgres(postmaster: number): number {
  const self = timesOf(postmaster);
  let ticks = (self?.own ?? 0) + (self?.ended ?? 0);
  for (const pid of readdirSync('/proc')) {
    const times = /^\d+$/.test(pid) ? timesOf(pid) : null;
    if (times?.parent === postmaster) ticks += times.own;
  }
  return ticks * MICROSECONDS_PER_TICK;
}
