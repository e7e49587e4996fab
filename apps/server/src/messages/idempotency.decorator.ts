import { ValidationError } from '@app/contracts/coded.errors';
import type { IdempotentCall } from '@app/domain/messages/sending/idempotent-answers.service';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { idempotencyKeyViolations } from './message.request';

/** The caller's Idempotency-Key, read once the body is known to be valid. */
export interface Idempotency {
  /**
   * Null for a call without a key.
   * @throws ValidationError for a malformed key.
   */
  call(): IdempotentCall | null;
}

/** With the parsed body, because a repeated call must be the same. */
export const CurrentIdempotency = createParamDecorator(
  (_: unknown, context: ExecutionContext): Idempotency => {
    const { headers, body } = context.switchToHttp().getRequest<Request & { body: unknown }>();
    return {
      call: () => {
        const given = headers['idempotency-key'];
        const key = Array.isArray(given) ? given.join() : given;
        const violations = idempotencyKeyViolations(key);
        ValidationError.throwIfAny(violations);
        return key === undefined ? null : { key, body };
      },
    };
  },
);
