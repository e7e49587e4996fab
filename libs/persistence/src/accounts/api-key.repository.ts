import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';

export interface ApiKeyRow {
  id: string;
  account_id: string | null;
  name: string;
  prefix: string;
  scopes: string[];
  bot_ids: string[];
  assistant_ids: string[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** The last accepted call; a refused one leaves no trace. */
  last_used_at: Date | null;
}

export interface NewApiKey {
  id: string;
  accountId: string | null;
  name: string;
  prefix: string;
  keyHash: Buffer;
  scopes: readonly string[];
  botIds: readonly string[];
  assistantIds: readonly string[];
  expiresAt: Date | null;
}

/** A key as an open socket of it needs to know it. */
export interface LivingKey {
  id: string;
  name: string;
  account_id: string | null;
  scopes: string[];
  bot_ids: string[];
  assistant_ids: string[];
}

const COLUMNS = `k.id, k.account_id, k.name, k.prefix, k.scopes, k.bot_ids, k.assistant_ids, k.created_at, k.expires_at,
  k.revoked_at, (SELECT max(u.at) FROM (
     SELECT w.hits[cardinality(w.hits)] AS at FROM rate_windows w WHERE w.key_id = k.id
     UNION ALL SELECT to_timestamp(b.head) FROM rate_buckets b WHERE b.key_id = k.id) u) AS last_used_at`;
const LIVING = `k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`;
const LIVING_COLUMNS = 'k.id, k.name, k.account_id, k.scopes, k.bot_ids, k.assistant_ids';

const LIST: PreparedStatement = {
  name: 'api-key-list',
  text: `SELECT ${COLUMNS} FROM api_keys k
          WHERE k.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND ($1::uuid IS NULL OR k.account_id = $1)
          ORDER BY k.id DESC LIMIT $3`,
};
const CREATE: PreparedStatement = {
  name: 'api-key-create',
  text: `WITH k AS (
           INSERT INTO api_keys (id, account_id, name, prefix, key_hash, scopes, bot_ids, assistant_ids, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *)
         SELECT ${COLUMNS} FROM k`,
};
const REVOKE: PreparedStatement = {
  name: 'api-key-revoke',
  text: `WITH k AS (UPDATE api_keys SET revoked_at = coalesce(revoked_at, clock_timestamp()) WHERE id = $1 RETURNING *)
         SELECT ${COLUMNS} FROM k`,
};
const LIVING_BY_HASH: PreparedStatement = {
  name: 'api-key-by-hash',
  text: `SELECT ${LIVING_COLUMNS} FROM api_keys k WHERE k.key_hash = $1 AND ${LIVING}`,
};
const LIVING_BY_IDS: PreparedStatement = {
  name: 'api-key-by-ids',
  text: `SELECT ${LIVING_COLUMNS} FROM api_keys k WHERE k.id = ANY ($1::uuid[]) AND ${LIVING}`,
};
const FOREIGN: PreparedStatement = {
  name: 'api-key-foreign-attachments',
  text: `SELECT array(SELECT i FROM unnest($2::uuid[]) i EXCEPT SELECT id FROM bots WHERE account_id = $1)::text[] AS bots,
                array(SELECT i FROM unnest($3::uuid[]) i EXCEPT SELECT id FROM assistants WHERE account_id = $1)::text[] AS assistants`,
};

/** API keys: found across accounts by hash, for the account is what a key tells. */
@Injectable()
export class ApiKeyRepository {
  constructor(private readonly database: Database) {}

  async list(accountId: string | null, beforeId: string | null, limit: number): Promise<ApiKeyRow[]> {
    return this.database.run<ApiKeyRow>(LIST, [accountId, beforeId, limit]);
  }

  async create(key: NewApiKey): Promise<ApiKeyRow> {
    const { id, accountId, name, prefix, keyHash, scopes, botIds, assistantIds, expiresAt } = key;
    const values = [id, accountId, name, prefix, keyHash, scopes, botIds, assistantIds, expiresAt];
    const [row] = await this.database.run<ApiKeyRow>(CREATE, values);
    if (!row) throw new Error('an insert returned no row');
    return row;
  }

  /** Revokes at once and for good; a key revoked before keeps its time. Null when there is no such key. */
  async revoke(id: string): Promise<ApiKeyRow | null> {
    const [row] = await this.database.run<ApiKeyRow>(REVOKE, [id]);
    return row ?? null;
  }

  async findLivingByHash(keyHash: Buffer): Promise<LivingKey | null> {
    const [row] = await this.database.run<LivingKey>(LIVING_BY_HASH, [keyHash]);
    return row ?? null;
  }

  async findLivingByIds(ids: readonly string[]): Promise<LivingKey[]> {
    return this.database.run<LivingKey>(LIVING_BY_IDS, [ids]);
  }

  /** Which of these bots and agents are not the account's. */
  async foreignAttachments(
    accountId: string,
    botIds: readonly string[],
    assistantIds: readonly string[],
  ): Promise<{ bots: string[]; assistants: string[] }> {
    const values = [accountId, botIds, assistantIds];
    const [row] = await this.database.run<{ bots: string[]; assistants: string[] }>(FOREIGN, values);
    return row ?? { bots: [], assistants: [] };
  }
}
