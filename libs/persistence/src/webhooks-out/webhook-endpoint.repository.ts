import type { EndpointState } from '@app/contracts/webhook.words';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity';
import { ownerOf, type Reach } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf, type Changed } from '../audit/audit.repository';
import { CLOCK } from '../database/column-defaults';
import { Database } from '../database/database.service';
import { Entities } from '../database/entities.service';
import { only, runWith } from '../database/sql.statements';
import {
  EndpointDeliveryEntity,
  EndpointQueueEntity,
  WebhookEndpointEntity,
} from './webhook-endpoint.entity';
import type { EndpointKey, SendingRow } from './endpoint-queue.statements';
import {
  COUNT_ENDPOINTS,
  DROP_DELIVERIES,
  FIND_ENDPOINT,
  FIND_SENDING,
  LIST_ENDPOINTS,
  OPEN_QUEUE,
  ROTATE_SECRET,
  SHOWN,
  SKIP_PENDING,
  type EndpointRow,
  type ListedEndpoint,
} from './webhook-endpoint.statements';

export type { EndpointKey, EndpointRow, ListedEndpoint };

/** What an admin says of an endpoint. */
export type EndpointSettings = Pick<
  WebhookEndpointEntity,
  'url' | 'events' | 'assistant_ids' | 'max_per_second' | 'description'
>;

/** As the audit compares it: of its secret only whether it is another. */
export type AuditedEndpoint = EndpointRow & Pick<WebhookEndpointEntity, 'secret'>;

type SealedSecret = Pick<WebhookEndpointEntity, 'key_id' | 'secret'>;

/** Of an account. */
export const ENDPOINTS_MAX = 20;

/** A statement that changes so many rows takes far less than its time limit. */
const ROWS_AT_ONCE = 1_000;

/** Endpoints of webhooks, for admins. */
@Injectable()
export class WebhookEndpointRepository {
  constructor(
    private readonly entities: Entities,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Newest first. */
  async list(reach: Reach, before: string | null, limit: number): Promise<ListedEndpoint[]> {
    const page = { reachAccount: reach.accountId, before, limit };
    return this.database.runFor(ownerOf(reach), LIST_ENDPOINTS, page);
  }

  async find(reach: Reach, endpointId: string): Promise<ListedEndpoint | null> {
    const named = { reachAccount: reach.accountId, endpointId };
    const [row] = await this.database.runFor(ownerOf(reach), FIND_ENDPOINT, named);
    return row ?? null;
  }

  /** How many endpoints all accounts have, by how they fare. */
  async countByState(): Promise<{ state: EndpointState; endpoints: number }[]> {
    return this.database.run(COUNT_ENDPOINTS);
  }

  /** What sending to an endpoint needs; null: there is no such endpoint. */
  async findSending(key: EndpointKey): Promise<SendingRow | null> {
    const [row] = await this.database.runFor(key.accountId, FIND_SENDING, { ...key });
    return row ?? null;
  }

  /** The account's row is locked first, so that of two calls at once the second counts the first one's endpoint. */
  async create(
    key: EndpointKey,
    settings: EndpointSettings,
    secret: SealedSecret,
    entryOf: AuditEntryOf<Changed<AuditedEndpoint>>,
  ): Promise<'made' | 'too_many' | 'no_account'> {
    const { accountId: account_id, endpointId: id } = key;
    return this.entities.transactFor(account_id, async (manager) => {
      const account = { select: { id: true }, where: { id: account_id }, lock: LOCK } as const;
      if (!(await manager.findOne(AccountEntity, account))) return 'no_account';
      if ((await manager.countBy(WebhookEndpointEntity, { account_id })) >= ENDPOINTS_MAX) return 'too_many';
      await manager.insert(WebhookEndpointEntity, { account_id, id, ...settings, ...secret });
      await runWith(manager, OPEN_QUEUE, key);
      await this.audit.append(manager, entryOf({ before: null, after: await read(manager, key) }));
      return 'made';
    });
  }

  /**
   * Changes the fields that are given. To disable ends the queue; to enable begins it anew.
   * @returns null when there is no such endpoint; 'unskipped' where one that is to be enabled still has pending deliveries:
   * then nothing is changed, and {@link skipPending} comes first
   */
  async change(
    key: EndpointKey,
    { disabled, ...settings }: Partial<EndpointSettings> & { disabled?: boolean },
    entryOf: AuditEntryOf<Changed<AuditedEndpoint>>,
  ): Promise<EndpointRow | 'unskipped' | null> {
    return this.entities.transactFor(key.accountId, async (manager) => {
      const before = await locked(manager, key);
      if (!before) return null;
      const isDisabling = disabled === true && before.disabled_at === null;
      const isEnabling = disabled === false && before.disabled_at !== null;
      if (isEnabling && (await hasPending(manager, key))) return 'unskipped';
      const change = {
        ...settings,
        ...(isDisabling && { disabled_at: CLOCK, disabled_reason: 'admin' as const }),
        ...(isEnabling && { disabled_at: null, disabled_reason: null }),
      };
      if (Object.values(change).some((value) => value !== undefined))
        await manager.update(WebhookEndpointEntity, rowOf(key), change);
      if (isDisabling) await manager.delete(EndpointQueueEntity, itsOwn(key));
      if (isEnabling) await runWith(manager, OPEN_QUEUE, key);
      const after = await read(manager, key);
      await this.audit.append(manager, entryOf({ before, after }));
      return after;
    });
  }

  /** No pending delivery of a disabled endpoint is sent any more: some at a time, so that no transaction is long. */
  async skipPending(key: EndpointKey): Promise<void> {
    const some = { ...key, limit: ROWS_AT_ONCE };
    while ((await this.database.runFor(key.accountId, SKIP_PENDING, some)).length > 0);
  }

  /**
   * Deletes an endpoint with its deliveries.
   * @returns 'too_many' where it has so many that {@link dropDeliveries} comes first; null when there is no such endpoint
   */
  async remove(
    key: EndpointKey,
    entryOf: AuditEntryOf<Changed<AuditedEndpoint>>,
  ): Promise<'removed' | 'too_many' | null> {
    return this.entities.transactFor(key.accountId, async (manager) => {
      const before = await locked(manager, key);
      if (!before) return null;
      const first = { select: { id: true }, where: itsOwn(key), take: ROWS_AT_ONCE + 1 } as const;
      if ((await manager.find(EndpointDeliveryEntity, first)).length > ROWS_AT_ONCE) return 'too_many';
      await manager.delete(WebhookEndpointEntity, rowOf(key));
      await this.audit.append(manager, entryOf({ before, after: null }));
      return 'removed';
    });
  }

  /** The deliveries of a disabled endpoint that is to be deleted. */
  async dropDeliveries(key: EndpointKey): Promise<void> {
    const some = { ...key, limit: ROWS_AT_ONCE };
    while ((await this.database.runFor(key.accountId, DROP_DELIVERIES, some)).length > 0);
  }

  /**
   * Gives an endpoint a new secret. The present one signs for some hours more.
   * @returns until when, or null: not any more; undefined when there is no such endpoint
   */
  async rotateSecret(
    key: EndpointKey,
    { key_id: keyId, secret: sealed }: SealedSecret,
    overlapHours: number,
    entryOf: AuditEntryOf<{ until: Date | null }>,
  ): Promise<Date | null | undefined> {
    const given = { ...key, keyId, sealed, overlapHours };
    return this.database.transactFor(key.accountId, async (tx) => {
      const [row] = await tx.run(ROTATE_SECRET, given);
      if (row) await this.audit.append(tx, entryOf({ until: row.former_until }));
      return row?.former_until;
    });
  }
}

const LOCK = { mode: 'for_no_key_update' } as const;

const rowOf = ({ accountId: account_id, endpointId: id }: EndpointKey) => ({ account_id, id });
/** Of its queue and of its deliveries. */
const itsOwn = ({ accountId: account_id, endpointId: endpoint_id }: EndpointKey) => ({
  account_id,
  endpoint_id,
});

const AUDITED = { ...only(SHOWN), secret: true } as const;

const read = (manager: EntityManager, key: EndpointKey): Promise<AuditedEndpoint> =>
  manager.findOneOrFail(WebhookEndpointEntity, { select: AUDITED, where: rowOf(key) });

const locked = (manager: EntityManager, key: EndpointKey): Promise<AuditedEndpoint | null> =>
  manager.findOne(WebhookEndpointEntity, { select: AUDITED, where: rowOf(key), lock: LOCK });

const hasPending = (manager: EntityManager, key: EndpointKey): Promise<boolean> =>
  manager.existsBy(EndpointDeliveryEntity, { ...itsOwn(key), state: 'pending' });
