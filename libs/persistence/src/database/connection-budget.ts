import { processLimits } from '@app/config/process-limits';

export const { slotsOfAccounts: SLOTS_OF_ACCOUNTS, slotsToSwitchOff: SLOTS_TO_SWITCH_OFF } = processLimits(
  'statements',
  {
    /** Of accounts' calls, under way at once. Any of them may wait for a locked thread, for two seconds. */
    slotsOfAccounts: 16,
    /** They must not wait for their account's other statements: two for one account, one for the next. */
    slotsToSwitchOff: 3,
  },
);

/**
 * The connections of one process, each pool by what may hold its connections. Workers' statements for a single thread
 * wait for locks on the default pool, each kind a bounded number at once. So all of its connections may wait. What must
 * be quick all the same is on other pools: get-lead, switching off, send permits that switching off waits for, the look
 * at what silences a reply, leases, readiness, the checks of keys, webhooks and boards.
 */
export const CONNECTIONS = {
  /** Three more than accounts can take, for workers. */
  default: SLOTS_OF_ACCOUNTS + 3,
  /** One more than can wait for a lock, for short reads that take none. */
  reserved: SLOTS_TO_SWITCH_OFF + 1,
  admission: 6,
  feed: 1,
  intake: 3,
  work: 3,
  /** For notifications of every kind. */
  listener: 1,
};

/** Most connections that one process opens. */
export const CONNECTIONS_MAX = Object.values(CONNECTIONS).reduce((sum, size) => sum + size, 0);
