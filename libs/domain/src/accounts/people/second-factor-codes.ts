import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

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
