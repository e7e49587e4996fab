import { StageEntity, AssistantEntity } from '../../assistants/assistant.entity';
import type { CamelCased } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import { handsTo, MOVE_ENTRIES, standsAt, takeoverByRule } from '../../leads/move.rules';
import { wakeRuns } from '../../threads/run.statements';
import { appendEvents } from '../../threads/thread-log.statements';
import { Injectable } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { tellBoards } from '../../assistants/stage.repository';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Database, WorkDatabase } from '../../database/database.service';
import { Entities } from '../../database/entities.service';
import { ThreadEntity } from '../../threads/thread.entity';
import { ScenarioEntity } from '../definition/scenario.entity';

/** A stage of an account. */
export type StageKey = CamelCased<Pick<StageEntity, 'account_id' | 'id'>>;

/** Archived stages in which leads may still come to stand, of all accounts. */
const EMPTYING = statement('archived-stages-due').returns<StageKey>(`
  SELECT account_id AS "accountId", id FROM statuses WHERE emptying_until IS NOT NULL ORDER BY account_id, id LIMIT 1000`);

/**
 * Moves some of the leads that stand in an archived stage, as the call that archived it wanted: with its actor, and by
 * the rule of the stage that they enter. No scenario starts. Runs of the left stage hear of it.
 *
 * It skips threads that are locked, so it waits for no other statement that holds threads, and any number of
 * processes may do it at once. The locking SELECT has one table.
 */
export const MOVE_OUT = statement('archived-stage-move-out').takes('accountId', 'stageId', 'limit').returns<{
  moved: number;
  /** Of the moved ones, how many have runs. */
  with_runs: number;
}>(`
  WITH stage AS MATERIALIZED (
    SELECT s.id, s.assistant_id, s.archived_by, n.id AS next_id, n.ai_enabled, n.on_enter
      FROM statuses s LEFT JOIN statuses n ON n.account_id = s.account_id AND n.id = s.moved_to
     WHERE s.account_id = :accountId AND s.id = :stageId AND s.archived_at IS NOT NULL),
  cur AS MATERIALIZED (
    SELECT id, assistant_id, status_id, ai_enabled, opted_out, takeover_until, has_runs FROM threads
     WHERE account_id = :accountId AND assistant_id = (SELECT assistant_id FROM stage) AND status_id = (SELECT id FROM stage)
     LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED),
  decided AS MATERIALIZED (
    SELECT cur.*, clock_timestamp() AS at, s.next_id, s.on_enter, s.ai_enabled AS stage_ai_enabled, s.archived_by
      FROM cur CROSS JOIN stage s),
  ruled AS MATERIALIZED (SELECT d.*, ${handsTo('d', 'd.on_enter')} AS hands_to FROM decided d),
  moved AS (
    UPDATE threads t
       SET ${standsAt('d.next_id', 'd.at', `'SYSTEM'`)},
           version = t.version + 1 + (d.hands_to IS NOT NULL)::int, last_activity_at = d.at,
           takeover_until = ${takeoverByRule('t', 'd', 'd.on_enter')},
           ai_epoch = t.ai_epoch + CASE WHEN d.hands_to = 'OPERATOR' OR d.stage_ai_enabled IS FALSE THEN 1 ELSE 0 END
      FROM ruled d WHERE t.account_id = :accountId AND t.id = d.id
    RETURNING t.account_id, t.id, t.assistant_id, d.status_id AS from_status, t.status_id AS to_status,
              t.version - (d.hands_to IS NOT NULL)::int AS version, d.at, d.hands_to, d.has_runs,
              d.archived_by -> 'actor' AS actor, d.archived_by -> 'request_id' AS request_id),
  queued AS (${wakeRuns('moved')}),
  event AS (${appendEvents(
    'moved',
    { by: `'SYSTEM'`, actor: 't.actor', request: 't.request_id' },
    MOVE_ENTRIES,
  )})
  SELECT count(*)::int AS moved, count(*) FILTER (WHERE has_runs)::int AS with_runs FROM moved`);

const ANY_LEFT = statement('archived-stage-any-left').takes('accountId', 'assistantId', 'stageId').returns<{
  any: boolean;
}>(`
  SELECT EXISTS (SELECT 1 FROM threads WHERE account_id = :accountId AND assistant_id = :assistantId
                    AND status_id = :stageId) AS any`);

/** Nobody can come to stand in the archived stage any more, and nobody does. */
const SETTLE = statement('archived-stage-settle').takes('accountId', 'stageId').returns<{
  settled: number;
}>(`
  UPDATE statuses s SET emptying_until = NULL
   WHERE s.account_id = :accountId AND s.id = :stageId AND s.emptying_until < statement_timestamp() AND NOT EXISTS (
     SELECT 1 FROM threads t WHERE t.account_id = s.account_id AND t.assistant_id = s.assistant_id AND t.status_id = s.id)
  RETURNING 1 AS settled`);

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
