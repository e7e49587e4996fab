import type { FunnelStage } from '@app/contracts/lead.words';
import { Injectable } from '@nestjs/common';
import type { StageEntity } from '../assistants/assistant.entity';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';

type FunnelStageRow = Pick<
  StageEntity,
  'id' | 'name' | 'kind' | 'order' | 'description' | 'ai_enabled' | 'ai_transition_locked'
>;

const FUNNEL = statement('status-funnel').takes('accountId', 'assistantId').returns<FunnelStageRow>(`
  SELECT id, name, kind, "order", description, ai_enabled, ai_transition_locked FROM statuses
   WHERE account_id = :accountId AND assistant_id = :assistantId AND archived_at IS NULL ORDER BY "order", id`);

@Injectable()
export class StatusRepository {
  constructor(private readonly database: Database) {}

  /** The stages of an agent's funnel, in order. */
  async listFunnel(accountId: string, assistantId: string): Promise<FunnelStage[]> {
    return this.database.runFor(accountId, FUNNEL, { accountId, assistantId });
  }
}
