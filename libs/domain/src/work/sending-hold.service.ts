import { CodedError } from '@app/contracts/coded.errors';
import { HOLD_REASONS } from '@app/persistence/work/heartbeat.entity';
import {
  SendingHoldRepository,
  type BeatRow,
  type HoldRow,
} from '@app/persistence/work/sending-hold.repository';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { waitForDatabase } from './database-retry';
import { RepeatedSweep } from './repeated-sweep';
import { WORK_TIMES } from './work-times';

/** What was asked for would act on the outside, which is held. Nothing was stored. */
class SendingHeldError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 60;

  constructor() {
    super(
      'Sending is held, because the database was restored from a backup or went back; nothing was stored. Who runs the service ends that with: npm run db:resume-sending. Then repeat the request.',
    );
  }
}

export { HOLD_REASONS };
export type HoldReason = (typeof HOLD_REASONS)[number];

const isReason = (reason: string | null): reason is HoldReason =>
  HOLD_REASONS.some((known) => known === reason);

const WENT_BACK: HoldReason = 'database_went_back';

const HOW_TO_END =
  'No message, reply, step of a scenario or webhook goes out until: npm run db:resume-sending';

function lineOf({ held_since: since, backup_at: dataOf, reason }: HoldRow): string {
  const [at, of] = [since.toISOString(), dataOf.toISOString()];
  if (reason === WENT_BACK)
    return `Sending is held: at ${at} the database was found to have gone back to what it was shortly after ${of}. ${HOW_TO_END}`;
  return `Sending is held: the database was restored at ${at} from a backup of ${of}. ${HOW_TO_END}`;
}

/** What every process needs at most to find out whether another server has all that it acknowledged to it. */
const OTHERS_PROVE_MS = 2 * WORK_TIMES.sweepMs;

/**
 * Whether what acts on the outside is held: after a restore, or since the database went back. Every process knows it
 * before it takes calls and begins work, and looks again each second, by a statement that proves that the database can be
 * written and has what this process knows ({@link Heartbeat}). While that fails nothing begins: the database that comes
 * back may be one that was restored meanwhile. Nothing begins either for two seconds after a change of the server, in
 * which the other processes find out what they know.
 */
@Injectable()
export class SendingHold
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly logger = new Logger(SendingHold.name);
  private readonly sweep: RepeatedSweep;
  private held: HoldRow | null = null;
  /** Whether the last look succeeded. */
  private isKnown = false;
  /** The last look, and when it began. */
  private last: { at: number; look: Promise<void> } | null = null;
  /** How often this process noticed that the database went back. */
  wentBack = 0;
  /** When the newest hold that was seen began; undefined: before the first look, which finds what was there before. */
  private knownHold: number | null | undefined;

  constructor(private readonly holds: SendingHoldRepository) {
    this.sweep = new RepeatedSweep('the hold on sending', WORK_TIMES.sweepMs, () => this.look(), this.logger);
    holds.watch((beat) => this.take(beat));
  }

  /** Since when it is held, by what was read last; null: it is not. */
  get since(): Date | null {
    return this.held?.held_since ?? null;
  }

  /** Why it is held; null: it is not. */
  get reason(): HoldReason | null {
    const reason = this.held?.reason ?? null;
    return isReason(reason) ? reason : null;
  }

  get isHeld(): boolean {
    return this.held !== null;
  }

  /** Whether it is held, or not known not to be: then no work begins that acts on the outside. */
  get mayBeHeld(): boolean {
    return this.isHeld || !this.isKnown || performance.now() - this.holds.provenAt < OTHERS_PROVE_MS;
  }

  /**
   * That the database can be written, as a look of the last second found.
   * @throws DatabaseUnavailableError where it cannot
   */
  async requireWritable(): Promise<void> {
    const isRecent = this.last !== null && performance.now() - this.last.at < WORK_TIMES.sweepMs;
    await (isRecent ? this.last?.look : this.look());
  }

  /**
   * For a call that would send.
   * @throws SendingHeldError while it is held, DatabaseUnavailableError where that cannot be read
   */
  async refuse(): Promise<void> {
    if (!this.isKnown) await this.look();
    if (this.isHeld) throw new SendingHeldError();
  }

  /** Before any worker begins. */
  async onModuleInit(): Promise<void> {
    await waitForDatabase(() => this.look());
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  onModuleDestroy(): void {
    this.sweep.end();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweep.over();
  }

  private async look(): Promise<void> {
    const look = this.holds.beat();
    this.last = { at: performance.now(), look };
    try {
      await look;
      this.isKnown = true;
    } catch (error) {
      this.isKnown = false;
      throw error;
    }
  }

  private take({ went_back, held_since, backup_at, reason }: BeatRow): void {
    const was = this.held;
    this.held = held_since && backup_at && reason !== null ? { held_since, backup_at, reason } : null;
    // Another process has just put the hold, and this statement does not see it yet; the next one does.
    if (went_back) this.held ??= { held_since: new Date(), backup_at: new Date(), reason: WENT_BACK };
    const since = held_since?.getTime() ?? null;
    const isNewHold = since !== null && since !== this.knownHold;
    if (went_back || (isNewHold && reason === WENT_BACK && this.knownHold !== undefined)) this.wentBack += 1;
    this.knownHold = since ?? this.knownHold ?? null;
    if (this.held && !was) this.logger.warn(lineOf(this.held));
    if (!this.held && was) this.logger.log('Sending is held no more.');
  }
}
