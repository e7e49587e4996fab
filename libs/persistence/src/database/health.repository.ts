import { Injectable } from '@nestjs/common';
import { ReservedDatabase } from './database.service';
import { statement } from './sql.statements';

const PING = statement('health-ping').returns('SELECT 1 AS one');

@Injectable()
export class HealthRepository {
  constructor(private readonly database: ReservedDatabase) {}

  /** @throws DatabaseUnavailableError when the database does not answer. */
  async ping(): Promise<void> {
    await this.database.run(PING);
  }
}
