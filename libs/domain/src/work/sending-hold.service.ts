import { CodedError } from '@app/contracts/coded.errors';
import { SendingHoldRepository, type HoldRow } from '@app/persistence/work/sending-hold.repository';
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
      'Sending is held, because the database was restored from a backup; nothing was stored. Who runs the service ends that with: npm run db:resume-sending. Then repeat the request.',
    );
  }
}

/**
 * Whether what acts on the outside is held, as after a restore. Every process knows it before it takes calls and begins
 * work, and looks again each second. While it cannot be read nothing begins: the database that comes back may be one that
 * was restored meanwhile.
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

  constructor(private readonly holds: SendingHoldRepository) {
    this.sweep = new RepeatedSweep('the hold on sending', WORK_TIMES.sweepMs, () => this.look(), this.logger);
  }

  /** Since when it is held, by what was read last; null: it is not. */
  get since(): Date | null {
    return this.held?.held_since ?? null;
  }

  get isHeld(): boolean {
    return this.held !== null;
  }

  /** Whether it is held, or not known not to be: then no work begins that acts on the outside. */
  get mayBeHeld(): boolean {
    return this.isHeld || !this.isKnown;
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
    const was = this.held;
    try {
      this.held = await this.holds.find();
      this.isKnown = true;
    } catch (error) {
      this.isKnown = false;
      throw error;
    }
    if (this.held && !was)
      this.logger.warn(
        `Sending is held: the database was restored at ${this.held.held_since.toISOString()} from a backup of ${this.held.backup_at.toISOString()}. No message, reply, step of a scenario or webhook goes out until: npm run db:resume-sending`,
      );
    if (!this.held && was) this.logger.log('Sending is held no more.');
  }
}
