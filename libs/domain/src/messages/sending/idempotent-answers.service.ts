import { hash } from 'node:crypto';
import { canonicalJson } from '@app/contracts/json-object';
import {
  IdempotencyRepository,
  type KnownKey,
} from '@app/persistence/messages/sending/idempotency.repository';
import type { KeyToStore } from '@app/persistence/messages/sending/outbox.repository';
import { Injectable } from '@nestjs/common';
import type { StoredAnswer } from './single-answer.presenter';
import { IdempotencyKeyReusedError } from '../dialog/message.errors';

const OPERATION = 'send-template';

/** A call's Idempotency-Key, and its whole parsed body. */
export interface IdempotentCall {
  key: string;
  body: unknown;
}

/** The first answer to a key is the answer to every further call with it. */
@Injectable()
export class IdempotentAnswers {
  constructor(private readonly keys: IdempotencyRepository) {}

  toStore(call: IdempotentCall | null): KeyToStore | null {
    if (!call) return null;
    return { operation: OPERATION, key: call.key, fingerprint: fingerprintOf(call.body) };
  }

  /**
   * The stored answer of a key, unless it has expired.
   * @throws IdempotencyKeyReusedError when the key belongs to another body.
   */
  async find(accountId: string, { key, body }: IdempotentCall): Promise<KnownKey | null> {
    const known = await this.keys.find(accountId, OPERATION, key);
    if (known && !known.fingerprint.equals(fingerprintOf(body))) throw new IdempotencyKeyReusedError();
    return known;
  }

  /**
   * Stores the answer about a message or batch.
   * @returns the stored answer, which is an earlier one if there is one
   */
  async keep<Data extends object>(
    accountId: string,
    { key }: IdempotentCall,
    about: string,
    answer: StoredAnswer<Data>,
  ): Promise<StoredAnswer<Data>> {
    const kept = await this.keys.keepAnswer(accountId, OPERATION, key, about, JSON.stringify(answer));
    return JSON.parse(kept) as StoredAnswer<Data>;
  }
}

const fingerprintOf = (body: unknown): Buffer => hash('sha256', canonicalJson(body), 'buffer');
