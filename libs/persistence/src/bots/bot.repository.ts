import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type EntityManager, type FindOneOptions, type Repository } from 'typeorm';
import { inAccount, ofAssistants, ownerOf, type Reach } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { violatedReference } from '../database/database.errors';
import { Entities } from '../database/entities.service';
import { requireRoom } from '../database/room-check';
import { type BotChannelEntity, BotEntity } from './bot.entity';

/** A number of a bot as it may be shown: everything except the credential and the app secret. */
export type BotChannelRow = Pick<
  BotChannelEntity,
  | ('channel' | 'sender' | 'phone' | 'default_country' | 'settings' | 'app_secret_key_id')
  | ('messages_per_second' | 'connected' | 'stopped_because')
>;

export type BotRow = Omit<BotEntity, 'channels'> & { channels: BotChannelRow[] };

export interface BotChange {
  name?: string;
  assistantId?: string;
}

const IN_ORDER = {
  relations: { channels: true },
  order: { id: 'ASC', channels: { channel: 'ASC' } },
} as const satisfies FindOneOptions<BotEntity>;

/** Bots, for admins. They are found across accounts, because the account is known only from the bot. */
@Injectable()
export class BotRepository {
  constructor(
    @InjectRepository(BotEntity) private readonly bots: Repository<BotEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** In the order of their creation. */
  async list(reach: Reach, afterId: string, limit: number): Promise<BotRow[]> {
    const where = { ...inAccount(reach), ...ofAssistants(reach), id: MoreThan(afterId) };
    return this.entities.useFor(ownerOf(reach), this.bots, (bots) =>
      bots.find({ ...IN_ORDER, where, take: limit }),
    );
  }

  async find(reach: Reach, id: string): Promise<BotRow | null> {
    const where = { ...inAccount(reach), ...ofAssistants(reach), id };
    return this.entities.useFor(ownerOf(reach), this.bots, (bots) => bots.findOne({ ...IN_ORDER, where }));
  }

  /** @returns null when the account has no such agent. */
  async create(
    accountId: string,
    id: string,
    assistantId: string,
    name: string,
    most: number,
    entryOf: AuditEntryOf<Changed<BotRow>>,
  ): Promise<BotRow | null> {
    return this.unlessAgentMissing(accountId, async (manager) => {
      await requireRoom(manager, BotEntity, { account_id: accountId }, { most, what: 'bots', remedy: null });
      await manager.insert(BotEntity, { account_id: accountId, id, assistant_id: assistantId, name });
      const after = await manager.findOne(BotEntity, { ...IN_ORDER, where: { account_id: accountId, id } });
      await this.audit.append(manager, entryOf({ before: null, after }));
      return after;
    });
  }

  /**
   * Changes the fields that are given.
   * @returns null when the account has no such agent.
   */
  async change(
    accountId: string,
    id: string,
    change: BotChange,
    entryOf: AuditEntryOf<Changed<BotRow>>,
  ): Promise<BotRow | null> {
    const given = { name: change.name, assistant_id: change.assistantId };
    const where = { account_id: accountId, id };
    return this.unlessAgentMissing(accountId, async (manager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      await manager.findOne(BotEntity, { select: { id: true }, where, lock });
      const before = await manager.findOne(BotEntity, { ...IN_ORDER, where });
      if (Object.values(given).every((value) => value === undefined)) return before;
      await manager.update(BotEntity, where, given);
      const after = await manager.findOne(BotEntity, { ...IN_ORDER, where });
      await this.audit.append(manager, entryOf({ before, after }));
      return after;
    });
  }

  private async unlessAgentMissing<T>(
    accountId: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T | null> {
    try {
      return await this.entities.transactFor(accountId, work);
    } catch (error) {
      if (violatedReference(error) !== null) return null;
      throw error;
    }
  }
}
