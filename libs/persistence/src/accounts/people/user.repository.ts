import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, LessThan, Not, type EntityManager, type Repository } from 'typeorm';
import { AuditRepository, type AuditEntryOf, type Changed } from '../../audit/audit.repository';
import { violatedIndex } from '../../database/database.errors';
import { Entities } from '../../database/entities.service';
import { requireRoom } from '../../database/room-check';
import { statement, runWith } from '../../database/sql.statements';
import { AccountEntity } from '../account.entity';
import { InvitationEntity, RecoveryCodeEntity, UserEntity } from './user.entity';
import { ownerOf } from '../reach-scope';
import { endSessions } from './session.statements';

/** A person as it may be shown. */
export type UserRow = Omit<
  UserEntity,
  'password_hash' | 'second_factor_key_id' | 'second_factor_secret' | 'second_factor_step'
>;

export type NewUser = Pick<
  UserEntity,
  'account_id' | 'id' | 'email' | 'email_key' | 'name' | 'role' | 'assistant_ids' | 'locale'
>;

/** Undefined fields stay. */
export interface UserChange extends Partial<Omit<NewUser, 'account_id' | 'id'>> {
  disabled?: boolean;
  /** Takes the second factor away, for a person who has lost it. */
  secondFactor?: false;
}

/** A link to set a password. Its token is not stored. */
export interface NewInvitation {
  tokenHash: Buffer;
  /** Seconds. */
  lifetime: number;
}

/** What became of a change: the row, nothing to change, or that it would leave the account without an admin who can sign in. */
export type ChangedUser = UserRow | 'unknown' | 'last admin';

/** Whether a person was refused because another one has the address. */
export const isEmailTaken = (error: unknown): boolean => violatedIndex(error) === 'users_email';

/** Of an agent, whose entity accounts do not know. */
interface AgentName {
  id: string;
  name: string;
}

const UNKNOWN_ASSISTANTS = statement('users-unknown-assistants').takes('accountId', 'ids').returns<
  Pick<AgentName, 'id'>
>(`
  SELECT id FROM unnest(:ids::uuid[]) id EXCEPT SELECT id FROM assistants WHERE account_id = :accountId`);
const ASSISTANT_NAMES = statement('users-assistant-names').takes('accountId', 'ids').returns<AgentName>(`
  SELECT id, name FROM assistants WHERE account_id = :accountId AND id = ANY (:ids::uuid[]) ORDER BY name, id`);
const INVITE = statement('user-invite').takes('accountId', 'userId', 'tokenHash', 'lifetime').returns<
  Pick<InvitationEntity, 'expires_at'>
>(`
  INSERT INTO invitations AS i (account_id, user_id, token_hash, expires_at)
  SELECT :accountId, :userId, :tokenHash, clock_timestamp() + make_interval(secs => :lifetime)
  ON CONFLICT (account_id, user_id) DO UPDATE SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at
  RETURNING i.expires_at`);

/** People of accounts, for admins. With the account null, those of all accounts. */
@Injectable()
export class UserRepository {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** Newest first. */
  async list(accountId: string | null, beforeId: string | null, limit: number): Promise<UserRow[]> {
    const where = { ...ofAccount(accountId), ...(beforeId !== null && { id: LessThan(beforeId) }) };
    return this.entities.useFor(ownerOf({ accountId }), this.users, (users) =>
      users.find({ where, order: { id: 'DESC' }, take: limit }),
    );
  }

  async find(accountId: string | null, id: string): Promise<UserRow | null> {
    return this.entities.useFor(ownerOf({ accountId }), this.users, (users) =>
      users.findOneBy({ ...ofAccount(accountId), id }),
    );
  }

  /** Whether somebody has the address, in any account. @param emailKey as `foldEmail` makes it */
  async hasEmail(emailKey: string): Promise<boolean> {
    return this.entities.useFor(ownerOf({ accountId: null }), this.users, (users) =>
      users.existsBy({ email_key: emailKey }),
    );
  }

  /** The account's people among the given ids, disabled ones too. */
  async known(accountId: string, ids: readonly string[]): Promise<string[]> {
    const where = { account_id: accountId, id: In(ids) };
    const rows = await this.entities.useFor(accountId, this.users, (users) =>
      users.find({ select: { id: true }, where }),
    );
    return rows.map(({ id }) => id);
  }

  /** Those of the account's agents that do not exist. */
  async unknownAssistants(accountId: string, ids: readonly string[]): Promise<string[]> {
    return this.entities.useFor(accountId, this.users, async ({ manager }) => {
      const rows = await runWith(manager, UNKNOWN_ASSISTANTS, { accountId, ids });
      return rows.map(({ id }) => id);
    });
  }

  /** The account's agents among the given ones, by name. */
  async assistantNames(accountId: string, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    return this.entities.useFor(accountId, this.users, ({ manager }) =>
      runWith(manager, ASSISTANT_NAMES, { accountId, ids }),
    );
  }

  /** With the link that invites the person and the answer in one transaction. */
  async create(
    user: NewUser,
    invitation: NewInvitation,
    most: number,
    entryOf: AuditEntryOf<Changed<UserRow>>,
  ): Promise<{ user: UserRow; expiresAt: Date }> {
    return this.entities.transactFor(user.account_id, async (manager) => {
      await requireRoom(
        manager,
        UserEntity,
        { account_id: user.account_id },
        { most, what: 'people', remedy: null },
      );
      await manager.insert(UserEntity, user);
      const expiresAt = await invite(manager, user.account_id, user.id, invitation);
      const after = await manager.findOneByOrFail(UserEntity, { id: user.id });
      await this.audit.append(manager, entryOf({ before: null, after }));
      return { user: after, expiresAt };
    });
  }

  /**
   * Changes the fields that are given. Disabling a person and a change of the role end all sessions. Changes of one
   * account are made one after the other, so that of its last two admins one stays.
   */
  async change(
    accountId: string | null,
    id: string,
    change: UserChange,
    entryOf: AuditEntryOf<Changed<UserRow>>,
  ): Promise<ChangedUser> {
    return this.entities.transactFor(ownerOf({ accountId }), async (manager) => {
      const found = await manager.findOneBy(UserEntity, { ...ofAccount(accountId), id });
      if (!found) return 'unknown';
      await lockAccount(manager, found.account_id);
      const user = await manager.findOneByOrFail(UserEntity, { id });
      const { disabled, secondFactor, ...columns } = change;
      const demoted = columns.role === 'operator' && user.role === 'admin';
      const disabling = disabled === true && user.disabled_at === null;
      const governs = user.role === 'admin' && user.disabled_at === null;
      if (governs && (demoted || disabling) && !(await hasOtherAdmin(manager, user))) return 'last admin';
      const given = {
        ...columns,
        ...(disabling && { disabled_at: () => 'clock_timestamp()' }),
        ...(disabled === false && { disabled_at: null }),
        ...(secondFactor === false && NO_SECOND_FACTOR),
      };
      if (Object.values(given).some((value) => value !== undefined))
        await manager.update(UserEntity, { account_id: user.account_id, id }, given);
      if (secondFactor === false)
        await manager.delete(RecoveryCodeEntity, { account_id: user.account_id, user_id: id });
      const roleChanged = columns.role !== undefined && columns.role !== user.role;
      if (disabling || roleChanged) await endSessions(manager, user.account_id, id);
      if (disabling) await manager.delete(InvitationEntity, { account_id: user.account_id, user_id: id });
      const after = await manager.findOneByOrFail(UserEntity, { id });
      await this.audit.append(manager, entryOf({ before: user, after }));
      return after;
    });
  }

  /**
   * A new link for the person. Former links are void, and all sessions end.
   * @returns until when it is good; null for a disabled person: then nothing is done.
   */
  async renewInvitation(
    user: UserRow,
    invitation: NewInvitation,
    entryOf: AuditEntryOf<{ expiresAt: Date; sessionsEnded: number }>,
  ): Promise<Date | null> {
    const { account_id, id } = user;
    return this.entities.transactFor(account_id, async (manager) => {
      // Whoever is being disabled is waited for: after that a link would be good for nothing.
      const lock = { mode: 'for_no_key_update' } as const;
      const present = await manager.findOne(UserEntity, { where: { account_id, id }, lock });
      if (!present || present.disabled_at !== null) return null;
      const sessionsEnded = await endSessions(manager, user.account_id, user.id);
      const expiresAt = await invite(manager, user.account_id, user.id, invitation);
      await this.audit.append(manager, entryOf({ expiresAt, sessionsEnded }));
      return expiresAt;
    });
  }

  /** Whether the person has set a password. */
  async hasPassword(accountId: string, id: string): Promise<boolean> {
    return this.entities.useFor(accountId, this.users, (users) =>
      users.existsBy({ account_id: accountId, id, ...HAS_PASSWORD }),
    );
  }

  /** Ends all sessions of a person. */
  async endSessions(user: UserRow, entryOf: AuditEntryOf<number>): Promise<void> {
    await this.entities.transactFor(user.account_id, async (manager) => {
      const ended = await endSessions(manager, user.account_id, user.id);
      await this.audit.append(manager, entryOf(ended));
    });
  }
}

/** The columns of a person without a second factor. */
export const NO_SECOND_FACTOR = {
  second_factor_key_id: null,
  second_factor_secret: null,
  second_factor_enabled_at: null,
  second_factor_step: null,
} satisfies Partial<UserEntity>;

const ofAccount = (accountId: string | null) => (accountId === null ? {} : { account_id: accountId });

async function lockAccount(manager: EntityManager, id: string): Promise<void> {
  await manager.findOneOrFail(AccountEntity, {
    where: { id },
    select: { id: true },
    lock: { mode: 'for_no_key_update' },
  });
}

const HAS_PASSWORD = { password_hash: Not(IsNull()) };

/** Whether the account has another admin who is not disabled. Of one who can sign in: whether another can sign in, too. */
async function hasOtherAdmin(manager: EntityManager, { account_id, id }: UserEntity): Promise<boolean> {
  const canSignIn = await manager.existsBy(UserEntity, { account_id, id, ...HAS_PASSWORD });
  const others = { account_id, role: In(['admin']), id: Not(id), disabled_at: IsNull() };
  return manager.existsBy(UserEntity, { ...others, ...(canSignIn && HAS_PASSWORD) });
}

async function invite(
  manager: EntityManager,
  accountId: string,
  userId: string,
  { tokenHash, lifetime }: NewInvitation,
): Promise<Date> {
  const [row] = await runWith(manager, INVITE, { accountId, userId, tokenHash, lifetime });
  if (!row) throw new Error('the invitation was not stored');
  return row.expires_at;
}
