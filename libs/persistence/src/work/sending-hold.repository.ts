import { Injectable } from '@nestjs/common';
import { ReservedDatabase } from '../database/database.service';
import { statement } from '../database/sql.statements';
import type { SendingHoldEntity } from './sending-hold.entity';

export type HoldRow = Pick<SendingHoldEntity, 'held_since' | 'backup_at'>;

const FIND = statement('sending-hold-find').returns<HoldRow>(
  'SELECT held_since, backup_at FROM sending_holds',
);

@Injectable()
export class SendingHoldRepository {
  constructor(private readonly database: ReservedDatabase) {}

  /**
   * @returns null when nothing is held.
   * @throws DatabaseUnavailableError
   */
  async find(): Promise<HoldRow | null> {
    const [row] = await this.database.run(FIND);
    return row ?? null;
  }
}
