/** Kinds of background work. */
export const JOB_KINDS = ['reply', 'send-lane', 'take-webhook'] as const;

export type JobKind = (typeof JOB_KINDS)[number];

/** What a job carries: ids, never data; what is to be done stands in our own rows. */
export type JobIds = Readonly<Record<string, string>>;

/**
 * The bell of background work. A job tells a worker of any process to look at our rows; who may act is decided there,
 * by a lease or a claim with a token. So a job may come twice, or for nothing, and a lost one is rung again by a
 * sweep of its feature each second.
 */
export abstract class JobQueue {
  /**
   * Rings after a commit, best effort and not waited for: never throws.
   * @param key jobs of one kind and key that nobody has taken up yet are one.
   */
  abstract ring(kind: JobKind, key: string, ids: JobIds): void;

  /** Takes up jobs of a kind in this process from now on; a job is over when the handler's promise is. */
  abstract work(kind: JobKind, concurrency: number, handle: (ids: JobIds) => Promise<void>): Promise<void>;
}
