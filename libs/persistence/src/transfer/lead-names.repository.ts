import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service';
import { FUNNEL, PEOPLE, type NamedInRows } from './import.statements';

/** What files of leads name: the stages of an agent, and the people of its account. */
@Injectable()
export class LeadNamesRepository {
  constructor(private readonly database: Database) {}

  async of(accountId: string, assistantId: string): Promise<NamedInRows> {
    const values = { accountId, assistantId };
    return {
      funnel: await this.database.runFor(accountId, FUNNEL, values),
      people: await this.database.runFor(accountId, PEOPLE, values),
    };
  }
}
