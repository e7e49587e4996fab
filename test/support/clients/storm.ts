import type { ApiClient, Answer } from './api.client';

export interface Storm {
  /** Answers so far, by HTTP status; 0 counts requests that got none. */
  readonly answers: Map<number, number>;
  /** Moves that were answered as done; what changed nothing does not count. */
  readonly acknowledged: number;
  /** Sends nothing more and waits for what is under way. */
  stop: () => Promise<void>;
}

/** Ends what a failed test left behind: a storm that rages on keeps the whole run from ending. */
const raging = new Set<Storm>();
afterEach(() => Promise.all([...raging].map((storm) => storm.stop())));

/** Moves leads about at random, through all the doors given, without waiting for one another. */
export function startStorm(
  doors: readonly ApiClient[],
  threads: readonly string[],
  stages: readonly (string | null)[],
  { workers = 8, onAnswer = (_: Answer): void => undefined } = {},
): Storm {
  const answers = new Map<number, number>();
  let running = true;
  let acknowledged = 0;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;
  const work = async (index: number): Promise<void> => {
    const door = doors[index % doors.length]!;
    while (running) {
      const answer = await door
        .setStatus({ thread_id: pick(threads), status_id: pick(stages) })
        .catch(() => null);
      const status = answer?.status ?? 0;
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (answer?.status === 200 && answer.body.data.changed === true) acknowledged++;
      if (answer) onAnswer(answer);
      // What fails at once would otherwise be tried thousands of times a second.
      if (status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = Promise.all(Array.from({ length: workers }, (_, index) => work(index)));
  const storm: Storm = {
    answers,
    get acknowledged() {
      return acknowledged;
    },
    stop: async () => {
      running = false;
      await all;
      raging.delete(storm);
    },
  };
  raging.add(storm);
  return storm;
}
