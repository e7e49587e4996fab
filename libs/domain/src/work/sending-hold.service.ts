import { SendingHoldRepository, type HoldRow } from '@app/persistence/work/sending-hold.repository';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { RepeatedSweep } from './repeated.sweep';
import { SendingHeldError } from './sending-hold.error';
import { WORK_TIMES } from './work.times';

/**
 * Whether what acts on the outside is held, as after a restore. Every process knows it before it takes calls and begins
 * work, and looks again each second. While the database cannot be read, what was read last counts.
 */
@Injectable()
export class SendingHold
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly logger = new Logger(SendingHold.name);
  private readonly sweep: RepeatedSweep;
  private held: HoldRow | null = null;

  constructor(private readonly holds: SendingHoldRepository) {
    this.sweep = new RepeatedSweep('the hold on sending', WORK_TIMES.sweepMs, () => this.look(), this.logger);
  }

  /** Since when it is held; null: it is not. */
  get since(): Date | null {
    return this.held?.held_since ?? null;
  }

  get isHeld(): boolean {
    return this.held !== null;
  }

  /** @throws SendingHeldError while it is held. */
  refuse(): void {
    if (this.isHeld) throw new SendingHeldError();
  }

  /** Before any worker begins. */
  async onModuleInit(): Promise<void> {
    await this.look();
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
    this.held = await this.holds.find();
    if (this.held && !was)
      this.logger.warn(
        `Sending is held: the database was restored at ${this.held.held_since.toISOString()} from a backup of ${this.held.backup_at.toISOString()}. No message, reply, step of a scenario or webhook goes out until: npm run db:resume-sending`,
      );
    if (!this.held && was) this.logger.log('Sending is held no more.');
  }
}
