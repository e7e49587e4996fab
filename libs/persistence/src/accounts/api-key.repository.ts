import { Injectable } from '@nestjs/common';
import { Database, type PreparedStatement } from '../database/database.service';
import { IS_LIVING_KEY, LIVING_KEY_COLUMNS, type LivingKey } from './living-key.columns';

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
  /** The last accepted call or, to a minute, connection for boards; what is refused leaves no trace. */
  last_used_at: Date | null;
}

export interface NewApiKey {
  id: string;
  accountId: string | null;
  name: string;
  prefix: string;
  keyHash: Buffer;
  scopes: string[];
  botIds: string[];
  assistantIds: string[];
  expiresAt: Date | null;
}

export interface NotOwned {
  bots: string[];
  assistants: string[];
}

/** Whose a handshake is, is known only afterwards: all of them are one crowd. */
const HANDSHAKES = 'handshakes';

const OWN_COLUMNS = `k.id, k.account_id, k.name, k.prefix, k.scopes, k.bot_ids, k.assistant_ids, k.created_at,
  k.expires_at, k.revoked_at`;
const COLUMNS = `${OWN_COLUMNS}, (SELECT max(u.at) FROM (
     SELECT w.hits[cardinality(w.hits)] AS at FROM rate_windows w WHERE w.key_id = k.id
     UNION ALL SELECT to_timestamp(b.head) FROM rate_buckets b WHERE b.key_id = k.id) u) AS last_used_at`;

const LIST: PreparedStatement = {
  name: 'api-key-list',
  text: `SELECT ${COLUMNS} FROM api_keys k
          WHERE k.id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AND ($1::uuid IS NULL OR k.account_id = $1)
          ORDER BY k.id DESC LIMIT $3`,
};
/** With its answer, so that no key lives on of which nobody was told. */
const CREATE: PreparedStatement = {
  name: 'api-key-create',
  text: `WITH k AS (
           INSERT INTO api_keys (id, account_id, name, prefix, key_hash, scopes, bot_ids, assistant_ids, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           RETURNING id, account_id, name, prefix, scopes, bot_ids, assistant_ids, created_at, expires_at, revoked_at)
         SELECT ${COLUMNS} FROM k`,
};
const REVOKE: PreparedStatement = {
  name: 'api-key-revoke',
  text: `WITH revoked AS (
           UPDATE api_keys k SET revoked_at = coalesce(k.revoked_at, clock_timestamp()) WHERE k.id = $1
           RETURNING ${OWN_COLUMNS})
         SELECT ${COLUMNS} FROM revoked k`,
};
const LIVING_BY_HASH: PreparedStatement = {
  name: 'api-key-by-hash',
  text: `SELECT ${LIVING_KEY_COLUMNS} FROM api_keys k WHERE k.key_hash = $1 AND ${IS_LIVING_KEY}`,
};
const LIVING_BY_IDS: PreparedStatement = {
  name: 'api-key-by-ids',
  text: `SELECT ${LIVING_KEY_COLUMNS} FROM api_keys k WHERE k.id = ANY ($1::uuid[]) AND ${IS_LIVING_KEY}`,
};
/** Beside the windows of its calls, of a scope that no limit counts. */
const NOTE_BOARDS: PreparedStatement = {
  name: 'api-key-note-boards',
  text: `INSERT INTO rate_windows (key_id, scope, hits)
         SELECT id, 'board', ARRAY[clock_timestamp()] FROM unnest($1::uuid[]) id
          WHERE NOT EXISTS (SELECT FROM rate_windows n WHERE n.key_id = id AND n.scope = 'board'
                               AND n.hits[1] BETWEEN clock_timestamp() - interval '60 s' AND clock_timestamp() + interval '60 s')
          ORDER BY id
         ON CONFLICT (key_id, scope) DO UPDATE SET hits = EXCLUDED.hits`,
};
const NOT_OWNED: PreparedStatement = {
  name: 'api-key-not-owned',
  text: `SELECT array(SELECT unnest($2::uuid[]) EXCEPT SELECT id FROM bots WHERE account_id = $1) AS bots,
                array(SELECT unnest($3::uuid[]) EXCEPT SELECT id FROM assistants WHERE account_id = $1) AS assistants`,
};
const IS_AHEAD: PreparedStatement = {
  name: 'api-key-expiry-ahead',
  text: `SELECT $1::timestamptz > clock_timestamp() AS ahead`,
};

/** API keys: found across accounts by hash, for the account is what a key tells. */
@Injectable()
export class ApiKeyRepository {
  constructor(private readonly database: Database) {}

  async list(accountId: string | null, beforeId: string | null, limit: number): Promise<ApiKeyRow[]> {
    return this.database.run<ApiKeyRow>(LIST, [accountId, beforeId, limit]);
  }

  async create(key: NewApiKey): Promise<ApiKeyRow | null> {
    const [row] = await this.database.run<ApiKeyRow>(CREATE, [
      key.id,
      key.accountId,
      key.name,
      key.prefix,
      key.keyHash,
      key.scopes,
      key.botIds,
      key.assistantIds,
      key.expiresAt,
    ]);
    return row ?? null;
  }

  /** Whether a time lies ahead by the clock that will hold keys against it. */
  async isAhead(time: Date): Promise<boolean> {
    const [row] = await this.database.run<{ ahead: boolean }>(IS_AHEAD, [time]);
    return row?.ahead === true;
  }

  /** Revokes at once and for good; a key revoked before keeps its time. Null when there is no such key. */
  async revoke(id: string): Promise<ApiKeyRow | null> {
    const [row] = await this.database.run<ApiKeyRow>(REVOKE, [id]);
    return row ?? null;
  }

  async findLivingByHash(keyHash: Buffer): Promise<LivingKey | null> {
    const [row] = await this.database.runFor<LivingKey>(HANDSHAKES, LIVING_BY_HASH, [keyHash]);
    return row ?? null;
  }

  async findLivingByIds(ids: readonly string[]): Promise<LivingKey[]> {
    return this.database.run<LivingKey>(LIVING_BY_IDS, [ids]);
  }

  /** Notes that these keys are connected for boards, for {@link ApiKeyRow.last_used_at}. */
  async noteBoards(ids: readonly string[]): Promise<void> {
    await this.database.run(NOTE_BOARDS, [ids]);
  }

  /** Of these bots and agents those that the account does not have. */
  async notOwned(
    accountId: string,
    botIds: readonly string[],
    assistantIds: readonly string[],
  ): Promise<NotOwned> {
    const [row] = await this.database.run<NotOwned>(NOT_OWNED, [accountId, botIds, assistantIds]);
    return row ?? { bots: [], assistants: [] };
  }
}
