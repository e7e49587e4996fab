import type { ScenarioPosition } from '@app/contracts/values/list-position.format';
import { SCENARIO_LIMITS, type StoredStep } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type EntityManager, type Repository } from 'typeorm';
import { tellBoardsOfHeldRuns } from '../../events/event.statements';
import { inAccount, ofAssistants, ownerOf, type Reach } from '../../accounts/reach-scope';
import { StageEntity } from '../../assistants/assistant.entity';
import { AuditRepository, type AuditEntryOf, type Changed } from '../../audit/audit.repository';
import { Entities } from '../../database/entities.service';
import { only } from '../../database/sql.statements';
import { ScenarioRunEntity } from '../runs/scenario-run.entity';
import { ScenarioSecretEntity, ScenarioEntity } from './scenario.entity';
import type { SealedSecret } from './scenario-secret.repository';
import { keepSteps, withSteps, keepStartsRuns, lockScenario, lockStage } from './scenario-rows';

const SHOWN = [
  'id',
  'account_id',
  'assistant_id',
  'status_id',
  'name',
  'state',
  'order',
  'on_leave',
  'on_reply',
  'on_takeover',
  'reentry',
  'cooldown_seconds',
  'send_hours',
  'revision',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ScenarioEntity)[];

/** A scenario with the steps of its present revision. */
export type ScenarioRow = Pick<ScenarioEntity, (typeof SHOWN)[number]> & { steps: readonly StoredStep[] };

/** The settings of a scenario. */
export type ScenarioSettings = Pick<
  ScenarioEntity,
  | 'name'
  | 'state'
  | 'order'
  | 'on_leave'
  | 'on_reply'
  | 'on_takeover'
  | 'reentry'
  | 'cooldown_seconds'
  | 'send_hours'
>;

/**
 * @property order null: after the last one of its stage
 */
export type NewScenario = Omit<ScenarioSettings, 'order'> & { order: number | null };

/** The stage of a scenario, and the stages of its funnel with further ones of the account. */
export interface Funnel {
  stage: StageEntity;
  stages: Pick<StageEntity, 'id' | 'name' | 'assistant_id' | 'archived_at'>[];
}

/** What changes of a scenario. */
export interface ScenarioChange {
  settings: Partial<ScenarioSettings>;
  /** Undefined: they stay as they are. */
  steps?: readonly StoredStep[];
  /** Who cancels the runs that began before; null: nobody does. */
  cancelsRuns: StoppedBy | null;
}

/** Who stops a scenario's runs, by which call. */
export type StoppedBy = NonNullable<ScenarioEntity['stopped_by']>;

/** A scenario in its account. */
export type ScenarioKey = Pick<ScenarioEntity, 'account_id' | 'id'>;

export const SCENARIO_ORDER_MAX = 1_000_000;

const CLOCK = (): string => 'clock_timestamp()';

/** Scenarios, for admins. They are found across accounts, because the account is known only from the scenario. */
@Injectable()
export class ScenarioRepository {
  constructor(
    @InjectRepository(ScenarioEntity) private readonly scenarios: Repository<ScenarioEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** Agent by agent and stage by stage, each stage's in their order. */
  async list(
    reach: Reach,
    filter: { assistantId: string | null; statusId: string | null },
    after: ScenarioPosition | null,
    limit: number,
  ): Promise<ScenarioRow[]> {
    return this.entities.useFor(ownerOf(reach), this.scenarios, async (scenarios) => {
      const page = scenarios
        .createQueryBuilder('s')
        .select(SHOWN.map((column) => `s.${column}`))
        .where({ ...inAccount(reach), ...ofAssistants(reach), archived_at: IsNull() })
        .orderBy({ 's.assistant_id': 'ASC', 's.status_id': 'ASC', 's.order': 'ASC', 's.id': 'ASC' })
        .limit(limit);
      if (filter.assistantId !== null) page.andWhere('s.assistant_id = :assistantId', filter);
      if (filter.statusId !== null) page.andWhere('s.status_id = :statusId', filter);
      if (after) {
        page.andWhere(
          '(s.assistant_id, s.status_id, s.order, s.id) > (:afterAssistant, :afterStatus, :afterOrder, :afterId)',
          {
            ...{ afterAssistant: after.assistantId, afterStatus: after.statusId },
            ...{ afterOrder: after.order, afterId: after.id },
          },
        );
      }
      return withSteps(scenarios.manager, await page.getMany());
    });
  }

  async find(reach: Reach, id: string): Promise<ScenarioRow | null> {
    const where = { ...inAccount(reach), ...ofAssistants(reach), id, archived_at: IsNull() };
    return this.entities.useFor(ownerOf(reach), this.scenarios, async (scenarios) => {
      const found = await scenarios.findOne({ select: only(SHOWN), where });
      return found && ((await withSteps(scenarios.manager, [found]))[0] ?? null);
    });
  }

  /**
   * The stages of the funnel in which a scenario moves its leads; null: there is no such stage.
   * @param named further stages of the account, of any funnel, which are included where they exist
   */
  async funnelOf(reach: Reach, statusId: string, named: readonly string[]): Promise<Funnel | null> {
    return this.entities.useFor(ownerOf(reach), this.scenarios, async ({ manager }) => {
      const stage = await manager.findOneBy(StageEntity, {
        ...{ ...inAccount(reach), ...ofAssistants(reach) },
        ...{ id: statusId, archived_at: IsNull() },
      });
      if (!stage) return null;
      const { account_id, assistant_id } = stage;
      const where = [
        { account_id, assistant_id, archived_at: IsNull() },
        { account_id, id: In([...named]) },
      ];
      const select = { id: true, name: true, assistant_id: true, archived_at: true };
      return { stage, stages: await manager.find(StageEntity, { select, where }) };
    });
  }

  /** The stage's row is locked first, so that of two calls at once the second counts the first one's scenario. */
  async create(
    stage: Pick<StageEntity, 'account_id' | 'id'>,
    id: string,
    given: NewScenario,
    { steps, secret }: { steps: readonly StoredStep[]; secret: SealedSecret },
    entryOf: AuditEntryOf<Changed<ScenarioRow>>,
  ): Promise<ScenarioRow | 'too_many' | 'no_stage'> {
    return this.entities.transactFor(stage.account_id, async (manager) => {
      const locked = await lockStage(manager, stage.account_id, stage.id);
      if (!locked || locked.archived_at !== null) return 'no_stage';
      const { account_id, assistant_id, id: status_id } = locked;
      const present = { account_id, status_id, archived_at: IsNull() };
      if ((await manager.countBy(ScenarioEntity, present)) >= SCENARIO_LIMITS.ofStageMax) return 'too_many';
      const last = (await manager.maximum(ScenarioEntity, 'order', present)) ?? 0;
      const order = given.order ?? Math.max(last, Math.min(last + 1, SCENARIO_ORDER_MAX));
      const scenario = { account_id, id, assistant_id, status_id, ...given, order };
      await manager.insert(ScenarioEntity, scenario);
      await keepSteps(manager, { account_id, id }, 1, steps);
      const { keyId: key_id, sealed } = secret;
      await manager.insert(ScenarioSecretEntity, { account_id, scenario_id: id, key_id, sealed });
      await keepStartsRuns(manager, locked);
      const after = await this.read(manager, { account_id, id });
      await this.audit.append(manager, entryOf({ before: null, after }));
      return after;
    });
  }

  /**
   * Changes a scenario under the locks of its stage and of itself, so that what is decided about the present scenario
   * stays true.
   * @param decide may throw, and then nothing changes. It may be called again after a deadlock.
   * @returns null when the account has no such scenario, or it was archived.
   */
  async change(
    { account_id, id }: ScenarioKey,
    decide: (present: ScenarioRow) => ScenarioChange,
    entryOf: AuditEntryOf<Changed<ScenarioRow> & { cancelsRuns: boolean }>,
  ): Promise<ScenarioRow | null> {
    return this.entities.transactFor(account_id, async (manager) => {
      const locked = await lockScenario(manager, { account_id, id });
      if (!locked) return null;
      const { scenario, stage } = locked;
      const [present] = await withSteps(manager, [scenario]);
      if (!present) return null;
      const { settings, steps, cancelsRuns } = decide(present);
      const isRevised = steps !== undefined || Object.keys(settings).length > 0;
      const revision = scenario.revision + (isRevised ? 1 : 0);
      if (isRevised) await keepSteps(manager, { account_id, id }, revision, steps ?? present.steps);
      const change = {
        ...settings,
        revision,
        updated_at: CLOCK,
        ...(concernsRuns(settings, cancelsRuns !== null) && { wake_at: CLOCK }),
        ...(cancelsRuns && { cancel_before: CLOCK, stopped_by: cancelsRuns }),
      };
      await manager.update(ScenarioEntity, { account_id, id }, change);
      await keepStartsRuns(manager, stage);
      const after = await this.read(manager, { account_id, id });
      if ((present.state === 'paused') !== (after.state === 'paused'))
        await tellBoardsOfHeldRuns(manager, account_id, after.assistant_id);
      const changed = { before: present, after, cancelsRuns: cancelsRuns !== null };
      await this.audit.append(manager, entryOf(changed));
      return after;
    });
  }

  /** @returns the scenario as it was; null when the account has no such scenario, or it was archived before. */
  async archive(
    { account_id, id }: ScenarioKey,
    by: StoppedBy,
    entryOf: AuditEntryOf<Changed<ScenarioRow>>,
  ): Promise<ScenarioRow | null> {
    return this.entities.transactFor(account_id, async (manager) => {
      const locked = await lockScenario(manager, { account_id, id });
      if (!locked) return null;
      const was = await this.read(manager, { account_id, id });
      const change = {
        archived_at: CLOCK,
        updated_at: CLOCK,
        wake_at: CLOCK,
        stopped_by: by,
      };
      await manager.update(ScenarioEntity, { account_id, id }, change);
      await keepStartsRuns(manager, locked.stage);
      await this.audit.append(manager, entryOf({ before: was, after: null }));
      return was;
    });
  }

  /**
   * Cancels the runs that began before.
   * @returns how many there are; null when the account has no such scenario, or it was archived.
   */
  async cancelRuns(
    { account_id, id }: ScenarioKey,
    by: StoppedBy,
    entryOf: AuditEntryOf<number>,
  ): Promise<number | null> {
    return this.entities.transactFor(account_id, async (manager) => {
      if (!(await lockScenario(manager, { account_id, id }))) return null;
      const open = await manager.countBy(ScenarioRunEntity, openRunsOf({ account_id, id }));
      await manager.update(
        ScenarioEntity,
        { account_id, id },
        { cancel_before: CLOCK, wake_at: CLOCK, stopped_by: by },
      );
      await this.audit.append(manager, entryOf(open));
      return open;
    });
  }

  /** Whether a run of a scenario has not ended. */
  async hasOpenRuns(key: ScenarioKey): Promise<boolean> {
    return this.entities.useFor(key.account_id, this.scenarios, ({ manager }) =>
      manager.existsBy(ScenarioRunEntity, openRunsOf(key)),
    );
  }

  private async read(manager: EntityManager, { account_id, id }: ScenarioKey): Promise<ScenarioRow> {
    const where = { account_id, id };
    const found = await manager.findOneOrFail(ScenarioEntity, { select: only(SHOWN), where });
    const [row] = await withSteps(manager, [found]);
    if (!row) throw new Error('a scenario has lost its revision');
    return row;
  }
}

const openRunsOf = ({ account_id, id }: ScenarioKey) => ({
  account_id,
  scenario_id: id,
  finished_at: IsNull(),
});

/**
 * Whether open runs are to be looked at, for which another setting may count. They are, however many there seem to be: one
 * that is committed meanwhile may have been looked at before the change.
 */
const concernsRuns = (settings: object, cancelsRuns: boolean): boolean =>
  cancelsRuns || Object.keys(settings).some((name) => name !== 'name' && name !== 'order');
