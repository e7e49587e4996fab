import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import type { WebhookProvider } from './webhook-delivery.repository';

/** A part of a webhook that could not be understood. */
export interface NewWebhookReject {
  id: string;
  /** Null where it cannot be told whose it is. */
  accountId: string | null;
  provider: WebhookProvider;
  botId: string | null;
  deliveryId: string;
  /** Where in the body it stands, such as `entry[0].changes[1].value.messages[3]`; empty for the whole. */
  path: string;
  reason: string;
  item: Buffer;
  receivedAt: Date;
}

export interface WebhookRejectRow {
  id: string;
  account_id: string | null;
  provider: WebhookProvider;
  bot_id: string | null;
  path: string;
  reason: string;
  /** The beginning of it. */
  item: Buffer;
  received_at: Date;
}

/** One for each content, however often it comes and is taken apart; the first stands. */
const ADD: PreparedStatement = {
  name: 'webhook-reject-add',
  text: `INSERT INTO webhook_rejects (id, account_id, provider, bot_id, delivery_id, path, reason, item, received_at)
         VALUES ($1, $2, $3, $4, $5::bigint, $6, $7, $8, $9)
         ON CONFLICT (provider, bot_id, sha256(item)) DO NOTHING`,
};
const LIST: PreparedStatement = {
  name: 'webhook-reject-list',
  text: `SELECT id, account_id, provider, bot_id, path, reason, substring(item FROM 1 FOR $3) AS item, received_at
           FROM webhook_rejects
          WHERE id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $2`,
};

const PURGE: PreparedStatement = {
  name: 'webhook-reject-purge',
  text: `
  DELETE FROM webhook_rejects WHERE id IN (
    SELECT id FROM webhook_rejects WHERE created_at < now() - interval '30 days'
     ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1`,
};

/** Parts of webhooks kept aside, for whoever governs the installation: across accounts, for some belong to none. */
@Injectable()
export class WebhookRejectRepository {
  constructor(private readonly database: Database) {}

  /** Keeps an item aside with its bytes; again without effect. */
  async add(reject: NewWebhookReject): Promise<void> {
    const { id, accountId, provider, botId, deliveryId, path, reason, item, receivedAt } = reject;
    await this.database.run(ADD, [
      id,
      accountId,
      provider,
      botId,
      deliveryId,
      path,
      reason,
      item,
      receivedAt,
    ]);
  }

  /** The newest first, of each at most so many bytes. */
  async list(beforeId: string | null, limit: number, itemBytes: number): Promise<WebhookRejectRow[]> {
    return this.database.run<WebhookRejectRow>(LIST, [beforeId, limit, itemBytes]);
  }

  /** Deletes what was kept aside more than thirty days ago, at most so much; how much it was. */
  async purge(limit: number): Promise<number> {
    return (await this.database.run(PURGE, [limit])).length;
  }
}
