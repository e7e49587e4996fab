import type { FunnelPosition } from '@app/contracts/values/list-position.format';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type EntityManager, type Repository } from 'typeorm';
import { inAccount, ofAssistants, ownerOf, type Reach } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { Entities } from '../database/entities.service';
import { requireRoom } from '../database/room-check';
import { only } from '../database/sql.statements';
import { tellBoardsOf } from '../events/event.statements';
import { AssistantEntity, StageEntity } from './assistant.entity';

const SHOWN = [
  'id',
  'assistant_id',
  'name',
  'kind',
  'order',
  'description',
  'ai_enabled',
  'ai_transition_locked',
  'on_enter',
] as const satisfies readonly (keyof StageEntity)[];

/** A stage with all its settings. */
export type StageRow = Pick<StageEntity, (typeof SHOWN)[number]>;

/** A stage with its account. */
export type OwnedStage = StageRow & Pick<StageEntity, 'account_id'>;

/** The settings of a stage. */
export type StageSettings = Omit<StageRow, 'id' | 'assistant_id' | 'order'> & { name_folded: string };

/**
 * @property order null: after the last one
 */
export type NewStage = StageSettings & { order: number | null };

export type StageChange = Partial<StageSettings & { order: number }>;

/** An agent with its account. */
export interface FunnelOwner {
  accountId: string;
  assistantId: string;
}
export const STAGE_ORDER_MAX = 10_000;

/** Tells the boards of an agent that its funnel has changed. */
export const tellBoards = (
  manager: EntityManager,
  { account_id: accountId, assistant_id: id }: Pick<StageEntity, 'account_id' | 'assistant_id'>,
): Promise<void> => tellBoardsOf(manager, accountId, [id], 'funnel');

/** Agents' funnels, for admins. They are found across accounts, because the account is known only from the stage. */
@Injectable()
export class StageRepository {
  constructor(
    @InjectRepository(StageEntity) private readonly stages: Repository<StageEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** Funnel by funnel, each in its order. With an agent, only its funnel. */
  async list(
    reach: Reach,
    assistantId: string | null,
    after: FunnelPosition | null,
    limit: number,
  ): Promise<StageRow[]> {
    return this.entities.useFor(ownerOf(reach), this.stages, (stages) => {
      const page = stages
        .createQueryBuilder('stage')
        .select(SHOWN.map((column) => `stage.${column}`))
        .where({ ...inAccount(reach), ...ofAssistants(reach), archived_at: IsNull() })
        .orderBy({ 'stage.assistant_id': 'ASC', 'stage.order': 'ASC', 'stage.id': 'ASC' })
        .limit(limit);
      if (assistantId !== null) page.andWhere('stage.assistant_id = :assistantId', { assistantId });
      if (after) {
        page.andWhere(
          '(stage.assistant_id, stage.order, stage.id) > (:afterAssistant, :afterOrder, :afterId)',
          {
            afterAssistant: after.assistantId,
            afterOrder: after.order,
            afterId: after.id,
          },
        );
      }
      return page.getMany();
    });
  }

  async find(reach: Reach, id: string): Promise<(StageRow & { account_id: string }) | null> {
    const select = { ...only(SHOWN), account_id: true };
    return this.entities.useFor(ownerOf(reach), this.stages, (stages) =>
      stages.findOne({
        select,
        where: { ...inAccount(reach), ...ofAssistants(reach), id, archived_at: IsNull() },
      }),
    );
  }

  /**
   * Creates a stage and notifies the boards. The agent's row is locked first, so that of two calls at once the second
   * counts the first one's stage.
   */
  async create(
    owner: FunnelOwner,
    id: string,
    given: NewStage,
    most: number,
    entryOf: AuditEntryOf<Changed<OwnedStage>>,
  ): Promise<StageRow> {
    const { accountId, assistantId } = owner;
    const funnel = { account_id: accountId, assistant_id: assistantId };
    return this.entities.transactFor(accountId, async (manager) => {
      await manager.findOne(AssistantEntity, {
        select: { id: true },
        where: { account_id: accountId, id: assistantId },
        lock: { mode: 'for_no_key_update' },
      });
      const stages = { ...funnel, archived_at: IsNull() };
      await requireRoom(manager, StageEntity, stages, {
        most,
        what: 'stages of an agent',
        remedy: 'archive',
      });
      const last = (await manager.maximum(StageEntity, 'order', stages)) ?? 0;
      const order = given.order ?? Math.max(last, Math.min(last + 1, STAGE_ORDER_MAX));
      await manager.insert(StageEntity, { ...funnel, id, ...given, order });
      await tellBoards(manager, funnel);
      const after = await manager.findOneOrFail(StageEntity, {
        select: only(SHOWN),
        where: { account_id: accountId, id },
      });
      await this.audit.append(manager, entryOf({ before: null, after: { ...after, account_id: accountId } }));
      return after;
    });
  }

  /**
   * Changes the fields that are given, and notifies the boards if that makes a difference, so that a repeated call
   * reopens no board.
   * @returns null when the account has no such stage.
   */
  async change(
    accountId: string,
    id: string,
    change: StageChange,
    entryOf: AuditEntryOf<Changed<OwnedStage>>,
  ): Promise<StageRow | null> {
    return this.entities.transactFor(accountId, async (manager) => {
      const stage = await manager.findOne(StageEntity, {
        where: { account_id: accountId, id, archived_at: IsNull() },
        lock: { mode: 'for_no_key_update' },
      });
      if (!stage) return null;
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      if (given.some(([column, value]) => stage[column as keyof StageChange] !== value)) {
        await manager.update(StageEntity, { account_id: accountId, id }, change);
        await tellBoards(manager, { account_id: accountId, assistant_id: stage.assistant_id });
      }
      const after = await manager.findOneOrFail(StageEntity, {
        select: only(SHOWN),
        where: { account_id: accountId, id },
      });
      const owned = { ...after, account_id: accountId };
      await this.audit.append(manager, entryOf({ before: stage, after: owned }));
      return after;
    });
  }
}
