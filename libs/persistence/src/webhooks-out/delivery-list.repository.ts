import type { DeliveryAttempt, DeliveryState } from '@app/contracts/webhook.words';
import { Injectable } from '@nestjs/common';
import { ownerOf, type Reach } from '../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf } from '../audit/audit.repository';
import { Database } from '../database/database.service';
import {
  ADD_TEST,
  CLOSE_TEST,
  FIND_DELIVERY,
  LIST_DELIVERIES,
  PURGE_DELIVERIES,
  RETRY_DELIVERY,
  type DeliveryRow,
  type FoundDelivery,
  type RetriedDelivery,
} from './endpoint-delivery.statements';
import type { EndpointKey } from './endpoint-queue.statements';

export type { DeliveryRow, FoundDelivery, RetriedDelivery };

/** Deliveries to endpoints, for admins. */
@Injectable()
export class DeliveryListRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Those of an endpoint, newest first.
   * @param state null: any
   * @param before the id of the delivery that the page follows; null for the newest
   */
  async list(
    key: EndpointKey,
    state: DeliveryState | null,
    before: string | null,
    limit: number,
  ): Promise<DeliveryRow[]> {
    const page = { ...key, state, before, limit };
    return this.database.runFor(key.accountId, LIST_DELIVERIES, page);
  }

  async find(reach: Reach, deliveryId: string): Promise<FoundDelivery | null> {
    const named = { reachAccount: reach.accountId, deliveryId };
    const [row] = await this.database.runFor(ownerOf(reach), FIND_DELIVERY, named);
    return row ?? null;
  }

  /**
   * Makes a delivery due now, with all its retries before it, unless it was delivered.
   * @returns null: its endpoint is disabled, or it is gone
   */
  async retry(
    { account_id: accountId, endpoint_id: endpointId, id: deliveryId }: DeliveryRow,
    entryOf: AuditEntryOf<RetriedDelivery>,
  ): Promise<RetriedDelivery | null> {
    return this.database.transactFor(accountId, async (tx) => {
      const [row] = await tx.run(RETRY_DELIVERY, { accountId, endpointId, deliveryId });
      if (row?.due_at) await this.audit.append(tx, entryOf(row));
      return row ?? null;
    });
  }

  /**
   * Keeps that an endpoint is tested, before it is.
   * @returns when; null: the endpoint is disabled, or gone
   */
  async addTest(
    key: EndpointKey,
    ids: { deliveryId: string; eventId: string },
    entryOf: AuditEntryOf<null>,
  ): Promise<Date | null> {
    return this.database.transactFor(key.accountId, async (tx) => {
      const [row] = await tx.run(ADD_TEST, { ...key, ...ids });
      if (!row) return null;
      await this.audit.append(tx, entryOf(null));
      return row.created_at;
    });
  }

  /** What became of a test; null: its endpoint was deleted meanwhile. */
  async closeTest(
    key: EndpointKey,
    deliveryId: string,
    state: DeliveryState,
    attempt: DeliveryAttempt,
  ): Promise<DeliveryRow | null> {
    const attempts = JSON.stringify([attempt]);
    const [row] = await this.database.runFor(key.accountId, CLOSE_TEST, {
      ...{ ...key, deliveryId, state, attempts },
    });
    return row ?? null;
  }

  /** Deletes old deliveries, up to a number. @returns how many were deleted. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE_DELIVERIES, { limit })).length;
  }
}
