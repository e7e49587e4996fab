import type { MessageRole } from '@app/contracts/message.words';
import type { StageKind } from '@app/contracts/stage.kinds';
import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

export interface SpokenMessage {
  role: MessageRole;
  type: string;
  text: string;
}

export interface FunnelStageRow {
  id: string;
  name: string;
  kind: StageKind;
  description: string | null;
  ai_enabled: boolean;
  ai_transition_locked: boolean;
}

/** What has been said, the newest last; what certainly did not reach anybody is left out. $1 account $2 thread $3 how many */
const SPOKEN: PreparedStatement = {
  name: 'agent-spoken',
  text: `
  SELECT role, type, text FROM (
    SELECT role, type, text, created_at, id FROM messages
     WHERE account_id = $1 AND thread_id = $2 AND status NOT IN ('failed', 'dropped', 'queued')
     ORDER BY created_at DESC, id DESC LIMIT $3) newest
   ORDER BY created_at, id`,
};

/** $1 account $2 agent */
const FUNNEL: PreparedStatement = {
  name: 'agent-funnel',
  text: `
  SELECT id, name, kind, description, ai_enabled, ai_transition_locked FROM statuses
   WHERE account_id = $1 AND assistant_id = $2 AND archived_at IS NULL ORDER BY "order", id`,
};

/** Where a lead stands. $1 account $2 thread */
const STAGE_OF: PreparedStatement = {
  name: 'agent-stage-of',
  text: `
  SELECT t.status_id, coalesce(s.ai_transition_locked, false) AS locked
    FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = $1 AND t.id = $2`,
};

/** What an agent is told of a dialog and its funnel. */
@Injectable()
export class ThreadContextRepository {
  constructor(private readonly database: Database) {}

  async spoken(accountId: string, threadId: string, most: number): Promise<SpokenMessage[]> {
    return this.database.run<SpokenMessage>(SPOKEN, [accountId, threadId, most]);
  }

  async funnel(accountId: string, assistantId: string): Promise<FunnelStageRow[]> {
    return this.database.run<FunnelStageRow>(FUNNEL, [accountId, assistantId]);
  }

  async stageOf(
    accountId: string,
    threadId: string,
  ): Promise<{ status_id: string | null; locked: boolean } | null> {
    const [row] = await this.database.run<{ status_id: string | null; locked: boolean }>(STAGE_OF, [
      accountId,
      threadId,
    ]);
    return row ?? null;
  }
}
