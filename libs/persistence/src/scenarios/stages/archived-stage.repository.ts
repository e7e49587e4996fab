import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { AssistantEntity } from '../../assistants/assistant.entity';
import { StageEntity } from '../../assistants/stage.entity';
import { tellBoards } from '../../assistants/stage.repository';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Database, WorkDatabase } from '../../database/database.service';
import { Entities } from '../../database/entities.service';
import { ThreadEntity } from '../../threads/thread.entity';
import { ANY_LEFT, EMPTYING, MOVE_OUT, SETTLE, type StageKey } from './archived-stage.statements';
import { ScenarioEntity } from '../definition/scenario.entity';

export type { StageKey };

/** 300 moves take PostgreSQL some 40 ms: so long a lead may be locked. */
const MOVED_AT_ONCE = 300;

/** Statements run for 5 s at most, and so may a transaction be idle. Those that read the stage before are over by then. */
const LATE_MOVES_SECONDS = 60;

/**
 * How a stage is archived.
 * @property moveTo a stage, null for none, or undefined: no lead may stand there
 */
export interface StageArchiving {
  moveTo: string | null | undefined;
  by: NonNullable<StageEntity['archived_by']>;
}

/** What became of it: how many scenarios were archived with the stage, or why nothing was changed. */
export type ArchivedStage = { scenarios: number } | 'no_stage' | 'no_target' | 'in_use';

/** The retirement of stages. The first step closes the stage for everybody, the second takes its leads out. */
@Injectable()
export class ArchivedStageRepository {
  constructor(
    private readonly entities: Entities,
    private readonly database: Database,
    private readonly work: WorkDatabase,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Archives a stage with its scenarios, and notifies the boards. The agent's row is locked first, so that of two
   * stages of a funnel one is archived after the other: leads never move to a stage that is archived too.
   */
  async archive(
    stage: StageEntityKey,
    { moveTo, by }: StageArchiving,
    entryOf: AuditEntryOf<{ scenarios: number; leads: number }>,
  ): Promise<ArchivedStage> {
    const { account_id, assistant_id, id } = stage;
    return this.entities.transactFor(account_id, async (manager) => {
      await manager.findOne(AssistantEntity, {
        select: { id: true },
        where: { account_id, id: assistant_id },
        lock: { mode: 'for_no_key_update' },
      });
      const open = { account_id, assistant_id, archived_at: IsNull() };
      const found = await manager.findOne(StageEntity, {
        select: { id: true },
        where: { ...open, id },
        lock: { mode: 'for_no_key_update' },
      });
      if (!found) return 'no_stage';
      if (typeof moveTo === 'string') {
        const isTarget = moveTo !== id && (await manager.existsBy(StageEntity, { ...open, id: moveTo }));
        if (!isTarget) return 'no_target';
      } else if (
        moveTo === undefined &&
        (await manager.existsBy(ThreadEntity, { account_id, assistant_id, status_id: id }))
      ) {
        return 'in_use';
      }
      const scenarios = await this.close(manager, stage, moveTo ?? null, by);
      const leads = await manager.countBy(ThreadEntity, { account_id, assistant_id, status_id: id });
      await this.audit.append(manager, entryOf({ scenarios, leads }));
      await tellBoards(manager, { account_id, assistant_id });
      return { scenarios };
    });
  }

  /** Stages in which leads may still come to stand. */
  async emptying(): Promise<StageKey[]> {
    return this.work.run(EMPTYING);
  }

  /**
   * Moves some leads out of an archived stage. Those that are locked stay for now.
   * @returns how many moved, and how many of these have runs
   */
  async moveOut({ accountId, id }: StageKey): Promise<{ moved: number; withRuns: number }> {
    const values = { accountId, stageId: id, limit: MOVED_AT_ONCE };
    const [row] = await this.database.runFor(ownerOf(accountId), MOVE_OUT, values);
    return { moved: row?.moved ?? 0, withRuns: row?.with_runs ?? 0 };
  }

  async anyLeft({ account_id: accountId, assistant_id: assistantId, id }: StageEntityKey): Promise<boolean> {
    const values = { accountId, assistantId, stageId: id };
    const [row] = await this.database.runFor(ownerOf(accountId), ANY_LEFT, values);
    return row?.any ?? false;
  }

  /** @returns whether nobody can come to stand there any more; then the stage is not looked at again */
  async settle({ accountId, id }: StageKey): Promise<boolean> {
    const rows = await this.database.runFor(ownerOf(accountId), SETTLE, { accountId, stageId: id });
    return rows.length > 0;
  }

  /** @returns how many scenarios were archived */
  private async close(
    manager: EntityManager,
    { account_id, id }: StageEntityKey,
    moved_to: string | null,
    archived_by: StageArchiving['by'],
  ): Promise<number> {
    const now = (): string => 'statement_timestamp()';
    await manager.update(
      StageEntity,
      { account_id, id },
      {
        ...{ archived_at: now, moved_to, archived_by, starts_runs: false },
        emptying_until: () => `statement_timestamp() + interval '${LATE_MOVES_SECONDS} seconds'`,
      },
    );
    // Leads of a stage that was archived before, and was to be emptied into this one, go on.
    await manager.update(StageEntity, { account_id, moved_to: id }, { moved_to });
    const { affected } = await manager.update(
      ScenarioEntity,
      { account_id, status_id: id, archived_at: IsNull() },
      // Their runs are looked at, so that they end.
      { archived_at: now, updated_at: now, wake_at: now, stopped_by: archived_by },
    );
    return affected ?? 0;
  }
}

/** A stage with its funnel. */
export type StageEntityKey = Pick<StageEntity, 'account_id' | 'assistant_id' | 'id'>;

/** Beside the slots of its account's calls, which a large stage does not take from them. */
const ownerOf = (accountId: string): string => `archived stages of ${accountId}`;
