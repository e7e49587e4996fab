import { Injectable } from '@nestjs/common';
import { Database } from './database.service';

@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** @throws DatabaseUnavailableError when the database does not answer. */
  async ping(): Promise<void> {
    await this.database.run({ name: 'health-ping', text: 'SELECT 1 AS one' });
  }
}
