import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Entities } from '../../database/entities.service';
import { InvitationEntity, RecoveryCodeEntity, UserEntity } from './user.entity';
import { endSessions } from './session.statements';
import { NO_SECOND_FACTOR } from './user.repository';

/** What proves who a person is. */
export type Credentials = Pick<
  UserEntity,
  | 'account_id'
  | 'id'
  | 'email'
  | 'name'
  | 'password_hash'
  | 'disabled_at'
  | 'second_factor_key_id'
  | 'second_factor_secret'
  | 'second_factor_enabled_at'
  | 'second_factor_step'
>;

const SELECTED = {
  ...{ account_id: true, id: true, email: true, name: true, password_hash: true, disabled_at: true },
  ...{ second_factor_key_id: true, second_factor_secret: true },
  ...{ second_factor_enabled_at: true, second_factor_step: true },
} as const;

/** Whoever signs in takes no slot of an account, and waits as long for one that exists as for one that does not. */
const STRANGERS = 'sign-in of strangers';

/** A person of an account. */
interface Person {
  account_id: string;
  id: string;
}

/** Passwords, second factors and invitations of people. */
@Injectable()
export class CredentialRepository {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly entities: Entities,
    private readonly audit: AuditRepository,
  ) {}

  /** By the address, across accounts: the account is what the address tells. */
  async findByEmail(emailKey: string): Promise<Credentials | null> {
    return this.entities.useFor(STRANGERS, this.users, (users) =>
      users.findOne({ where: { email_key: emailKey }, select: SELECTED }),
    );
  }

  async find(accountId: string, id: string): Promise<Credentials | null> {
    return this.entities.useFor(accountId, this.users, (users) =>
      users.findOne({ where: { account_id: accountId, id }, select: SELECTED }),
    );
  }

  /** Whom a link invites, while it is good. */
  async findInvited(tokenHash: Buffer): Promise<Credentials | null> {
    return this.entities.useFor(STRANGERS, this.users, (users) =>
      users
        .createQueryBuilder('u')
        .select(Object.keys(SELECTED).map((column) => `u.${column}`))
        .innerJoin(InvitationEntity, 'i', 'i.account_id = u.account_id AND i.user_id = u.id')
        .where('i.token_hash = :tokenHash AND i.expires_at > clock_timestamp() AND u.disabled_at IS NULL', {
          tokenHash,
        })
        .getOne(),
    );
  }

  /**
   * Sets the password of whom a link invites, and uses up the link. All sessions end.
   * @returns false when the link was used or replaced meanwhile.
   */
  async accept(
    { account_id, id }: Person,
    tokenHash: Buffer,
    passwordHash: string,
    entryOf: AuditEntryOf<number>,
  ): Promise<boolean> {
    return this.entities.transactFor(account_id, async (manager) => {
      // Before the link, as all do who take links away.
      const lock = { mode: 'for_no_key_update' } as const;
      await manager.findOne(UserEntity, { select: { id: true }, where: { account_id, id }, lock });
      const { affected } = await manager.delete(InvitationEntity, {
        account_id,
        user_id: id,
        token_hash: tokenHash,
      });
      if (!affected) return false;
      await manager.update(UserEntity, { account_id, id }, { password_hash: passwordHash });
      await this.audit.append(manager, entryOf(await endSessions(manager, account_id, id)));
      return true;
    });
  }

  /**
   * Changes the password, when the former one is still that one. All sessions but one end.
   * @returns false when it was changed meanwhile.
   */
  async changePassword(
    { account_id, id }: Person,
    former: string,
    passwordHash: string,
    exceptSessionId: string,
    entryOf: AuditEntryOf<number>,
  ): Promise<boolean> {
    return this.entities.transactFor(account_id, async (manager) => {
      const { affected } = await manager.update(
        UserEntity,
        { account_id, id, password_hash: former },
        { password_hash: passwordHash },
      );
      if (!affected) return false;
      const ended = await endSessions(manager, account_id, id, exceptSessionId);
      await this.audit.append(manager, entryOf(ended));
      await manager.delete(InvitationEntity, { account_id, user_id: id });
      return true;
    });
  }

  /**
   * Keeps the secret of a second factor that is to be enabled.
   * @returns false when one is enabled.
   */
  async beginSecondFactor(
    { account_id, id }: Person,
    keyId: string,
    sealed: Buffer,
    entryOf: AuditEntryOf<null>,
  ): Promise<boolean> {
    return this.entities.transactFor(account_id, async (manager) => {
      const { affected } = await manager
        .createQueryBuilder()
        .update(UserEntity)
        .set({ second_factor_key_id: keyId, second_factor_secret: sealed, second_factor_step: null })
        .where('account_id = :account_id AND id = :id AND second_factor_enabled_at IS NULL', {
          account_id,
          id,
        })
        .execute();
      if (!affected) return false;
      await this.audit.append(manager, entryOf(null));
      return true;
    });
  }

  /** Enables the second factor whose code was given, with the recovery codes. */
  async enableSecondFactor(
    { account_id, id }: Person,
    secret: Buffer,
    step: number,
    codeHashes: readonly Buffer[],
    entryOf: AuditEntryOf<null>,
  ): Promise<boolean> {
    return this.entities.transactFor(account_id, async (manager) => {
      const { affected } = await manager
        .createQueryBuilder()
        .update(UserEntity)
        .set({ second_factor_enabled_at: () => 'clock_timestamp()', second_factor_step: step })
        .where(
          'account_id = :account_id AND id = :id AND second_factor_enabled_at IS NULL AND second_factor_secret = :secret',
          { account_id, id, secret },
        )
        .execute();
      if (!affected) return false;
      await manager.delete(RecoveryCodeEntity, { account_id, user_id: id });
      await manager.insert(
        RecoveryCodeEntity,
        codeHashes.map((code_hash) => ({ account_id, user_id: id, code_hash })),
      );
      await this.audit.append(manager, entryOf(null));
      return true;
    });
  }

  /** Does nothing where the person has another secret meanwhile. */
  async disableSecondFactor(
    { account_id, id, second_factor_secret: secret }: Credentials,
    entryOf: AuditEntryOf<null>,
  ): Promise<void> {
    await this.entities.transactFor(account_id, async (manager) => {
      const { affected } = await manager
        .createQueryBuilder()
        .update(UserEntity)
        .set(NO_SECOND_FACTOR)
        .where('account_id = :account_id AND id = :id AND second_factor_secret = :secret', {
          account_id,
          id,
          secret,
        })
        .execute();
      if (!affected) return;
      await manager.delete(RecoveryCodeEntity, { account_id, user_id: id });
      await this.audit.append(manager, entryOf(null));
    });
  }

  /** Uses a code's time step. @returns false when it, or a later one, was used before. */
  async useStep(
    { account_id, id, second_factor_secret: secret }: Credentials,
    step: number,
  ): Promise<boolean> {
    return this.entities.useFor(account_id, this.users, async (users) => {
      const { affected } = await users
        .createQueryBuilder()
        .update()
        .set({ second_factor_step: step })
        .where(
          'account_id = :account_id AND id = :id AND second_factor_secret = :secret AND (second_factor_step IS NULL OR second_factor_step < :step)',
          { account_id, id, secret, step },
        )
        .execute();
      return (affected ?? 0) > 0;
    });
  }

  /** Uses a recovery code. @returns false when there is none such. */
  async useRecoveryCode({ account_id, id }: Person, codeHash: Buffer): Promise<boolean> {
    return this.entities.transactFor(account_id, async (manager) => {
      const code = { account_id, user_id: id, code_hash: codeHash };
      return ((await manager.delete(RecoveryCodeEntity, code)).affected ?? 0) > 0;
    });
  }
}
