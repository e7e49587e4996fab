import { SingleBar } from 'cli-progress';
import type { Output } from './terminal-output';

/** How far something is that takes its time. */
export interface Progress {
  /** @param done of `total`; both may grow */
  update(done: number, total: number, words?: string): void;
  stop(): void;
}

const NONE: Progress = { update: () => undefined, stop: () => undefined };

/** A bar where somebody watches; elsewhere nothing at all. */
export function progressOf(output: Output, what: string): Progress {
  if (!output.isWatched) return NONE;
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage} %  {value} of {total}  {words}`,
    barCompleteChar: '#',
    barIncompleteChar: '.',
    barsize: 30,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: false,
  });
  let started = false;
  return {
    update: (done, total, words = '') => {
      if (!started) bar.start(Math.max(total, 1), done, { words });
      started = true;
      bar.setTotal(Math.max(total, 1));
      bar.update(done, { words });
    },
    stop: () => {
      if (started) bar.stop();
    },
  };
}
