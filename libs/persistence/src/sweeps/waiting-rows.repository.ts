import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../database/call-batcher';
import { isOfStatement } from '../database/database.errors';
import { WorkDatabase } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { takeoverIsOver } from '../threads/thread.rules';

/**
 * Rows that sweeps act on, each found by the first entry of an index: at least those that are due. Rows of the future may be
 * among them, which a sweep leaves alone.
 */
const KINDS = {
  takeovers: `threads t WHERE ${takeoverIsOver('t', 'clock_timestamp()')}`,
  replies: `replies WHERE state = 'due'`,
  queued: `messages WHERE status = 'queued'`,
  claimed: `messages WHERE status = 'sending' AND claim_until < clock_timestamp()`,
  batches: 'batches WHERE finished_at IS NULL',
  troubles: 'bot_channels WHERE trouble_code IS NOT NULL',
  parked: 'parked_states WHERE next_check_at <= now()',
  media: `media WHERE state = 'loading'`,
  transcripts: `media WHERE transcript_state = 'pending' AND state = 'stored'`,
  runs: 'scenario_queues',
  accountWakes: 'accounts WHERE wake_at <= clock_timestamp()',
  scenarioWakes: 'scenarios WHERE wake_at <= clock_timestamp()',
  endpoints: 'webhook_endpoints',
  stages: 'statuses WHERE emptying_until IS NOT NULL',
  search: 'search_queue',
  imports: `imports WHERE state = 'running'`,
};

export type WaitingKind = keyof typeof KINDS;

const kinds = Object.entries(KINDS).map(([kind, rows]) => `EXISTS (SELECT FROM ${rows}) AS "${kind}"`);
const LOOK = statement('waiting-rows-look').returns<Record<WaitingKind, boolean>>(
  `SELECT ${kinds.join(', ')}`,
);

/** Sweeps fire within some milliseconds of each other. */
const TOGETHER_MS = 20;

/** Whether there is anything to sweep for: one statement for all sweeps, where each had one and most found nothing. */
@Injectable()
export class WaitingRowsRepository {
  private readonly looks = new CallBatcher<readonly WaitingKind[], boolean>({
    act: async (asked) => {
      const found = await this.look();
      return asked.map((kinds) => !found || kinds.some((kind) => found[kind]));
    },
    spacingMs: TOGETHER_MS,
  });

  constructor(private readonly work: WorkDatabase) {}

  /**
   * Whether there are rows of any of these kinds, or may be: where the look takes too long, for one kind for example, the
   * others need not wait for it.
   * @throws DatabaseUnavailableError when the database cannot be reached
   */
  any(kinds: readonly WaitingKind[]): Promise<boolean> {
    return this.looks.call(kinds);
  }

  private async look(): Promise<Record<WaitingKind, boolean> | undefined> {
    try {
      return (await this.work.run(LOOK))[0];
    } catch (error) {
      if (isOfStatement(error)) return undefined;
      throw error;
    }
  }
}
