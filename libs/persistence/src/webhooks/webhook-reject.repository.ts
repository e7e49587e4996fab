import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { ownerOf } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database } from '../database/database.service';
import { Entities } from '../database/entities.service';
import type { OrNull } from '../database/row-types';
import { statement, purgeOf } from '../database/sql.statements';
import { type WebhookDeliveryEntity, WebhookRejectEntity } from './webhook-delivery.entity';

/** A part of a webhook that could not be understood. */
export type NewWebhookReject = Omit<WebhookRejectEntity, 'created_at' | 'signed_for'>;

const SHOWN = ['id', 'account_id', 'provider', 'bot_id', 'path', 'reason', 'received_at'] as const;

/** With the beginning of the item. */
export type WebhookRejectRow = Pick<WebhookRejectEntity, (typeof SHOWN)[number] | 'item'>;

/** A reject to be taken in again, with the webhook that it is part of; null where that is deleted. */
export type StoredReject = WebhookRejectRow &
  OrNull<Pick<WebhookDeliveryEntity, 'body'>> &
  Pick<WebhookRejectEntity, 'delivery_id' | 'signed_for'> & {
    /** When it came, as text, with its microseconds and zone. */
    arrived_at: string;
  };

/** A reject, and whose it is; null: nobody knows. */
export type RejectOfAccount = Pick<WebhookRejectEntity, 'account_id' | 'id'>;

const FIND = statement('webhook-reject-find').takes('id', 'accountId', 'itemBytes').returns<StoredReject>(`
  SELECT r.id, r.account_id, r.provider, r.bot_id, r.path, r.reason, r.received_at, r.delivery_id::text, r.signed_for,
         substring(r.item FROM 1 FOR :itemBytes) AS item, CASE WHEN r.path = '' THEN r.item ELSE d.body END AS body,
         coalesce(d.received_at, r.received_at)::text AS arrived_at
    FROM webhook_rejects r LEFT JOIN webhook_deliveries d ON d.id = r.delivery_id AND d.provider = r.provider
   WHERE r.id = :id AND (:accountId::uuid IS NULL OR r.account_id = :accountId)`);

/** The webhook is locked: whoever takes it away finds the reject after it. */
const ADD = statement('webhook-reject-add').takes(
  'id',
  'account_id',
  'provider',
  'bot_id',
  'delivery_id',
  'path',
  'reason',
  'item',
  'received_at',
  'heldBy',
).returns(`
  WITH held AS MATERIALIZED (
    SELECT id, signed_for FROM webhook_deliveries WHERE id = :delivery_id::bigint AND lease_token = :heldBy::uuid FOR SHARE)
  INSERT INTO webhook_rejects (id, account_id, provider, bot_id, delivery_id, signed_for, path, reason, item, received_at)
  SELECT :id::uuid, :account_id::uuid, :provider::text, :bot_id::uuid, h.id, h.signed_for, :path::text, :reason::text, :item::bytea,
         :received_at::timestamptz FROM held h
  ON CONFLICT DO NOTHING`);

const PURGE = statement('webhook-reject-purge')
  .takes('limit')
  .returns(
    purgeOf('webhook_rejects', { where: `o.created_at < now() - interval '30 days'`, by: 'created_at' }),
  );

/** Parts of webhooks that could not be read, for admins. Across accounts, because some belong to none. */
@Injectable()
export class WebhookRejectRepository {
  constructor(
    @InjectRepository(WebhookRejectEntity) private readonly rejects: Repository<WebhookRejectEntity>,
    private readonly entities: Entities,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Stores an item with its bytes, once for each content, however often it comes. The first one is kept.
   * @param heldBy the token by which its webhook is held; nothing is stored where it is not
   */
  async add(heldBy: string, reject: NewWebhookReject): Promise<void> {
    await this.database.run(ADD, { ...reject, heldBy });
  }

  /** The newest first, each cut to a number of bytes. With an account, only its own. */
  async list(
    accountId: string | null,
    beforeId: string | null,
    limit: number,
    itemBytes: number,
  ): Promise<WebhookRejectRow[]> {
    return this.entities.useFor(ownerOf({ accountId }), this.rejects, (rejects) => {
      const page = rejects
        .createQueryBuilder('reject')
        .select('substring(reject.item FROM 1 FOR :itemBytes)', 'item')
        .orderBy('reject.id', 'DESC')
        .limit(limit)
        .setParameters({ itemBytes });
      for (const column of SHOWN) page.addSelect(`reject.${column}`, column);
      if (accountId !== null) page.andWhere('reject.account_id = :accountId', { accountId });
      if (beforeId !== null) page.andWhere('reject.id < :beforeId', { beforeId });
      return page.getRawMany<WebhookRejectRow>();
    });
  }

  /** One with its webhook. With an account, only where it is the account's. */
  async find(id: string, accountId: string | null, itemBytes: number): Promise<StoredReject | null> {
    const [row] = await this.database.runFor(ownerOf({ accountId }), FIND, { id, accountId, itemBytes });
    return row ?? null;
  }

  /** It stays, with another reason. */
  async setReason(
    { account_id: accountId, id }: RejectOfAccount,
    reason: string,
    entryOf: AuditEntryOf<null>,
  ): Promise<void> {
    await this.entities.transactFor(ownerOf({ accountId }), async (manager) => {
      const { affected } = await manager.update(WebhookRejectEntity, { id }, { reason });
      if (affected) await this.audit.append(manager, entryOf(null));
    });
  }

  async remove({ account_id: accountId, id }: RejectOfAccount, entryOf: AuditEntryOf<null>): Promise<void> {
    await this.entities.transactFor(ownerOf({ accountId }), async (manager) => {
      const { affected } = await manager.delete(WebhookRejectEntity, { id });
      if (affected) await this.audit.append(manager, entryOf(null));
    });
  }

  /** Deletes rejects older than thirty days, a bounded number at once. @returns how many. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, { limit })).length;
  }
}
