import { Injectable } from '@nestjs/common';
import type { AccountEntity } from '../accounts/account.entity';
import type { StageEntity } from '../assistants/assistant.entity';
import { Database } from '../database/database.service';
import { statement } from '../database/sql.statements';
import { SAID_COLUMNS, type SaidRow } from '../messages/dialog/message-columns';
import { isSaid } from '../threads/message-kinds';
import type { ThreadEntity } from '../threads/thread.entity';

export type FunnelStageRow = Pick<
  StageEntity,
  'id' | 'name' | 'kind' | 'description' | 'ai_enabled' | 'ai_transition_locked' | 'starts_runs'
>;

/** The stage of a lead, and whether the agent may not move it from there. */
export type StandsAt = Pick<ThreadEntity, 'status_id'> & { locked: boolean };

/** By which the agents of an account know what time it is, and whether it is open. */
export type AccountClock = Pick<AccountEntity, 'timezone' | 'opening_hours'>;

/** What was said, the newest last, without notes and messages that certainly did not reach the customer. */
const SPOKEN = statement('agent-spoken').takes('accountId', 'threadId', 'most').returns<SaidRow>(`
  SELECT ${SAID_COLUMNS} FROM (
    SELECT * FROM messages
     WHERE account_id = :accountId AND thread_id = :threadId AND status NOT IN ('failed', 'dropped', 'queued') AND ${isSaid('messages')}
     ORDER BY created_at DESC, id DESC LIMIT :most) m
   ORDER BY m.created_at, m.id`);

const FUNNEL = statement('agent-funnel').takes('accountId', 'assistantId').returns<FunnelStageRow>(`
  SELECT id, name, kind, description, ai_enabled, ai_transition_locked, starts_runs FROM statuses
   WHERE account_id = :accountId AND assistant_id = :assistantId AND archived_at IS NULL ORDER BY "order", id`);

const STAGE_OF = statement('agent-stage-of').takes('accountId', 'threadId').returns<StandsAt>(`
  SELECT t.status_id, coalesce(s.ai_transition_locked, false) AS locked
    FROM threads t LEFT JOIN statuses s ON s.account_id = t.account_id AND s.id = t.status_id
   WHERE t.account_id = :accountId AND t.id = :threadId`);

const CLOCK = statement('agent-clock')
  .takes('accountId')
  .returns<AccountClock>('SELECT timezone, opening_hours FROM accounts WHERE id = :accountId');

/** What a model gets about a thread and its funnel. */
@Injectable()
export class ThreadContextRepository {
  constructor(private readonly database: Database) {}

  async spoken(accountId: string, threadId: string, most: number): Promise<SaidRow[]> {
    return this.database.run(SPOKEN, { accountId, threadId, most });
  }

  async funnel(accountId: string, assistantId: string): Promise<FunnelStageRow[]> {
    return this.database.run(FUNNEL, { accountId, assistantId });
  }

  async clock(accountId: string): Promise<AccountClock> {
    const [row] = await this.database.run(CLOCK, { accountId });
    return row ?? { timezone: 'UTC', opening_hours: null };
  }

  async stageOf(accountId: string, threadId: string): Promise<StandsAt | null> {
    const [row] = await this.database.run(STAGE_OF, { accountId, threadId });
    return row ?? null;
  }
}
