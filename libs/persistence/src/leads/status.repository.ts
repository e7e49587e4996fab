import type { FunnelStage } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

const FUNNEL: PreparedStatement = {
  name: 'status-funnel',
  text: `
  SELECT id, name, kind, "order", description, ai_enabled, ai_transition_locked FROM statuses
   WHERE account_id = $1 AND assistant_id = $2 AND archived_at IS NULL ORDER BY "order", id`,
};

@Injectable()
export class StatusRepository {
  constructor(private readonly database: Database) {}

  /** The stages of an agent's funnel, in order. */
  async listFunnel(accountId: string, assistantId: string): Promise<FunnelStage[]> {
    return this.database.runFor<FunnelStage>(accountId, FUNNEL, [accountId, assistantId]);
  }
}
