import { idOf } from './bench.ids';

/** How many agents there are. Each has one bot and as many stages. */
export const AGENTS = 50;

const ids = (word: string): string[] => Array.from({ length: AGENTS }, (_, n) => idOf(word, n));

/** The one account of the dialogs of the lists. Half of its dialogs are the first agent's. */
export const LISTS_ACCOUNT = {
  id: idOf('lists account'),
  agents: ids('lists agent'),
  bots: ids('lists bot'),
  /** A key that sees all of it. */
  key: 'll_bench_lists',
};

/** Stages of an agent, in order. */
export const stagesOf = (agent: number): string[] => ids(`lists stage ${agent}`);
