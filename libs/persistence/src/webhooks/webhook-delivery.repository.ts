import { Injectable } from '@nestjs/common';
import { Database, IntakeDatabase, type PreparedStatement } from '../database/database.service';

export type WebhookProvider = 'cloud' | 'gupshup';

/** A webhook as it came, held by whoever claimed it until its lease runs out. */
export interface ClaimedDelivery {
  id: string;
  provider: WebhookProvider;
  /** The bot of the address; null where the body says whose it is. */
  bot_id: string | null;
  body: Buffer;
  /** Tries before this one that were given back. */
  attempts: number;
  received_at: Date;
  /** Whether it failed for so long that it is not tried again: seven days, for which providers repeat webhooks, too. */
  is_last_try: boolean;
  /** The same as text, with its microseconds and zone. */
  arrived_at: string;
}

const STORE: PreparedStatement = {
  name: 'webhook-delivery-store',
  text: 'INSERT INTO webhook_deliveries (provider, body) VALUES ($1, $2)',
};
/** Across accounts: the address names the bot alone. */
const STORE_OF_BOT: PreparedStatement = {
  name: 'webhook-delivery-store-of-bot',
  text: `INSERT INTO webhook_deliveries (provider, bot_id, body)
         SELECT $1, b.id, $3 FROM bots b WHERE b.id = $2 LIMIT 1 RETURNING id`,
};

/**
 * `now()` is the statement's own time here and, unlike the clock, lets the index end the search.
 * $1 token $2 the lease's seconds $3 how many $4 the largest body, in bytes; null: any
 */
const CLAIM_DUE: PreparedStatement = {
  name: 'webhook-delivery-claim-due',
  text: `
  WITH due AS MATERIALIZED (
    SELECT id FROM webhook_deliveries
     WHERE state = 'due' AND due_at <= now() AND (lease_until IS NULL OR lease_until < now())
       AND ($4::int IS NULL OR octet_length(body) <= $4)
     ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED),
  claimed AS (
    UPDATE webhook_deliveries d
       SET lease_token = $1, lease_until = clock_timestamp() + make_interval(secs => $2::float8)
      FROM due WHERE d.id = due.id
    RETURNING d.id, d.provider, d.bot_id, d.body, d.attempts, d.received_at)
  SELECT id::text, provider, bot_id, body, attempts, received_at, received_at::text AS arrived_at,
         attempts >= 10 AND received_at < now() - interval '7 days' AS is_last_try
    FROM claimed ORDER BY claimed.id`,
};
const ANY_DUE: PreparedStatement = {
  name: 'webhook-delivery-any-due',
  text: `SELECT 1 AS due FROM webhook_deliveries
          WHERE state = 'due' AND due_at <= now() AND (lease_until IS NULL OR lease_until < now()) LIMIT 1`,
};
const RENEW: PreparedStatement = {
  name: 'webhook-delivery-renew',
  text: `UPDATE webhook_deliveries SET lease_until = clock_timestamp() + make_interval(secs => $3::float8)
          WHERE id = $1::bigint AND lease_token = $2 RETURNING id`,
};
const RELEASE: PreparedStatement = {
  name: 'webhook-delivery-release',
  text: `UPDATE webhook_deliveries SET lease_token = NULL, lease_until = NULL
          WHERE id = $1::bigint AND lease_token = $2 RETURNING id`,
};
const DONE: PreparedStatement = {
  name: 'webhook-delivery-done',
  text: `UPDATE webhook_deliveries SET state = 'done', lease_token = NULL, lease_until = NULL
          WHERE id = $1::bigint AND lease_token = $2 RETURNING id`,
};

/** After 2, 4, 8 … seconds, at most five minutes. */
const RETRY_LATER: PreparedStatement = {
  name: 'webhook-delivery-retry-later',
  text: `UPDATE webhook_deliveries
            SET attempts = attempts + 1, lease_token = NULL, lease_until = NULL,
                due_at = clock_timestamp() + make_interval(secs => least(300, power(2, least(attempts, 8) + 1)))
          WHERE id = $1::bigint AND lease_token = $2 RETURNING id`,
};
const PURGE_DONE: PreparedStatement = {
  name: 'webhook-delivery-purge-done',
  text: `DELETE FROM webhook_deliveries WHERE id IN (
           SELECT id FROM webhook_deliveries WHERE state = 'done' AND received_at < now() - interval '7 days'
            ORDER BY received_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING id`,
};

/** Webhooks as they came, from their receipt until nobody needs their bytes any more: of no account until taken apart. */
@Injectable()
export class WebhookDeliveryRepository {
  constructor(
    private readonly database: Database,
    private readonly intake: IntakeDatabase,
  ) {}

  /** Keeps a body whose content says whose it is. */
  async store(provider: WebhookProvider, body: Buffer): Promise<void> {
    await this.intake.run(STORE, [provider, body]);
  }

  /** Keeps a body that came to a bot's own address; whether there is such a bot. */
  async storeOfBot(provider: WebhookProvider, botId: string, body: Buffer): Promise<boolean> {
    return (await this.intake.run(STORE_OF_BOT, [provider, botId, body])).length > 0;
  }

  /**
   * Takes up what is due and nobody holds, the oldest first, for so many seconds.
   * @param largest leaves larger bodies to others, in bytes; null takes any.
   */
  async claimDue(
    leaseToken: string,
    leaseSeconds: number,
    limit: number,
    largest: number | null,
  ): Promise<ClaimedDelivery[]> {
    return this.database.run<ClaimedDelivery>(CLAIM_DUE, [leaseToken, leaseSeconds, limit, largest]);
  }

  /** Whether something is due that nobody holds. */
  async isAnyDue(): Promise<boolean> {
    return (await this.database.run(ANY_DUE)).length > 0;
  }

  /** Holds a delivery for so many seconds more; false when the lease was lost to somebody else. */
  async renew(id: string, leaseToken: string, leaseSeconds: number): Promise<boolean> {
    return (await this.database.run(RENEW, [id, leaseToken, leaseSeconds])).length > 0;
  }

  /** Gives a delivery back unfinished, to be due at once; false when the lease was lost to somebody else. */
  async release(id: string, leaseToken: string): Promise<boolean> {
    return (await this.database.run(RELEASE, [id, leaseToken])).length > 0;
  }

  /** Marks a delivery as taken apart; false when the lease was lost to somebody else. */
  async done(id: string, leaseToken: string): Promise<boolean> {
    return (await this.database.run(DONE, [id, leaseToken])).length > 0;
  }

  /** Gives a delivery back, to be due again later each time; false when the lease was lost to somebody else. */
  async retryLater(id: string, leaseToken: string): Promise<boolean> {
    return (await this.database.run(RETRY_LATER, [id, leaseToken])).length > 0;
  }

  /** Deletes what was taken apart and came more than seven days ago, at most so many; how many it were. */
  async purgeDone(limit: number): Promise<number> {
    return (await this.database.run(PURGE_DONE, [limit])).length;
  }
}
