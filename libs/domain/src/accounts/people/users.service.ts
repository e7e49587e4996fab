import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { ValidationError } from '@app/contracts/coded.errors';
import { idOrNothing, isUuid } from '@app/contracts/uuid.format';
import { AccountRepository } from '@app/persistence/accounts/account.repository';
import { UserRepository, isEmailTaken, type UserRow } from '@app/persistence/accounts/people/user.repository';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../audit/audit.service';
import { SECRET_CHANGED } from '../../audit/audited-thing';
import type { Role } from '../access-table';
import { AccountCaps } from '../account-caps';
import { UnauthorizedError, AccountNotFoundError, UnknownAssistantError } from '../account.errors';
import { type Person, isPerson, reachOf, type Principal, accountNamed } from '../principal.rules';
import { EmailTakenError, LastAdminError, UserNotFoundError } from './people.errors';
import { foldEmail } from './person.rules';
import { hashInvitation } from './sign-in.service';
import { presentUser, type User, ofPerson, userAct } from './user.presenter';

/** Where people open invitations. */
export abstract class InvitationLinks {
  /** The page's address. The token is behind the `#`, so that no server on the way logs it. */
  abstract linkOf(token: string): string;
}

/** What a page needs to begin: who is signed in, where, and with which agents. */
interface Workplace {
  user: User;
  account: { id: string; name: string; second_factor_required: boolean };
  assistants: { id: string; name: string }[];
}

@Injectable()
export class WorkplaceService {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: AccountRepository,
  ) {}

  /** @throws UnauthorizedError when the person is gone. */
  async of({ accountId, id, assistantIds }: Person): Promise<Workplace> {
    const [user, account, assistants] = await Promise.all([
      this.users.find(accountId, id),
      this.accounts.find(accountId),
      this.users.assistantNames(accountId, assistantIds),
    ]);
    if (!user || !account) throw new UnauthorizedError();
    const { name, second_factor_required } = account;
    return { user: presentUser(user), account: { id: accountId, name, second_factor_required }, assistants };
  }
}

export interface UserSettings {
  email: string;
  name: string;
  role: Role;
  /** Null: all agents of the account. */
  assistantIds: readonly string[] | null;
  locale: 'ru' | 'en';
}

export interface ChangedSettings extends Partial<UserSettings> {
  disabled?: boolean;
  secondFactor?: false;
}

/** A link by which a person sets a password, shown this once. */
interface Invitation {
  url: string;
  expires_at: string;
}

const DAY_S = 86_400;
const FIRST_LIFETIME_S = 7 * DAY_S;
/** As the reset of a password, which is asked for when it is needed. */
const RESET_LIFETIME_S = 3_600;

const OWN_SECOND_FACTOR =
  'is your own: take it off with a code of it (auth/second-factor/disable), or ask another admin';

/** People of accounts, for admins. */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UserRepository,
    private readonly accounts: AccountRepository,
    private readonly links: InvitationLinks,
    private readonly audit: Audit,
    private readonly caps: AccountCaps,
  ) {}

  /** Newest first. With an account, only its people. */
  async list(
    by: Principal,
    accountId: string | null,
    beforeId: string | null,
    limit: number,
  ): Promise<User[]> {
    const { accountId: own } = reachOf(by);
    const wanted = accountId === null ? own : accountId.toLowerCase();
    if ((wanted !== null && !isUuid(wanted)) || (own !== null && wanted !== own)) return [];
    return (await this.users.list(wanted, beforeId, limit)).map(presentUser);
  }

  /** @throws UserNotFoundError */
  async get(by: Principal, id: string): Promise<User> {
    return presentUser(await this.require(by, id));
  }

  /**
   * Makes a person and the link that invites. An admin does it for the own account.
   * @throws AccountNotFoundError, UnknownAssistantError, EmailTakenError, or ValidationError where an admin key names
   * no account
   */
  async create(
    by: Principal,
    accountId: string | undefined,
    { email, name, role, assistantIds, locale }: UserSettings,
  ): Promise<User & { invitation: Invitation }> {
    const account = await this.accountFor(by, accountId);
    const assistant_ids = await this.ownAssistants(account, assistantIds);
    const user = {
      ...{ account_id: account, id: randomUUIDv7() },
      ...{ email, email_key: foldEmail(email), name, role, assistant_ids, locale },
    };
    const token = newToken();
    const made = await orTaken(() =>
      this.audit.act(by, 'user.create', userAct, (entryOf) =>
        this.users.create(
          user,
          { tokenHash: hashInvitation(token), lifetime: FIRST_LIFETIME_S },
          this.caps.people,
          entryOf,
        ),
      ),
    );
    return { ...presentUser(made.user), invitation: this.invitation(token, made.expiresAt) };
  }

  /**
   * Changes the fields that are given. Disabling and a change of the role end all sessions within two seconds. Whoever
   * takes off the own second factor has to give a code of it, elsewhere.
   * @throws UserNotFoundError, UnknownAssistantError, EmailTakenError, LastAdminError, or ValidationError for the own
   * second factor
   */
  async change(by: Principal, id: string, change: ChangedSettings): Promise<User> {
    const found = await this.require(by, id);
    if (change.secondFactor === false && isPerson(by) && found.id === by.id)
      throw new ValidationError([{ path: 'second_factor', message: OWN_SECOND_FACTOR }]);
    const { email, assistantIds, ...others } = change;
    const assistant_ids =
      assistantIds === undefined ? undefined : await this.ownAssistants(found.account_id, assistantIds);
    const email_key = email === undefined ? undefined : foldEmail(email);
    const given = { ...others, email, email_key, assistant_ids };
    const changed = await orTaken(() =>
      this.audit.act(by, 'user.update', userAct, (entryOf) =>
        this.users.change(found.account_id, found.id, given, entryOf),
      ),
    );
    if (changed === 'unknown') throw new UserNotFoundError();
    if (changed === 'last admin') throw new LastAdminError();
    return presentUser(changed);
  }

  /**
   * A new link to set a password. Former links and all sessions end.
   * @throws UserNotFoundError, or ValidationError for a disabled person
   */
  async invite(by: Principal, id: string): Promise<{ invitation: Invitation }> {
    const user = await this.require(by, id);
    const token = newToken();
    const hasPassword = await this.users.hasPassword(user.account_id, user.id);
    const lifetime = hasPassword ? RESET_LIFETIME_S : FIRST_LIFETIME_S;
    const describe = (made: { expiresAt: Date; sessionsEnded: number }) => ({
      subject: ofPerson(user),
      after: {
        ...{ invitation: SECRET_CHANGED, expires_at: made.expiresAt },
        sessions_ended: made.sessionsEnded,
      },
    });
    const expiresAt = await this.audit.act(by, 'user.invite', describe, (entryOf) =>
      this.users.renewInvitation(user, { tokenHash: hashInvitation(token), lifetime }, entryOf),
    );
    if (!expiresAt) {
      throw new ValidationError([
        { path: 'id', message: 'is of a disabled person: enable the person first' },
      ]);
    }
    return { invitation: this.invitation(token, expiresAt) };
  }

  /** Ends all sessions of a person. @throws UserNotFoundError */
  async endSessions(by: Principal, id: string): Promise<User> {
    const user = await this.require(by, id);
    const describe = (ended: number) =>
      ended === 0 ? null : { subject: ofPerson(user), after: { sessions_ended: ended } };
    await this.audit.act(by, 'user.end_sessions', describe, (entryOf) =>
      this.users.endSessions(user, entryOf),
    );
    return presentUser(user);
  }

  private invitation(token: string, expiresAt: Date): Invitation {
    return { url: this.links.linkOf(token), expires_at: expiresAt.toISOString() };
  }

  /**
   * For whoever makes something else first that would be of no use without the person.
   * @throws EmailTakenError
   */
  async requireFree(email: string): Promise<void> {
    if (await this.users.hasEmail(foldEmail(email))) throw new EmailTakenError();
  }

  private async require(by: Principal, id: string): Promise<UserRow> {
    const { accountId } = reachOf(by);
    const row = isUuid(id) ? await this.users.find(accountId, id) : null;
    if (!row) throw new UserNotFoundError();
    return row;
  }

  private async accountFor(by: Principal, accountId: string | undefined): Promise<string> {
    const reach = reachOf(by);
    const wanted = accountNamed(reach, accountId).toLowerCase();
    if (reach.accountId === null && !(await this.accounts.find(wanted))) throw new AccountNotFoundError();
    return wanted;
  }

  private async ownAssistants(accountId: string, ids: readonly string[] | null): Promise<string[] | null> {
    if (ids === null) return null;
    const named = [...new Set(ids.map((id) => idOrNothing(id.toLowerCase())))];
    if ((await this.users.unknownAssistants(accountId, named)).length > 0) throw new UnknownAssistantError();
    return named;
  }
}

const newToken = (): string => randomBytes(32).toString('base64url');

async function orTaken<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isEmailTaken(error)) throw new EmailTakenError();
    throw error;
  }
}
