import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { And, Equal, In, MoreThan, type Repository } from 'typeorm';
import { inAccount, ownerOf, type Reach } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { violatedReference } from '../database/database.errors';
import { Entities } from '../database/entities.service';
import { requireRoom } from '../database/room-check';
import { AssistantEntity } from './assistant.entity';

export type AssistantRow = AssistantEntity;

/** An agent's settings. */
export type AssistantSettings = Omit<AssistantEntity, 'id' | 'account_id' | 'name' | 'created_at'>;

export type NewAssistant = AssistantSettings & { name: string };

export type AssistantChange = Partial<NewAssistant>;

/** Agents, for admins. They are found across accounts, because the account is known only from the agent. */
@Injectable()
export class AssistantRepository {
  constructor(
    @InjectRepository(AssistantEntity) private readonly assistants: Repository<AssistantEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** In the order of their creation. */
  async list(reach: Reach, afterId: string, limit: number): Promise<AssistantRow[]> {
    const { assistantIds } = reach;
    const id = assistantIds === null ? MoreThan(afterId) : And(MoreThan(afterId), In([...assistantIds]));
    return this.entities.useFor(ownerOf(reach), this.assistants, (assistants) =>
      assistants.find({ where: { ...inAccount(reach), id }, order: { id: 'ASC' }, take: limit }),
    );
  }

  async find(reach: Reach, id: string): Promise<AssistantRow | null> {
    const { assistantIds } = reach;
    const where = assistantIds === null ? id : And(Equal(id), In([...assistantIds]));
    return this.entities.useFor(ownerOf(reach), this.assistants, (assistants) =>
      assistants.findOneBy({ ...inAccount(reach), id: where }),
    );
  }

  /** @returns null when there is no such account. */
  async create(
    accountId: string,
    id: string,
    given: NewAssistant,
    most: number,
    entryOf: AuditEntryOf<Changed<AssistantRow>>,
  ): Promise<AssistantRow | null> {
    try {
      return await this.entities.transactFor(accountId, async (manager) => {
        await requireRoom(
          manager,
          AssistantEntity,
          { account_id: accountId },
          { most, what: 'agents', remedy: null },
        );
        await manager.insert(AssistantEntity, { account_id: accountId, id, ...given });
        const after = await manager.findOneByOrFail(AssistantEntity, { account_id: accountId, id });
        await this.audit.append(manager, entryOf({ before: null, after }));
        return after;
      });
    } catch (error) {
      if (violatedReference(error) !== null) return null;
      throw error;
    }
  }

  /**
   * Changes the fields that are given. Null becomes null.
   * @returns null when the account has no such agent.
   */
  async change(
    accountId: string,
    id: string,
    change: AssistantChange,
    entryOf: AuditEntryOf<Changed<AssistantRow>>,
  ): Promise<AssistantRow | null> {
    const where = { account_id: accountId, id };
    return this.entities.transactFor(accountId, async (manager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const before = await manager.findOne(AssistantEntity, { where, lock });
      if (!before || Object.values(change).every((value) => value === undefined)) return before;
      await manager.update(AssistantEntity, where, change);
      const after = await manager.findOneByOrFail(AssistantEntity, where);
      await this.audit.append(manager, entryOf({ before, after }));
      return after;
    });
  }
}
