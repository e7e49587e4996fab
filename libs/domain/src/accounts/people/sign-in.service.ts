import { hash } from 'node:crypto';
import { ValidationError } from '@app/contracts/coded.errors';
import {
  CredentialRepository,
  type Credentials,
} from '@app/persistence/accounts/people/credential.repository';
import { UserSessionRepository } from '@app/persistence/accounts/people/user-session.repository';
import { Injectable } from '@nestjs/common';
import { Audit, type UnknownCaller } from '../../audit/audit.service';
import { UnauthorizedError } from '../account.errors';
import { foldEmail } from './person.rules';
import { PasswordHasher } from './password-hasher';
import { holdsAddress, passwordViolation } from './password.rules';
import type { Person } from '../principal.rules';
import { SecondFactors } from './second-factors.service';
import type { SignedIn } from './sessions.service';
import {
  CodeRequiredError,
  InvitationNotFoundError,
  SignInFailedError,
  TooManyTriesError,
  WrongPasswordError,
} from './people.errors';
import { SignInTries, type CountedTry } from './sign-in-tries';
import { actingPerson, passwordSet } from './user.presenter';

export interface SignInRequest {
  email: string;
  password: string;
  /** Of the second factor, or a recovery code. */
  code?: string;
  network: string;
  caller: UnknownCaller;
}

export interface AcceptRequest {
  /** Of the link. */
  token: string;
  password: string;
  code?: string;
  network: string;
  caller: UnknownCaller;
}

/** SHA-256 of a link's token, which has 256 random bits. */
export const hashInvitation = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Finds out who somebody is: by password and second factor, or by a link that invites. */
@Injectable()
export class SignInService {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly sessions: UserSessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly secondFactors: SecondFactors,
    private readonly tries: SignInTries,
    private readonly audit: Audit,
  ) {}

  /**
   * Checks a password and, where the person has one, the second factor. A good sign-in counts as no try.
   * @throws SignInFailedError, with the same answer in the same time for whoever does not exist, CodeRequiredError,
   * TooManyTriesError
   */
  async signIn({ email, password, code, network, caller }: SignInRequest): Promise<SignedIn> {
    const emailKey = foldEmail(email);
    const guess = async (counted: CountedTry): Promise<SignedIn> => {
      const found = await this.credentials.findByEmail(emailKey);
      const matches = await this.hasher.verify(network, found?.password_hash ?? null, password);
      if (!found?.password_hash || !matches || found.disabled_at !== null) {
        await this.audit.signInFailed(caller, found, reasonOf(found, matches));
        throw new SignInFailedError();
      }
      await this.requireCode(found, code, counted, caller);
      await counted.forgive();
      const { account_id: accountId, id: userId, name, password_hash: passwordHash } = found;
      return { accountId, userId, name, passwordHash };
    };
    return this.noting(caller, () => this.tries.ofAddress(emailKey, network, guess));
  }

  /**
   * Sets the password of whom a link invites, and uses up the link.
   * @throws InvitationNotFoundError, CodeRequiredError, TooManyTriesError, ValidationError for a password that may not
   * be used.
   */
  async acceptInvitation({ token, password, code, network, caller }: AcceptRequest): Promise<SignedIn> {
    requireUsable(password);
    const tokenHash = hashInvitation(token);
    const open = async (counted: CountedTry): Promise<Credentials> => {
      const found = await this.credentials.findInvited(tokenHash);
      if (!found) {
        await this.audit.signInFailed(caller, null, 'unknown_link');
        throw new InvitationNotFoundError();
      }
      await counted.forgive();
      return found;
    };
    const invited = await this.noting(caller, () => this.tries.ofNetwork(network, open));
    requireNoAddress(password, invited.email);
    if (invited.second_factor_enabled_at !== null) {
      const guess = async (counted: CountedTry): Promise<void> => {
        await this.requireCode(invited, code, counted, caller);
        await counted.forgive();
      };
      await this.noting(caller, () => this.tries.ofLink(tokenHash, guess));
    }
    const passwordHash = await this.hasher.hash(network, password);
    const isAccepted = await this.audit.act(
      actingPerson(invited, caller),
      'user.accept_invitation',
      (ended: number) => passwordSet(invited, ended),
      (entryOf) => this.credentials.accept(invited, tokenHash, passwordHash, entryOf),
    );
    if (!isAccepted) {
      await this.audit.signInFailed(caller, null, 'unknown_link');
      throw new InvitationNotFoundError();
    }
    const { account_id: accountId, id: userId, name } = invited;
    return { accountId, userId, name, passwordHash };
  }

  /**
   * Changes the person's password. All other sessions end.
   * @throws WrongPasswordError, TooManyTriesError, ValidationError for a password that may not be used.
   */
  async changePassword(by: Person, current: string, password: string, network: string): Promise<void> {
    requireUsable(password);
    const found = await this.require(by);
    requireNoAddress(password, found.email);
    await this.prove(by, found, current, network);
    const passwordHash = await this.hasher.hash(network, password);
    const former = found.password_hash ?? '';
    const isChanged = await this.audit.act(
      by,
      'user.change_password',
      (ended: number) => passwordSet(found, ended),
      (entryOf) => this.credentials.changePassword(found, former, passwordHash, by.session.id, entryOf),
    );
    if (!isChanged) throw new WrongPasswordError();
  }

  /**
   * Notes that the person gave the password again. It counts for ten minutes.
   * @throws WrongPasswordError, TooManyTriesError
   */
  async confirm(by: Person, password: string, network: string): Promise<void> {
    await this.prove(by, await this.require(by), password, network);
    await this.sessions.confirm(by.accountId, by.session.id);
  }

  /** Begins a second factor. @throws SecondFactorEnabledError */
  async beginSecondFactor(by: Person): Promise<{ secret: string; otpauth_url: string }> {
    return this.secondFactors.begin(by, await this.require(by));
  }

  /**
   * Enables the second factor that was begun.
   * @throws SecondFactorEnabledError, TooManyTriesError, or ValidationError for a wrong code.
   */
  async enableSecondFactor(by: Person, code: string, network: string): Promise<string[]> {
    const found = await this.require(by);
    // Where nothing waits for a code, none can be guessed.
    this.secondFactors.requireBegun(found);
    return this.guessing(by, found, network, async (counted) => {
      const codes = await this.secondFactors.enable(by, found, code, counted.at);
      await counted.forgive();
      return codes;
    });
  }

  /** Disables the second factor. @throws WrongPasswordError for a wrong password or code, TooManyTriesError */
  async disableSecondFactor(by: Person, password: string, code: string, network: string): Promise<void> {
    const found = await this.require(by);
    await this.guessing(by, found, network, async (counted) => {
      const matches = await this.hasher.verify(network, found.password_hash, password);
      if (!matches || !(await this.secondFactors.accepts(found, code, counted.at)))
        throw new WrongPasswordError();
      await counted.forgive();
    });
    await this.secondFactors.disable(by, found);
  }

  private async prove(by: Person, found: Credentials, password: string, network: string): Promise<void> {
    await this.guessing(by, found, network, async (counted) => {
      if (!(await this.hasher.verify(network, found.password_hash, password))) throw new WrongPasswordError();
      await counted.forgive();
    });
  }

  private guessing<T>(
    by: Person,
    { email }: Credentials,
    network: string,
    guess: (counted: CountedTry) => Promise<T>,
  ): Promise<T> {
    return this.tries.ofSession(foldEmail(email), network, by.session.id, guess);
  }

  private async require(by: Person): Promise<Credentials> {
    const found = await this.credentials.find(by.accountId, by.id);
    if (!found) throw new UnauthorizedError();
    return found;
  }

  /** A missing code is no guess: the page asks for it after the password. */
  private async requireCode(
    of: Credentials,
    code: string | undefined,
    counted: CountedTry,
    caller: UnknownCaller,
  ): Promise<void> {
    if (of.second_factor_enabled_at === null) return;
    if (code === undefined) {
      await counted.forgive();
      throw new CodeRequiredError();
    }
    if (await this.secondFactors.accepts(of, code, counted.at)) return;
    await this.audit.signInFailed(caller, of, 'wrong_code');
    throw new SignInFailedError();
  }

  /** A try that is one too many is kept as a refusal. */
  private async noting<T>(caller: UnknownCaller, guess: () => Promise<T>): Promise<T> {
    try {
      return await guess();
    } catch (error) {
      if (error instanceof TooManyTriesError) {
        const subject = { type: 'operation', accountId: null, id: null, name: 'session.create' };
        const after = { reason: 'too_many_tries' };
        await this.audit.noteOfStranger(caller, 'session.refused', { subject, after });
      }
      throw error;
    }
  }
}

/** Why a sign-in failed, for the audit: callers never learn it. */
function reasonOf(found: Credentials | null, matches: boolean): string {
  if (!found) return 'unknown_address';
  if (!matches) return 'wrong_password';
  return found.disabled_at === null ? 'no_password' : 'disabled';
}

/** @throws ValidationError */
function requireUsable(password: string): void {
  const violation = passwordViolation(password);
  if (violation !== null) throw new ValidationError([{ path: 'password', message: violation }]);
}

/** @throws ValidationError */
function requireNoAddress(password: string, email: string): void {
  if (holdsAddress(password, email))
    throw new ValidationError([{ path: 'password', message: 'must not contain your e-mail address' }]);
}
