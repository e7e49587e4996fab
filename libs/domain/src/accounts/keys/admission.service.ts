import { hash } from 'node:crypto';
import { AdmissionRepository, type RateCounter } from '@app/persistence/accounts/keys/admission.repository';
import {
  SessionAdmissionRepository,
  type AdmittedSession,
} from '@app/persistence/accounts/people/session-admission.repository';
import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '../account.errors';
import { personOf, principalOf, type Principal } from '../principal.rules';
import { hashSessionToken } from '../people/sessions.service';

export type { RateCounter };

/** Calls that a key without a separate limit may make in any 60 seconds. */
export abstract class RateLimits {
  abstract readonly leads: number;
  abstract readonly general: number;
}

export interface Admission {
  principal: Principal;
  passed: boolean;
  /** Calls in any 60 seconds. */
  limit: number;
  remaining: number;
  /** Whole seconds until the oldest counted call no longer counts. */
  resetSeconds: number;
}

interface Refusal {
  admission: Admission;
  until: number;
  resetAt: number;
}

const REFUSED_FOR_MS_MAX = 1_000;
const REFUSALS_CACHED_MAX = 10_000;

/** Calls that a person may make in any 60 seconds, by all sessions together. */
const CALLS_OF_A_PERSON = 600;

/** Recognises keys and sessions, and counts calls. */
@Injectable()
export class AdmissionService {
  /**
   * Counters of keys that this process refuses without asking the database, for at most a second. Only time empties a
   * full window, so no call can be refused wrongly.
   */
  private readonly refusals = new Map<string, Refusal>();

  constructor(
    private readonly keys: AdmissionRepository,
    private readonly limits: RateLimits,
    private readonly sessions: SessionAdmissionRepository,
  ) {}

  /**
   * Recognises a key and counts the call. A call over the limit is not counted and comes back as not passed.
   * @throws UnauthorizedError when the key is missing, unknown, expired or revoked.
   */
  async admit(key: string | undefined, counter: RateCounter): Promise<Admission> {
    if (!key) throw new UnauthorizedError();
    const keyHash = hashKey(key);
    const counterOfKey = keyHash.toString('base64') + counter;
    const refused = this.recentRefusal(counterOfKey);
    if (refused) return refused;
    const found = await this.keys.admit({
      keyHash,
      counter,
      defaultLimit: this.limits[counter],
      counterOfKey,
    });
    if (!found) throw new UnauthorizedError();
    const admission = admissionOf(principalOf(found, keyHash), found.lim, found);
    if (!found.passed) this.rememberRefusal(counterOfKey, admission, (found.reset_s ?? 0) * 1000);
    return admission;
  }

  /**
   * Recognises a session and counts the call of its person. A call over the limit is not counted and comes back as
   * not passed.
   * @throws UnauthorizedError when the session is unknown or over, or its person disabled.
   */
  async admitSession(token: string): Promise<Admission> {
    const tokenHash = hashSessionToken(token);
    const counter = tokenHash.toString('base64');
    const refused = this.recentRefusal(counter);
    if (refused) return refused;
    const found = await this.sessions.admit({ tokenHash, limit: CALLS_OF_A_PERSON });
    if (!found) throw new UnauthorizedError();
    const admission = admissionOf(personOf(found), CALLS_OF_A_PERSON, found);
    if (!found.passed) this.rememberRefusal(counter, admission, (found.reset_s ?? 0) * 1000);
    return admission;
  }

  private recentRefusal(counterOfKey: string): Admission | null {
    const refusal = this.refusals.get(counterOfKey);
    if (!refusal) return null;
    const now = performance.now();
    if (now >= refusal.until) {
      this.refusals.delete(counterOfKey);
      return null;
    }
    return { ...refusal.admission, resetSeconds: Math.max(1, Math.ceil((refusal.resetAt - now) / 1000)) };
  }

  private rememberRefusal(counterOfKey: string, admission: Admission, resetMs: number): void {
    if (this.refusals.size >= REFUSALS_CACHED_MAX) this.refusals.clear();
    const now = performance.now();
    this.refusals.set(counterOfKey, {
      admission,
      until: now + Math.min(resetMs, REFUSED_FOR_MS_MAX),
      resetAt: now + resetMs,
    });
  }
}

function admissionOf(
  principal: Principal,
  limit: number,
  { passed, used, reset_s: resetS }: Pick<AdmittedSession, 'passed' | 'used' | 'reset_s'>,
): Admission {
  const least = passed ? 0 : 1;
  return {
    ...{ principal, passed, limit },
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(least, Math.ceil(resetS ?? 0)),
  };
}

/** SHA-256 of a key. Keys have 256 random bits, so a slow hash would add nothing. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
