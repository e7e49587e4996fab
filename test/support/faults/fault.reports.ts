import type { ServerProcess } from '../programs/server.process';

/** What a fault in a process reported: the word, its subject, the time by this process's clock, and the result. */
export interface FaultReport {
  word: string;
  about: string;
  at: number;
  yes: boolean;
}

/** This process's clock behind the machine's. */
const CLOCK_BEHIND_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** What the faults in a process have reported, the oldest first. */
export const faultReports = (server: ServerProcess): FaultReport[] =>
  [...server.output().matchAll(/^fault (\S+) (\S+) (\S+) ([01])$/gm)].map(
    ([, word = '', about = '', at, yes]) => ({
      word,
      about,
      at: Number(at) - CLOCK_BEHIND_MS,
      yes: yes === '1',
    }),
  );

/** Permits to write by whether they were looked at before a moment, and used after it. */
export function heldAcross(reports: readonly FaultReport[], moment: number): number {
  const looked = new Set(
    reports.filter(({ word, yes, at }) => word === 'look' && yes && at < moment).map(({ about }) => about),
  );
  return reports.filter(({ word, about, at }) => word === 'used' && at > moment && looked.has(about)).length;
}

/** Permits that were looked at after a moment, and were void. */
export const voidAfter = (reports: readonly FaultReport[], moment: number): number =>
  reports.filter(({ word, yes, at }) => word === 'look' && !yes && at > moment).length;
