import { randomUUIDv7 } from 'node:crypto';
import { OVERLAP_HOURS, ALL_EVENTS, type EndpointState } from '@app/contracts/webhook.words';
import { idOrNothing, isUuid } from '@app/contracts/uuid.format';
import { ValidationError } from '@app/contracts/coded.errors';
import { AccountRepository } from '@app/persistence/accounts/account.repository';
import { UserRepository } from '@app/persistence/accounts/people/user.repository';
import type { Changed } from '@app/persistence/audit/audit.repository';
import {
  ENDPOINTS_MAX,
  WebhookEndpointRepository,
  type AuditedEndpoint,
  type EndpointKey,
  type EndpointSettings,
  type ListedEndpoint,
} from '@app/persistence/webhooks-out/webhook-endpoint.repository';
import { Injectable } from '@nestjs/common';
import { AccountNotFoundError, UnknownAssistantError } from '../../accounts/account.errors';
import { reachOf, type Principal, accountNamed, narrowed } from '../../accounts/principal.rules';
import { SecretCipher, newSigningSecret } from '../../accounts/secret-cipher.port';
import { untilEarlierPermitsAreVoid } from '../../accounts/void-permits';
import { HttpToolCaller } from '../../assistants/http-tool.port';
import { Audit } from '../../audit/audit.service';
import { WorkNotifier } from '../../work/work-notifier';
import { SECRET_CHANGED } from '../../audit/audited-thing';
import { endpointAct, ofEndpoint, presentEndpoint, type Endpoint } from './endpoint.presenter';
import { EndpointNotFoundError } from './endpoint.errors';
import { EndpointNotifier } from '../sending/endpoint-notifier';
import { secretBoundTo } from './endpoint-secrets';

/** The settings of a new endpoint that may be absent. */
const DEFAULTS = { assistant_ids: null, max_per_second: null, description: '' } as const;

/** A new endpoint as it is given. */
export type NewEndpoint = Pick<EndpointSettings, 'url' | 'events'> & Partial<EndpointSettings>;

/** What changes of an endpoint. Undefined fields stay. */
export type EndpointChange = Partial<EndpointSettings> & { disabled?: boolean };

/** An endpoint with its secret, which is shown this once. */
export type IssuedEndpoint = Endpoint & { secret: string };

/** An endpoint's new secret, which is shown this once. */
export interface RotatedSecret {
  id: string;
  secret: string;
  /** Until then the former one signs too; null: it does not any more. */
  old_secret_expires_at: string | null;
}

/** Addresses of accounts to which events go out. Admins govern those of the own account. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly cipher: SecretCipher,
    private readonly caller: HttpToolCaller,
    private readonly audit: Audit,
    private readonly work: WorkNotifier,
    private readonly notifier: EndpointNotifier,
  ) {}

  /** Newest first. With an account, only its own. */
  async list(
    by: Principal,
    accountId: string | null,
    before: string | null,
    limit: number,
  ): Promise<Endpoint[]> {
    const reach = narrowed(reachOf(by), accountId);
    return reach ? (await this.endpoints.list(reach, before, limit)).map(presentEndpoint) : [];
  }

  /** How many endpoints all accounts have, by how they fare; null while the database is away. */
  async countByState(): Promise<ReadonlyMap<EndpointState, number> | null> {
    const counted = await this.endpoints.countByState().catch(() => null);
    return counted && new Map(counted.map(({ state, endpoints }) => [state, endpoints]));
  }

  /** @throws EndpointNotFoundError */
  async get(by: Principal, id: string): Promise<Endpoint> {
    return presentEndpoint(await this.require(by, id));
  }

  /**
   * Events that happen from now on go to it.
   * @throws AccountNotFoundError, UnknownAssistantError, or ValidationError for an address that is not called, or one
   * endpoint more than an account may have
   */
  async create(by: Principal, accountId: string | undefined, given: NewEndpoint): Promise<IssuedEndpoint> {
    const account = await this.accounts.find(accountNamed(reachOf(by), accountId));
    if (!account) throw new AccountNotFoundError();
    const key = { accountId: account.id, endpointId: randomUUIDv7() };
    const settings = await this.checked(key.accountId, { ...DEFAULTS, ...given });
    const secret = newSigningSecret();
    const made = await this.audit.act(by, 'webhook_endpoint.create', endpointAct, (entryOf) =>
      this.endpoints.create(key, settings, this.sealed(key, secret), entryOf),
    );
    if (made === 'no_account') throw new AccountNotFoundError();
    if (made === 'too_many') {
      const message = `an account has at most ${ENDPOINTS_MAX} endpoints: delete one of them, or change one`;
      throw new ValidationError([{ path: '', message }]);
    }
    this.notifier.hurry();
    return { ...(await this.get(by, key.endpointId)), secret };
  }

  /**
   * Changes the fields that are given. Once it is disabled, what was to be sent is not sent any more; once it is enabled again,
   * events that happen from then on go to it. No request that begins after this has resolved goes to a former address.
   * @throws EndpointNotFoundError, UnknownAssistantError, or ValidationError as for a new one
   */
  async change(by: Principal, id: string, given: EndpointChange): Promise<Endpoint> {
    const key = keyOf(await this.require(by, id));
    await this.apply(by, key, await this.checked(key.accountId, given));
    if (given.disabled === true || given.url !== undefined) await untilEarlierPermitsAreVoid();
    if (given.disabled === true) await this.endpoints.skipPending(key);
    else this.work.notify('webhooks-out', { accountId: key.accountId, id: key.endpointId });
    if (given.disabled === false) this.notifier.hurry();
    return this.get(by, id);
  }

  /**
   * Deletes an endpoint with its deliveries. One that has many is disabled first.
   * @returns it as it was
   * @throws EndpointNotFoundError
   */
  async remove(by: Principal, id: string): Promise<Endpoint> {
    const row = await this.require(by, id);
    const key = keyOf(row);
    for (;;) {
      const removed = await this.audit.act(by, 'webhook_endpoint.delete', endpointAct, (entryOf) =>
        this.endpoints.remove(key, entryOf),
      );
      if (removed === null) throw new EndpointNotFoundError();
      if (removed === 'removed') return presentEndpoint(row);
      await this.apply(by, key, { disabled: true });
      await this.endpoints.dropDeliveries(key);
    }
  }

  /**
   * Gives an endpoint a new secret. The present one signs too for the given hours; the one before it does not any more. So it is
   * with each request that begins after this has resolved.
   * @throws EndpointNotFoundError
   */
  async rotateSecret(by: Principal, id: string, overlapHours = OVERLAP_HOURS): Promise<RotatedSecret> {
    const row = await this.require(by, id);
    const secret = newSigningSecret();
    const until = await this.audit.act(
      by,
      'webhook_endpoint.rotate_secret',
      (change: { until: Date | null }) => ({
        subject: ofEndpoint(row),
        after: { secret: SECRET_CHANGED, old_secret_expires_at: change.until },
      }),
      (entryOf) =>
        this.endpoints.rotateSecret(keyOf(row), this.sealed(keyOf(row), secret), overlapHours, entryOf),
    );
    if (until === undefined) throw new EndpointNotFoundError();
    await untilEarlierPermitsAreVoid();
    return { id: row.id, secret, old_secret_expires_at: until?.toISOString() ?? null };
  }

  /** @throws EndpointNotFoundError */
  async require(by: Principal, id: string): Promise<ListedEndpoint> {
    const row = await this.endpoints.find(reachOf(by), idOrNothing(id));
    if (!row) throw new EndpointNotFoundError();
    return row;
  }

  private async apply(by: Principal, key: EndpointKey, change: EndpointChange): Promise<void> {
    for (;;) {
      const changed = await this.audit.act(
        by,
        'webhook_endpoint.update',
        (each: Changed<AuditedEndpoint>) => endpointAct(each),
        (entryOf) => this.endpoints.change(key, change, entryOf),
      );
      if (changed === null) throw new EndpointNotFoundError();
      if (changed !== 'unskipped') return;
      await this.endpoints.skipPending(key);
    }
  }

  private sealed({ accountId, endpointId }: EndpointKey, secret: string) {
    const bound = secretBoundTo({ account_id: accountId, id: endpointId });
    const { keyId, sealed } = this.cipher.seal(secret, bound);
    return { key_id: keyId, secret: sealed };
  }

  /** @throws ValidationError, UnknownAssistantError */
  private async checked<Given extends EndpointChange>(accountId: string, given: Given): Promise<Given> {
    const { url, events, assistant_ids: named } = given;
    const fault = url === undefined ? null : this.caller.violationOfUrl(url);
    if (fault !== null) throw new ValidationError([{ path: 'url', message: fault }]);
    if (events && events.length > 1 && events.includes(ALL_EVENTS))
      throw new ValidationError([
        { path: 'events', message: `takes "${ALL_EVENTS}" alone, or types of events` },
      ]);
    if (!named) return given;
    const ids = [...new Set(named.map((id) => id.toLowerCase()))];
    const areKnown = isUuid(accountId) && ids.every(isUuid);
    if (!areKnown || (await this.users.unknownAssistants(accountId, ids)).length > 0)
      throw new UnknownAssistantError();
    return { ...given, assistant_ids: ids };
  }
}

export const keyOf = ({
  account_id: accountId,
  id: endpointId,
}: Pick<ListedEndpoint, 'account_id' | 'id'>) => ({
  accountId,
  endpointId,
});
