import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { ApiKeyRepository } from '@app/persistence/accounts/api-key.repository';
import { AccountRepository } from '@app/persistence/accounts/account.repository';
import { idOrNothing, isUuid } from '@app/contracts/uuid.format';
import type { FieldFault } from '@app/contracts/coded.error';
import { ValidationError } from '@app/contracts/validation.error';
import { Injectable } from '@nestjs/common';
import {
  AccountNotFoundError,
  ApiKeyNotFoundError,
  UnauthorizedError,
  UnknownAssistantError,
  UnknownBotError,
} from './account.errors';
import { hashKey } from './admission.service';
import { presentApiKey, type ApiKey } from './api-key.presenter';
import { principalOf, requireScope, type Principal, type Scope } from './principal.rules';

export interface ApiKeyRequest {
  /** Absent for an admin key, which belongs to no account. */
  accountId?: string;
  name: string;
  scopes: readonly Scope[];
  botIds: readonly string[];
  assistantIds: readonly string[];
  expiresAt?: Date;
}

/** A new key; `key` is shown this once. */
export type IssuedApiKey = ApiKey & { key: string };

const PREFIX = 'll_';
const SHOWN_CHARACTERS = 10;

/** A key of 256 random bits with the prefix by which scanners and people recognise it. */
function generateKey(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** The part of a key that may be shown again. */
export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

/** Each id once, however it is written. */
const namedOnce = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];

/** API keys: governed by the installation's admins alone, and recognised. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly accounts: AccountRepository,
  ) {}

  /**
   * Issues a key.
   * @throws AccountNotFoundError, UnknownBotError, UnknownAssistantError, or ValidationError for scopes that do not go
   * together or an expiry in the past.
   */
  async issue(by: Principal, request: ApiKeyRequest): Promise<IssuedApiKey> {
    requireScope(by, ['admin']);
    const { accountId, scopes, expiresAt } = request;
    const [botIds, assistantIds] = [request.botIds, request.assistantIds].map(namedOnce) as [
      string[],
      string[],
    ];
    const faults: FieldFault[] = [];
    if (scopes.includes('admin')) {
      if (scopes.length > 1) faults.push({ path: 'scopes', message: "'admin' stands alone" });
      if (accountId !== undefined) {
        faults.push({ path: 'account_id', message: 'must be absent: an admin key belongs to no account' });
      }
      if (botIds.length > 0)
        faults.push({ path: 'bot_ids', message: 'must be absent or empty for an admin key' });
      if (assistantIds.length > 0) {
        faults.push({ path: 'assistant_ids', message: 'must be absent or empty for an admin key' });
      }
    } else if (accountId === undefined) {
      faults.push({ path: 'account_id', message: 'is required unless the scope is admin' });
    }
    if (expiresAt && !(await this.keys.isAhead(expiresAt))) {
      faults.push({ path: 'expires_at', message: 'must lie in the future' });
    }
    if (faults.length > 0) throw new ValidationError(faults);
    if (accountId !== undefined) await this.requireOwned(accountId, botIds, assistantIds);
    const key = generateKey();
    const row = await this.keys.create({
      id: randomUUIDv7(),
      accountId: accountId ?? null,
      name: request.name,
      prefix: shownPrefix(key),
      keyHash: hashKey(key),
      scopes: [...scopes],
      botIds,
      assistantIds,
      expiresAt: expiresAt ?? null,
    });
    if (!row) throw new ApiKeyNotFoundError();
    return { ...presentApiKey(row), key };
  }

  /** Keys, newest first; of one account when it is given. */
  async list(
    by: Principal,
    accountId: string | null,
    beforeId: string | null,
    limit: number,
  ): Promise<ApiKey[]> {
    requireScope(by, ['admin']);
    if (accountId !== null && !isUuid(accountId)) return [];
    return (await this.keys.list(accountId, beforeId, limit)).map(presentApiKey);
  }

  /**
   * Revokes a key on every process within a second, its open sockets within two.
   * @throws ApiKeyNotFoundError
   */
  async revoke(by: Principal, id: string): Promise<ApiKey> {
    requireScope(by, ['admin']);
    const row = isUuid(id) ? await this.keys.revoke(id) : null;
    if (!row) throw new ApiKeyNotFoundError();
    return presentApiKey(row);
  }

  /**
   * Recognises a living key without counting a call, as a socket's handshake does.
   * @throws UnauthorizedError
   */
  async recognise(key: string | undefined): Promise<Principal> {
    const row = key ? await this.keys.findLivingByHash(hashKey(key)) : null;
    if (!row) throw new UnauthorizedError();
    return principalOf(row);
  }

  /** Of these keys those that still live, as they stand now. */
  async stillLiving(keyIds: readonly string[]): Promise<Map<string, Principal>> {
    const rows = await this.keys.findLivingByIds(keyIds);
    return new Map(rows.map((row) => [row.id, principalOf(row)]));
  }

  /**
   * For work that goes on long after its key was looked at.
   * @throws UnauthorizedError when the key has been revoked or has expired since.
   */
  async requireStillLiving({ keyId }: Principal): Promise<void> {
    if (!(await this.stillLiving([keyId])).has(keyId)) throw new UnauthorizedError();
  }

  /** Notes that keys are in use by connections for boards, which make no calls; to a minute. */
  async noteBoards(keyIds: readonly string[]): Promise<void> {
    if (keyIds.length > 0) await this.keys.noteBoards(keyIds);
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
