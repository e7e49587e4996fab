import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { ApiKeyRepository, type ApiKeyRow } from '@app/persistence/accounts/keys/api-key.repository';
import type { Reach } from '@app/persistence/accounts/reach-scope';
import { AccountRepository } from '@app/persistence/accounts/account.repository';
import { idOrNothing, isUuid } from '@app/contracts/uuid.format';
import { type FieldViolation, ValidationError } from '@app/contracts/coded.errors';
import { Injectable } from '@nestjs/common';
import { AccountCaps } from '../account-caps';
import {
  AccountNotFoundError,
  ApiKeyNotFoundError,
  ForbiddenError,
  ApiKeyRevokedError,
  UnauthorizedError,
  UnknownAssistantError,
  UnknownBotError,
} from '../account.errors';
import { Audit } from '../../audit/audit.service';
import { SECRET_CHANGED, type AuditedThing } from '../../audit/audited-thing';
import type { Scope } from '../access-table';
import { hashKey } from './admission.service';
import { presentApiKey, type ApiKey, violationsOfChangedReach, violationsOfReach } from './api-key.rules';
import { accountNamed, narrowed, principalOf, reachOf, type Principal } from '../principal.rules';

/** A key as the audit shows it, without anything of its secret. */
const AUDITED_KEY: AuditedThing<ApiKeyRow> = {
  type: 'key',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['name', 'scopes', 'bot_ids', 'assistant_ids', 'limit_leads', 'limit_general'] as const),
    ...(['expires_at', 'revoked_at'] as const),
  ],
};

/** What a new key may do. Its account is given separately. */
export interface ApiKeySettings {
  name: string;
  scopes: readonly Scope[];
  botIds: readonly string[];
  assistantIds: readonly string[];
  /** Calls allowed in any 60 seconds; null: the default limit. */
  limitLeads: number | null;
  limitGeneral: number | null;
  /** Null: never. */
  expiresAt: Date | null;
}

/** An absent field means null. */
export interface ApiKeyRequest
  extends
    Omit<ApiKeySettings, 'limitLeads' | 'limitGeneral' | 'expiresAt'>,
    Partial<Pick<ApiKeySettings, 'limitLeads' | 'limitGeneral' | 'expiresAt'>> {
  /** Absent for an admin key, which belongs to no account. */
  accountId?: string;
}

/** A new key; `key` is shown this once. */
export type IssuedApiKey = ApiKey & { key: string };

/** A key with a new secret; `key` is shown this once. */
export interface RotatedApiKey {
  id: string;
  key: string;
  old_key_expires_at: string;
}

/** For so long the old secret is good too, unless told otherwise. */
export const KEY_OVERLAP_HOURS = 24;
export const KEY_OVERLAP_HOURS_MAX = 720;

const PREFIX = 'll_';
const SHOWN_CHARACTERS = 10;

/** A key of 256 random bits. Its prefix lets people and secret scanners recognise it. */
function generateKey(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** The beginning of a key, which may be shown again. */
export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

/** Each id once, whatever its letter case. */
const namedOnce = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

const attachmentsOf = ({ botIds, assistantIds }: Pick<ApiKeySettings, 'botIds' | 'assistantIds'>) => ({
  botIds: namedOnce(botIds),
  assistantIds: namedOnce(assistantIds),
});

/** @throws ForbiddenError for the scope `admin`, which governs all accounts, from whoever governs one. */
function requireOwnScopes({ accountId }: Reach, scopes: readonly Scope[]): void {
  if (accountId !== null && scopes.includes('admin')) throw ForbiddenError.ofPerson(null);
}

/** API keys. Admins of the installation, and those of an account for its keys, issue, change and revoke them. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly accounts: AccountRepository,
    private readonly audit: Audit,
    private readonly caps: AccountCaps,
  ) {}

  /**
   * Issues a key.
   * @throws AccountNotFoundError, UnknownBotError, UnknownAssistantError, or ValidationError for scopes that do not go
   * together or an expiry in the past.
   */
  async issue(by: Principal, request: ApiKeyRequest): Promise<IssuedApiKey> {
    const governed = reachOf(by);
    const { name, scopes, limitLeads = null, limitGeneral = null, expiresAt = null } = request;
    requireOwnScopes(governed, scopes);
    const accountId = this.accountOf(governed, request.accountId);
    const reach = { accountId, scopes, ...attachmentsOf(request) };
    await this.requireValid(violationsOfReach(reach), expiresAt);
    if (accountId !== null) await this.requireOwned(accountId, reach.botIds, reach.assistantIds);
    const key = generateKey();
    const made = {
      ...reach,
      id: randomUUIDv7(),
      name,
      prefix: shownPrefix(key),
      keyHash: hashKey(key),
      scopes: [...scopes],
      limitLeads,
      limitGeneral,
      expiresAt,
    };
    const row = await this.audit.change(by, 'key.create', AUDITED_KEY, (entryOf) =>
      this.keys.create(made, this.caps.keys, entryOf),
    );
    return { ...presentApiKey(row), key };
  }

  /** Keys, newest first. With an account, only the keys of that account. */
  async list(
    by: Principal,
    accountId: string | null,
    beforeId: string | null,
    limit: number,
  ): Promise<ApiKey[]> {
    const reach = narrowed(reachOf(by), accountId);
    if (!reach) return [];
    return (await this.keys.list(reach, beforeId, limit)).map(presentApiKey);
  }

  /**
   * Changes the fields that are given. Applies to the key's next call on every process, and within two seconds to its
   * open boards.
   * @throws ApiKeyNotFoundError, UnknownBotError, UnknownAssistantError, or ValidationError as for a new key.
   */
  async change(by: Principal, id: string, change: Partial<ApiKeySettings>): Promise<ApiKey> {
    const governed = reachOf(by);
    requireOwnScopes(governed, change.scopes ?? []);
    const row = await this.require(governed, id);
    const { account_id: accountId } = row;
    const reach = {
      accountId,
      scopes: change.scopes ?? (row.scopes as Scope[]),
      ...attachmentsOf({
        botIds: change.botIds ?? row.bot_ids,
        assistantIds: change.assistantIds ?? row.assistant_ids,
      }),
    };
    await this.requireValid(violationsOfChangedReach(reach), change.expiresAt ?? null);
    if (accountId !== null) await this.requireOwned(accountId, reach.botIds, reach.assistantIds);
    const { scopes, botIds, assistantIds } = change;
    const given = {
      ...change,
      scopes: scopes && [...scopes],
      botIds: botIds && reach.botIds,
      assistantIds: assistantIds && reach.assistantIds,
    };
    await this.audit.change(by, 'key.update', AUDITED_KEY, (entryOf) =>
      this.keys.change(row, given, entryOf),
    );
    return presentApiKey(await this.require(governed, id));
  }

  /**
   * Gives a key a new secret. The key stays what it is: its id, counters, attachments. Its present secret is good for
   * `overlapHours` more by the database's clock; one that a former rotation left is not any more.
   * @throws ApiKeyNotFoundError, ApiKeyRevokedError
   */
  async rotate(by: Principal, id: string, overlapHours = KEY_OVERLAP_HOURS): Promise<RotatedApiKey> {
    const row = await this.require(reachOf(by), id);
    const key = generateKey();
    const secret = { keyHash: hashKey(key), prefix: shownPrefix(key) };
    const subject = { type: AUDITED_KEY.type, ...AUDITED_KEY.subjectOf(row) };
    const expiresAt = await this.audit.act(
      by,
      'key.rotate',
      ({ oldKeyExpiresAt }: { oldKeyExpiresAt: Date }) => ({
        subject,
        after: { key: SECRET_CHANGED, old_key_expires_at: oldKeyExpiresAt },
      }),
      (entryOf) => this.keys.rotate(row, secret, overlapHours, entryOf),
    );
    if (!expiresAt) throw new ApiKeyNotFoundError();
    if (expiresAt === 'revoked') throw new ApiKeyRevokedError();
    return { id: row.id, key, old_key_expires_at: expiresAt.toISOString() };
  }

  /**
   * Revokes a key: on every process within a second, on its open sockets within two.
   * @throws ApiKeyNotFoundError
   */
  async revoke(by: Principal, id: string): Promise<ApiKey> {
    const known = await this.require(reachOf(by), id);
    const row = await this.audit.change(by, 'key.revoke', AUDITED_KEY, (entryOf) =>
      this.keys.revoke(known, entryOf),
    );
    if (!row) throw new ApiKeyNotFoundError();
    return presentApiKey(row);
  }

  /**
   * Recognises an active key without counting a call, as a socket's handshake does.
   * @throws UnauthorizedError
   */
  async recognise(key: string | undefined): Promise<Principal> {
    const hash = key ? hashKey(key) : null;
    const row = hash && (await this.keys.findActiveByHash(hash));
    if (!row) throw new UnauthorizedError();
    return principalOf(row, hash);
  }

  /** Those among the given callers whose key is still active, with its present rights, by `secretHash`. */
  async stillActive(callers: readonly Pick<Principal, 'secretHash'>[]): Promise<Map<string, Principal>> {
    const hashes = [...new Set(callers.map(({ secretHash = '' }) => secretHash))];
    const rows = await this.keys.findActiveByHashes(hashes.map((hash) => Buffer.from(hash, 'base64')));
    return new Map(rows.map((row) => [row.key_hash.toString('base64'), principalOf(row, row.key_hash)]));
  }

  /** Records when keys were last used by board connections, which make no calls. Accurate to a minute. */
  async noteBoards(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length > 0) await this.keys.noteBoards(keyIds);
  }

  /** The account that a new key belongs to; null: none. */
  private accountOf(reach: Reach, named: string | undefined): string | null {
    return reach.accountId === null ? (named ?? null) : accountNamed(reach, named);
  }

  private async require(reach: Reach, id: string): Promise<ApiKeyRow> {
    const row = isUuid(id) ? await this.keys.find(reach, id) : null;
    if (!row) throw new ApiKeyNotFoundError();
    return row;
  }

  private async requireValid(violations: FieldViolation[], expiresAt: Date | null): Promise<void> {
    if (expiresAt && !(await this.keys.isAhead(expiresAt))) {
      violations.push({ path: 'expires_at', message: 'must lie in the future' });
    }
    ValidationError.throwIfAny(violations);
  }

  private async requireOwned(
    accountId: string,
    botIds: readonly string[],
    assistantIds: readonly string[],
  ): Promise<void> {
    if (!isUuid(accountId) || !(await this.accounts.find(accountId))) throw new AccountNotFoundError();
    const [bots, assistants] = [botIds.map(idOrNothing), assistantIds.map(idOrNothing)];
    const unknown = await this.keys.notOwned(accountId, bots, assistants);
    if (unknown.bots.length > 0) throw new UnknownBotError();
    if (unknown.assistants.length > 0) throw new UnknownAssistantError();
  }
}
