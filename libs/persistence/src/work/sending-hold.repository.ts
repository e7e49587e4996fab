import { Injectable } from '@nestjs/common';
import { ReservedDatabase } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { Heartbeat, BEAT, type BeatRow } from './heartbeat';
import type { SendingHoldEntity } from './heartbeat.entity';

export type HoldRow = Pick<SendingHoldEntity, 'held_since' | 'backup_at' | 'reason'>;
export type { BeatRow };

const FIND = statement('sending-hold-find').returns<HoldRow>(
  'SELECT held_since, backup_at, reason FROM sending_holds',
);

@Injectable()
export class SendingHoldRepository {
  constructor(
    private readonly database: ReservedDatabase,
    private readonly heartbeat: Heartbeat,
  ) {}

  /**
   * @returns null when nothing is held.
   * @throws DatabaseUnavailableError
   */
  async find(): Promise<HoldRow | null> {
    const [row] = await this.database.run(FIND);
    return row ?? null;
  }

  /** @param onBeat hears of every beat, those of new connections too */
  watch(onBeat: (beat: BeatRow) => void): void {
    this.heartbeat.onBeat = onBeat;
  }

  /**
   * Proves that the database can be written and has all that it acknowledged, and reads the hold.
   * @throws DatabaseUnavailableError where it cannot be written
   */
  async beat(): Promise<void> {
    await this.heartbeat.beat((values) => this.database.run(BEAT, { ...values }));
  }

  /** When another server was last found to have all that the one before acknowledged, by `performance.now()`. */
  get provenAt(): number {
    return this.heartbeat.provenAt;
  }
}
