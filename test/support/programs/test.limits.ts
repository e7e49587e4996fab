/** Numbers, or lists of numbers, by the names that `processLimits` has them by. */
type Limits = Record<string, number | readonly number[]>;

/** Settings of a server that has other limits than the product's own. A scene's and those of one server add up. */
export const limits = (given: Limits): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, limit]) => [name, JSON.stringify(limit)]));

/**
 * What a killed process had claimed is free after a second or two and soon found. A lease is still renewed each third of
 * it, so one is lost only where a process stands still for a second, as on no machine that is merely busy.
 */
export const SHORT_TIMES = limits({
  'work.leaseMs': 1_500,
  'work.webhookLeaseMs': 2_000,
  'work.sweepMs': 400,
  'work.claimGraceMs': 2_000,
});

/** The product's own again, of a server whose scene or all of whose kind have others. */
const productsOwn = (others: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(others).map((name) => [name, '']));

export const OWN_TIMES = productsOwn(SHORT_TIMES);

/**
 * A busy machine of tests is no database that is away: a call waits longer for a connection and an answer than production
 * lets it, so that none is told to come again in a moment.
 */
export const DATABASE_TIMES = limits({
  'database.connectMs': 20_000,
  'database.statementMs': 15_000,
  'database.answerMs': 20_000,
});

export const OWN_DATABASE_TIMES = productsOwn(DATABASE_TIMES);

/** Statements wait for a lock for as long as a test holds it: an answer that comes meanwhile has not waited for it. */
export const LONG_WAITS = limits({
  'database.statementMs': 120_000,
  'database.lockMs': 120_000,
  'database.answerMs': 120_000,
});

/** What has expired is deleted twice a second, not once in five minutes. */
export const FREQUENT_RETENTION = limits({ 'work.retentionMs': 250 });

/** A password's hash takes next to nothing. */
export const CHEAP_HASHES = limits({ 'passwords.memoryKib': 8, 'passwords.passes': 1 });

/** Events that failed are sent again after a fraction of the usual times. An answer is awaited for five seconds. */
export const ENDPOINT_TIMES = limits({
  'webhookRetries.retriesMs': [100, 200, 400, 800, 1_600, 1_600, 1_600, 1_600, 1_600],
  'webhookRetries.probeMs': 50,
  'webhookRetries.probeLongestMs': 400,
  'webhookSending.answerWithinMs': 5_000,
});

/** Who reads a file or an export has six seconds, and must take 16 MiB in each further one. */
export const QUICK_READERS = limits({
  'readers.silenceMs': 6_000,
  'readers.bytesPerSecondMin': 16 * 1024 * 1024,
});

/** The variables of a process, with its limits as the one setting that they are. */
export function withLimits(environment: Record<string, string>): Record<string, string> {
  const isLimit = ([name]: [string, string]): boolean => name.includes('.');
  const all = Object.entries(environment);
  const given = all.filter((each) => isLimit(each) && each[1] !== '');
  const json = given.map(([name, limit]) => `${JSON.stringify(name)}:${limit}`).join();
  return {
    ...Object.fromEntries(all.filter((each) => !isLimit(each))),
    ...(given.length > 0 && { PROCESS_LIMITS: `{${json}}` }),
  };
}
