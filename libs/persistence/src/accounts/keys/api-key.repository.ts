import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, type QueryDeepPartialEntity, type Repository } from 'typeorm';
import { AuditRepository, type AuditEntryOf, type Changed } from '../../audit/audit.repository';
import { Database } from '../../database/database.service';
import { Entities } from '../../database/entities.service';
import { requireRoom } from '../../database/room-check';
import type { NotNull } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import {
  ApiKeyEntity,
  ACTIVE_KEY_COLUMNS,
  IS_ACTIVE_KEY,
  SECRET_IS,
  type ActiveKey,
  type Secret,
} from './api-key.entity';
import { inAccount, ownerOf, type Reach } from '../reach-scope';

/** A key as it may be shown: everything except its hash. */
export type ApiKeyRow = Omit<ApiKeyEntity, 'key_hash' | 'old_key_hash' | 'old_key_expires_at'>;

/** The hash is that of the secret by which it was found. */
export type ActiveKeyOfHash = ActiveKey & Pick<ApiKeyEntity, 'key_hash'>;

export interface NewApiKey {
  id: string;
  accountId: string | null;
  name: string;
  prefix: string;
  keyHash: Buffer;
  scopes: string[];
  botIds: string[];
  assistantIds: string[];
  limitLeads: number | null;
  limitGeneral: number | null;
  expiresAt: Date | null;
}

/** A key, and whose it is; null: it administers every account. */
export type ApiKeyOfAccount = Pick<ApiKeyEntity, 'account_id' | 'id'>;

/** Undefined fields stay. */
export type ApiKeyChange = Partial<Omit<NewApiKey, 'id' | 'accountId' | 'prefix' | 'keyHash'>>;

const columnsOf = (given: ApiKeyChange): Partial<ApiKeyEntity> => ({
  name: given.name,
  scopes: given.scopes,
  bot_ids: given.botIds,
  assistant_ids: given.assistantIds,
  limit_leads: given.limitLeads,
  limit_general: given.limitGeneral,
  expires_at: given.expiresAt,
});

/** Ids that are not the account's. */
export interface NotOwned {
  bots: string[];
  assistants: string[];
}

/** The account of a handshake is known only afterwards, so all handshakes form one group. */
const HANDSHAKES = 'handshakes';

const bySecret = (secret: Secret, hash: string): string => `
  SELECT ${ACTIVE_KEY_COLUMNS} FROM api_keys k WHERE ${SECRET_IS[secret](hash)} AND ${IS_ACTIVE_KEY}`;
const byEither = (hash: string): string =>
  `${bySecret('present', hash)} UNION ALL ${bySecret('old', hash)} LIMIT 1`;
const ACTIVE_BY_HASH = statement('api-key-by-hash').takes('keyHash').returns<ActiveKey>(byEither(':keyHash'));
const ACTIVE_BY_HASHES = statement('api-key-by-hashes').takes('hashes').returns<ActiveKeyOfHash>(`
  SELECT q.key_hash, key.* FROM unnest(:hashes::bytea[]) q (key_hash) CROSS JOIN LATERAL (${byEither('q.key_hash')}) key`);
/** Stored among the windows of its calls, under a scope that no limit counts. */
const NOTE_BOARDS = statement('api-key-note-boards').takes('ids').returns(`
  INSERT INTO rate_windows (key_id, scope, hits)
  SELECT id, 'board', ARRAY[clock_timestamp()] FROM unnest(:ids::uuid[]) id
   WHERE NOT EXISTS (SELECT FROM rate_windows n WHERE n.key_id = id AND n.scope = 'board'
                        AND n.hits[1] BETWEEN clock_timestamp() - interval '60 s' AND clock_timestamp() + interval '60 s')
   ORDER BY id
  ON CONFLICT (key_id, scope) DO UPDATE SET hits = EXCLUDED.hits`);
const NOT_OWNED = statement('api-key-not-owned').takes('accountId', 'botIds', 'assistantIds')
  .returns<NotOwned>(`
  SELECT array(SELECT unnest(:botIds::uuid[]) EXCEPT SELECT id FROM bots WHERE account_id = :accountId) AS bots,
         array(SELECT unnest(:assistantIds::uuid[]) EXCEPT SELECT id FROM assistants WHERE account_id = :accountId) AS assistants`);
/**
 * The end of the old secret is read after the lock: of rotations at once, the later one ends later. It is a whole number
 * of milliseconds, as it is answered. A revoked key gets no secret.
 */
const ROTATE = statement('api-key-rotate').takes('id', 'keyHash', 'prefix', 'overlapHours').returns<
  { rotated: boolean } & NotNull<Pick<ApiKeyEntity, 'old_key_expires_at'>>
>(`
  WITH locked AS MATERIALIZED (
    SELECT k.id, k.key_hash, k.revoked_at FROM api_keys k WHERE k.id = :id FOR UPDATE),
  old AS MATERIALIZED (
    SELECT l.id, l.key_hash, l.revoked_at,
           date_trunc('milliseconds', clock_timestamp()) + make_interval(hours => :overlapHours) AS expires_at
      FROM locked l),
  rotated AS (
    UPDATE api_keys k SET key_hash = :keyHash, prefix = :prefix, old_key_hash = old.key_hash, old_key_expires_at = old.expires_at
      FROM old WHERE k.id = old.id AND old.revoked_at IS NULL
    RETURNING k.id)
  SELECT EXISTS (SELECT FROM rotated) AS rotated, old.expires_at AS old_key_expires_at FROM old`);
const IS_AHEAD = statement('api-key-expiry-ahead')
  .takes('time')
  .returns<{ ahead: boolean }>(`SELECT :time::timestamptz > clock_timestamp() AS ahead`);

/** API keys. They are found across accounts by hash, because the account is known only from the key. */
@Injectable()
export class ApiKeyRepository {
  constructor(
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
    private readonly entities: Entities,
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** Newest first. */
  async list(reach: Reach, beforeId: string | null, limit: number): Promise<ApiKeyRow[]> {
    const where = {
      ...inAccount(reach),
      ...(beforeId !== null && { id: LessThan(beforeId) }),
    };
    return this.entities.useFor(ownerOf(reach), this.keys, (keys) =>
      keys.find({ where, order: { id: 'DESC' }, take: limit }),
    );
  }

  /** With its answer in one transaction, so that no key exists that no one received. */
  /** @throws LimitReachedError where the account has so many; a key that governs the installation has no limit */
  async create(key: NewApiKey, most: number, entryOf: AuditEntryOf<Changed<ApiKeyRow>>): Promise<ApiKeyRow> {
    const { id, accountId, prefix, keyHash } = key;
    const own = { id, account_id: accountId, prefix, key_hash: keyHash };
    return this.entities.transactFor(ownerOf({ accountId }), async (manager) => {
      if (accountId !== null) {
        const present = { account_id: accountId, revoked_at: IsNull() };
        await requireRoom(manager, ApiKeyEntity, present, { most, what: 'API keys', remedy: 'revoke' });
      }
      await manager.insert(ApiKeyEntity, { ...own, ...columnsOf(key) });
      const after = await manager.findOneByOrFail(ApiKeyEntity, { id });
      await this.audit.append(manager, entryOf({ before: null, after }));
      return after;
    });
  }

  async find(reach: Reach, id: string): Promise<ApiKeyRow | null> {
    return this.entities.useFor(ownerOf(reach), this.keys, (keys) =>
      keys.findOneBy({ ...inAccount(reach), id }),
    );
  }

  /** Changes the fields that are given. Does nothing when the key does not exist. */
  async change(
    key: ApiKeyOfAccount,
    change: ApiKeyChange,
    entryOf: AuditEntryOf<Changed<ApiKeyRow>>,
  ): Promise<void> {
    const given = columnsOf(change);
    if (Object.values(given).every((value) => value === undefined)) return;
    await this.audited(key, entryOf, given);
  }

  /** Whether a time is in the future, by the clock that expiry is checked with. */
  async isAhead(time: Date): Promise<boolean> {
    const [row] = await this.database.run(IS_AHEAD, { time });
    return row?.ahead === true;
  }

  /** Revokes at once and for good. A key revoked before keeps its time. Null when there is no such key. */
  async revoke(key: ApiKeyOfAccount, entryOf: AuditEntryOf<Changed<ApiKeyRow>>): Promise<ApiKeyRow | null> {
    return this.audited(key, entryOf, { revoked_at: () => 'coalesce(revoked_at, clock_timestamp())' });
  }

  /** A change of a key with its entry; null when there is no such key. */
  private async audited(
    { account_id: accountId, id }: ApiKeyOfAccount,
    entryOf: AuditEntryOf<Changed<ApiKeyRow>>,
    change: QueryDeepPartialEntity<ApiKeyEntity>,
  ): Promise<ApiKeyRow | null> {
    return this.entities.transactFor(ownerOf({ accountId }), async (manager) => {
      const lock = { mode: 'for_no_key_update' } as const;
      if (!(await manager.findOne(ApiKeyEntity, { select: { id: true }, where: { id }, lock }))) return null;
      const before = await manager.findOneByOrFail(ApiKeyEntity, { id });
      await manager.update(ApiKeyEntity, { id }, change);
      const after = await manager.findOneByOrFail(ApiKeyEntity, { id });
      await this.audit.append(manager, entryOf({ before, after }));
      return after;
    });
  }

  /**
   * Gives a key a new secret. The present one is good for some hours more, the one before it no longer.
   * @returns when the old one ends; 'revoked', or null when there is no such key
   */
  async rotate(
    { account_id: accountId, id }: ApiKeyOfAccount,
    secret: Pick<NewApiKey, 'keyHash' | 'prefix'>,
    overlapHours: number,
    entryOf: AuditEntryOf<{ oldKeyExpiresAt: Date }>,
  ): Promise<Date | 'revoked' | null> {
    return this.database.transactFor(ownerOf({ accountId }), async (tx) => {
      const [row] = await tx.run(ROTATE, { id, ...secret, overlapHours });
      if (!row) return null;
      if (!row.rotated) return 'revoked';
      await this.audit.append(tx, entryOf({ oldKeyExpiresAt: row.old_key_expires_at }));
      return row.old_key_expires_at;
    });
  }

  async findActiveByHash(keyHash: Buffer): Promise<ActiveKey | null> {
    const [row] = await this.database.runFor(HANDSHAKES, ACTIVE_BY_HASH, { keyHash });
    return row ?? null;
  }

  /** By the hashes of their secrets. */
  async findActiveByHashes(hashes: readonly Buffer[]): Promise<ActiveKeyOfHash[]> {
    return this.database.run(ACTIVE_BY_HASHES, { hashes });
  }

  /** Records that these keys have board connections, for {@link ApiKeyRow.last_used_at}. */
  async noteBoards(ids: readonly string[]): Promise<void> {
    await this.database.run(NOTE_BOARDS, { ids });
  }

  /** Those of the given bots and agents that the account does not have. */
  async notOwned(
    accountId: string,
    botIds: readonly string[],
    assistantIds: readonly string[],
  ): Promise<NotOwned> {
    const [row] = await this.database.runFor(accountId, NOT_OWNED, { accountId, botIds, assistantIds });
    return row ?? { bots: [], assistants: [] };
  }
}
