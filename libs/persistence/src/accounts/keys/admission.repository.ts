import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { Injectable } from '@nestjs/common';
import { CallBatcher } from '../../database/call-batcher';
import { CONNECTIONS } from '../../database/connection-budget';
import { DatabaseUnavailableError } from '../../database/database.errors';
import { AdmissionDatabase } from '../../database/database.service';
import type { Secret } from './api-key.entity';
import {
  RAISED,
  EXACT,
  EXACT_LIMIT_MAX,
  ONE,
  type AdmittedKey,
  type RateCounter,
} from './admission.statements';

export type { AdmittedKey, RateCounter };

const REMEMBERED_KEYS_MAX = 10_000;

export interface AdmissionCall {
  /** SHA-256 of the secret. */
  keyHash: Buffer;
  counter: RateCounter;
  /** For keys without a separate limit. */
  defaultLimit: number;
  /** The name of this counter of this secret in the process's memory. */
  counterOfKey: string;
}

/** Whether the returned window does not show why the call was refused: it was read before the lock. */
const isWindowOld = ({ used, lim, reset_s: resetS }: AdmittedKey): boolean => used < lim || resetS === null;

/** Keys are looked up across accounts by the hash of a secret, because the account is known only from the key. */
@Injectable()
export class AdmissionRepository {
  /** Counters with a raised limit. */
  private readonly raised = new Set<string>();
  /** Counters of keys that are called with the secret before their last rotation. */
  private readonly old = new Set<string>();
  private readonly exact: CallBatcher<AdmissionCall, AdmittedKey | null>;
  /**
   * Of keys with a raised limit, each of whose calls is a statement. Half of the places are as many as the pool has
   * connections, so one key may use all of them, but a thousand of its calls at once never wait in the pool's line: there
   * other keys would wait behind them, and after five seconds the database is taken to be away.
   */
  private readonly raisedCalls = new InFlightLimiter(2 * CONNECTIONS.admission);
  /** When such a call last found that the database is away. */
  private away: { at: number; error: DatabaseUnavailableError } | null = null;

  constructor(private readonly database: AdmissionDatabase) {
    this.exact = new CallBatcher({
      act: (calls) => this.admitTogether(calls),
      keyOf: ({ counterOfKey }) => counterOfKey,
      // Only time empties a full window, so every call that waits behind this one gets the same answer.
      answersOthers: (key) => key !== null && !key.passed && !isWindowOld(key),
    });
  }

  /**
   * Finds an active key and counts the call against one of its windows.
   * @returns null when there is no such key, or it is revoked or expired.
   */
  async admit(call: AdmissionCall): Promise<AdmittedKey | null> {
    let raised = this.raised.has(call.counterOfKey);
    for (let look = 1; ; look++) {
      const key = raised ? await this.admitInTurn(call) : await this.exact.call(call);
      if (!key) return null;
      if (raised !== key.lim > EXACT_LIMIT_MAX) {
        raised = !raised;
        this.remember(this.raised, call, raised);
        continue;
      }
      // A second try takes the path without a lock and sees the reason.
      if (key.passed || !isWindowOld(key) || look > 3) return key;
    }
  }

  private async admitTogether(calls: readonly AdmissionCall[]): Promise<(AdmittedKey | null)[]> {
    const answers = calls.map((): AdmittedKey | null => null);
    const ask = async (secret: Secret, asked: (call: AdmissionCall) => boolean): Promise<void> => {
      const at = calls.flatMap((call, index) => (!answers[index] && asked(call) ? [{ call, index }] : []));
      const keys = await this.admitBy(
        secret,
        at.map(({ call }) => call),
      );
      at.forEach(({ call, index }, n) => {
        answers[index] = keys[n] ?? null;
        this.remember(this.old, call, secret === 'old' && Boolean(keys[n]));
      });
    };
    const isOld = ({ counterOfKey }: AdmissionCall): boolean => this.old.has(counterOfKey);
    await ask('present', (call) => !isOld(call));
    await ask('old', () => true);
    return answers;
  }

  /** The calls of one statement are of different keys, because all their secrets are present ones, or all are old. */
  private async admitBy(
    secret: Secret,
    calls: readonly AdmissionCall[],
  ): Promise<readonly (AdmittedKey | null)[]> {
    const [first, second] = calls;
    if (!first) return [];
    if (!second && secret === 'present') {
      const [key = null] = await this.database.run(ONE, valuesOf(first));
      // Otherwise the exact statement must decide.
      if (!key || key.passed || key.lim > EXACT_LIMIT_MAX) return [key];
    }
    const rows = await this.database.run(EXACT[secret], {
      hashes: calls.map(({ keyHash }) => keyHash),
      counters: calls.map(({ counter }) => counter),
      defaultLimits: calls.map(({ defaultLimit }) => defaultLimit),
    });
    const keys = calls.map((): AdmittedKey | null => null);
    for (const row of rows) keys[row.n - 1] = row;
    return keys;
  }

  /** Where the database turns out to be away, those who wait hear of it at once: each would wait as long for itself. */
  private async admitInTurn(call: AdmissionCall): Promise<AdmittedKey | null> {
    const began = performance.now();
    return this.raisedCalls.run(call.counterOfKey, async () => {
      if (this.away !== null && this.away.at >= began) throw this.away.error;
      try {
        return await this.admitRaised(call);
      } catch (error) {
        if (error instanceof DatabaseUnavailableError) this.away = { at: performance.now(), error };
        throw error;
      }
    });
  }

  private async admitRaised(call: AdmissionCall): Promise<AdmittedKey | null> {
    if (!this.old.has(call.counterOfKey)) {
      const [key] = await this.database.run(RAISED.present, valuesOf(call));
      if (key) return key;
    }
    const [key = null] = await this.database.run(RAISED.old, valuesOf(call));
    this.remember(this.old, call, key !== null);
    return key;
  }

  private remember(keys: Set<string>, { counterOfKey }: AdmissionCall, is: boolean): void {
    if (keys.size > REMEMBERED_KEYS_MAX) keys.clear();
    if (is) keys.add(counterOfKey);
    else keys.delete(counterOfKey);
  }
}

const valuesOf = ({ keyHash: hash, counter, defaultLimit }: AdmissionCall) => ({
  hash,
  counter,
  defaultLimit,
});
