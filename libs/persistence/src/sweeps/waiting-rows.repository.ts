import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../database/call-batcher';
import { isOfStatement } from '../database/database.errors';
import { WorkDatabase } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { takeoverIsOver } from '../threads/thread.rules';

/**
 * Rows that sweeps act on, each found by the first entry of an index: at least those that are due. Rows of the future may be
 * among them, which a sweep leaves alone. `now()` is the statement's time and, unlike the clock, lets the index end the search.
 */
const KINDS = {
  takeovers: `threads t WHERE ${takeoverIsOver('t', 'now()')}`,
  replies: `replies WHERE state = 'due'`,
  queued: `messages WHERE status = 'queued'`,
  claimed: `messages WHERE status = 'sending' AND claim_until < now()`,
  batches: 'batches WHERE finished_at IS NULL',
  troubles: 'bot_channels WHERE trouble_code IS NOT NULL',
  parked: 'parked_states WHERE next_check_at <= now()',
  media: `media WHERE state = 'loading'`,
  transcripts: `media WHERE transcript_state = 'pending' AND state = 'stored'`,
  runs: 'scenario_queues',
  accountWakes: 'accounts WHERE wake_at <= now()',
  scenarioWakes: 'scenarios WHERE wake_at <= now()',
  endpoints: 'webhook_endpoints',
  stages: 'statuses WHERE emptying_until IS NOT NULL',
  search: 'search_queue',
  imports: `imports WHERE state = 'running'`,
};

export type WaitingKind = keyof typeof KINDS;

const SHOWN = Object.entries(KINDS).map(
  ([kind, rows]) => `'${kind}' = ANY (:kinds::text[]) AND EXISTS (SELECT FROM ${rows}) AS "${kind}"`,
);
const LOOK = statement('waiting-rows-look')
  .takes('kinds')
  .returns<Record<WaitingKind, boolean>>(`SELECT ${SHOWN.join(', ')}`);

/** Sweeps fire within some milliseconds of each other. */
const TOGETHER_MS = 20;
/** A look that takes longer, for one table is locked for example, is waited for no longer. */
const LOOK_MS = 250;

type Found = Partial<Record<WaitingKind, boolean>>;

/** Whether there is anything to sweep for: one statement for all sweeps, where each had one and most found nothing. */
@Injectable()
export class WaitingRowsRepository {
  private readonly looks = new CallBatcher<readonly WaitingKind[], boolean>({
    act: async (asked) => {
      const found = await this.look([...new Set(asked.flat())]);
      return asked.map((kinds) => !found || kinds.some((kind) => found[kind]));
    },
    spacingMs: TOGETHER_MS,
  });
  /** The one look that is under way: others would take the connections of what is done with the rows. */
  private running: Promise<Found | undefined> | null = null;

  constructor(private readonly work: WorkDatabase) {}

  /**
   * Whether there are rows of any of these kinds, or may be: where the look takes too long or is refused, sweeps do without.
   * @throws DatabaseUnavailableError when the database cannot be reached
   */
  any(kinds: readonly WaitingKind[]): Promise<boolean> {
    return this.looks.call(kinds);
  }

  private async look(kinds: readonly WaitingKind[]): Promise<Found | undefined> {
    if (this.running) return undefined;
    const running = this.find(kinds).finally(() => (this.running = null));
    // Whoever waits for it hears of its failure; nobody may wait any more.
    running.catch(() => undefined);
    this.running = running;
    return Promise.race([running, sleep(LOOK_MS, undefined, { ref: false })]);
  }

  private async find(kinds: readonly WaitingKind[]): Promise<Found | undefined> {
    try {
      return (await this.work.run(LOOK, { kinds }))[0];
    } catch (error) {
      if (isOfStatement(error)) return undefined;
      throw error;
    }
  }
}
