import { hash, randomBytes } from 'node:crypto';
import { ValidationError } from '@app/contracts/coded.errors';
import {
  CredentialRepository,
  type Credentials,
} from '@app/persistence/accounts/people/credential.repository';
import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { Audit } from '../../audit/audit.service';
import { SECRET_CHANGED } from '../../audit/audited-thing';
import type { Caller } from '../principal.rules';
import { SecretCipher } from '../secret-cipher.port';
import { SecondFactorEnabledError } from './people.errors';
import { ofPerson } from './user.presenter';

/** As authenticator apps expect it (RFC 6238): SHA-1, six digits, 30 seconds. */
const PERIOD_S = 30;
const ISSUER = 'Leadline';
/** A code of the step before or after counts too, for clocks that differ. */
const WINDOW = 1;
const RECOVERY_CODES = 10;
/** 120 bits: with 112 and more a stored code needs no slow hash (OWASP ASVS 6.5.2). */
const RECOVERY_BYTES = 15;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_S });

/** A new secret for an authenticator app: 160 bits in Base32, and its address for a QR code. */
export function newSecondFactor(email: string): { secret: string; otpauth_url: string } {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, otpauth_url: totpOf(secret, email).toString() };
}

/** The time step of a code; null when it is not a code of now. */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta;
}

/** Ten codes for the case that the second factor is lost: six times four small letters and digits. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, '$1-'),
  );

/** SHA-256 of a recovery code, however it was typed. The code has 120 random bits, so a slow hash would add nothing. */
export const hashRecoveryCode = (code: string): Buffer =>
  hash('sha256', code.toLowerCase().replace(/[^a-z0-9]/g, ''), 'buffer');

/** The owner of a sealed secret: it cannot be opened for another person. */
const boundTo = ({ account_id: accountId, id }: Credentials): string =>
  `${accountId}/user/${id}/second-factor`;

/** Codes of authenticator apps, and recovery codes for whoever has lost the app. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly cipher: SecretCipher,
    private readonly audit: Audit,
  ) {}

  /**
   * A new secret for an authenticator app. It counts once a code of it was given.
   * @throws SecondFactorEnabledError
   */
  async begin(by: Caller, of: Credentials): Promise<{ secret: string; otpauth_url: string }> {
    const made = newSecondFactor(of.email);
    const { keyId, sealed } = this.cipher.seal(made.secret, boundTo(of));
    const act = { subject: ofPerson(of), after: { secret: SECRET_CHANGED } };
    const isBegun = await this.audit.act(
      by,
      'second_factor.begin',
      () => act,
      (entryOf) => this.credentials.beginSecondFactor(of, keyId, sealed, entryOf),
    );
    if (!isBegun) throw new SecondFactorEnabledError();
    return made;
  }

  /** @throws SecondFactorEnabledError, or ValidationError where none was begun. */
  requireBegun(of: Credentials): void {
    if (of.second_factor_enabled_at !== null) throw new SecondFactorEnabledError();
    if (of.second_factor_secret === null)
      throw new ValidationError([{ path: 'code', message: 'is of no second factor: begin one first' }]);
  }

  /**
   * Enables the second factor by a code of its app.
   * @returns recovery codes, which are shown this once
   * @throws SecondFactorEnabledError, or ValidationError for a code that is not of now.
   */
  async enable(by: Caller, of: Credentials, code: string, now: Date): Promise<string[]> {
    this.requireBegun(of);
    const secret = this.secretOf(of);
    const step = secret === null ? null : stepOf(secret, code, +now);
    const codes = newRecoveryCodes();
    const { second_factor_secret: sealed } = of;
    const after = { second_factor: true, recovery_codes: SECRET_CHANGED };
    const act = { subject: ofPerson(of), before: { second_factor: false }, after };
    const isEnabled =
      step !== null &&
      sealed !== null &&
      (await this.audit.act(
        by,
        'second_factor.enable',
        () => act,
        (entryOf) =>
          this.credentials.enableSecondFactor(of, sealed, step, codes.map(hashRecoveryCode), entryOf),
      ));
    if (!isEnabled)
      throw new ValidationError([{ path: 'code', message: 'is not the code that the app shows now' }]);
    return codes;
  }

  /** Disables it. */
  async disable(by: Caller, of: Credentials): Promise<void> {
    const before = { second_factor: of.second_factor_enabled_at !== null };
    const act = { subject: ofPerson(of), before, after: { second_factor: false } };
    await this.audit.act(
      by,
      'second_factor.disable',
      () => act,
      (entryOf) => this.credentials.disableSecondFactor(of, entryOf),
    );
  }

  /** Whether a code is good now: one of the app, or a recovery code. Either is good once. */
  async accepts(of: Credentials, code: string, now: Date): Promise<boolean> {
    const secret = this.secretOf(of);
    const step = secret === null ? null : stepOf(secret, code, +now);
    if (step !== null) return this.credentials.useStep(of, step);
    return this.credentials.useRecoveryCode(of, hashRecoveryCode(code));
  }

  private secretOf(of: Credentials): string | null {
    const { second_factor_key_id: keyId, second_factor_secret: sealed } = of;
    return keyId === null || sealed === null ? null : this.cipher.open(keyId, sealed, boundTo(of));
  }
}
