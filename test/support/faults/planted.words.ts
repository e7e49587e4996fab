import type { ServerProcess } from '../programs/server.process';

/** What a plant in a process reported: the word, its subject, the time by this process's clock, and the result. */
export interface PlantedWord {
  word: string;
  about: string;
  at: number;
  yes: boolean;
}

/** This process's clock behind the machine's. */
const CLOCK_BEHIND_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** What the plant in a process has reported, the oldest first. */
export const plantedWords = (server: ServerProcess): PlantedWord[] =>
  [...server.output().matchAll(/^planted (\S+) (\S+) (\S+) ([01])$/gm)].map(
    ([, word = '', about = '', at, yes]) => ({
      word,
      about,
      at: Number(at) - CLOCK_BEHIND_MS,
      yes: yes === '1',
    }),
  );

/** Permissions to write by whether they were looked at before a moment, and used after it. */
export function heldAcross(words: readonly PlantedWord[], moment: number): number {
  const looked = new Set(
    words.filter(({ word, yes, at }) => word === 'look' && yes && at < moment).map(({ about }) => about),
  );
  return words.filter(({ word, about, at }) => word === 'used' && at > moment && looked.has(about)).length;
}

/** Permissions that were looked at after a moment, and were void. */
export const voidAfter = (words: readonly PlantedWord[], moment: number): number =>
  words.filter(({ word, yes, at }) => word === 'look' && !yes && at > moment).length;
