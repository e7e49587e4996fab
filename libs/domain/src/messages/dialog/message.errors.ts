import { CodedError, ValidationError } from '@app/contracts/coded.errors';
import type { MessageError } from '@app/contracts/message.words';

export class MessageNotFoundError extends CodedError {
  readonly code = 'MESSAGE_NOT_FOUND';

  /** @param field of the call, which named the message */
  constructor(field: 'id' | 'up_to' | 'around') {
    super(`There is no such message among those that the key or the person may see. Check ${field}.`);
  }
}

export class BatchNotFoundError extends CodedError {
  readonly code = 'BATCH_NOT_FOUND';

  /** @param field of the call, which named the batch */
  constructor(field: 'batch_id' | 'earlier_batch_ids') {
    super(`There is no such batch among those that the key or the person may see. Check ${field}.`);
  }
}

export class ChannelNotConnectedError extends ValidationError {
  constructor(path = 'channel') {
    super([{ path, message: 'the bot has no such channel connected' }]);
  }
}

/** The channel is connected, but its credential cannot be opened. */
export class CredentialSealedError extends ValidationError {
  constructor(path = 'channel') {
    super([
      { path, message: "the channel's credential cannot be opened any more: connect the channel again" },
    ]);
  }
}

/** A single message would wait too long for its number's pace. */
export class NumberBusyError extends CodedError {
  readonly code = 'RATE_LIMITED';

  constructor(override readonly retryAfterSeconds: number) {
    super(
      `This number, or this recipient, may not be sent to so fast; nothing was stored. Try again in ${retryAfterSeconds} s, or send a list, which waits.`,
    );
  }
}

/** As many requests to the provider are under way as this number may have: a single message would not even be tried. */
export class NoSlotError extends CodedError {
  readonly code = 'RATE_LIMITED';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super(
      'Too many requests to the provider are under way; nothing was stored. Try again in 1 s, or send a list, which waits.',
    );
  }
}

export class QuotaExceededError extends CodedError {
  readonly code = 'QUOTA_EXCEEDED';

  constructor(wanted: number, left: number, resetAt: Date) {
    super(
      `The monthly message quota has ${left} recipients left and this request has ${wanted}; nothing was sent. It begins anew at ${resetAt.toISOString()}.`,
    );
  }
}

export class IdempotencyKeyReusedError extends ValidationError {
  constructor() {
    super([
      {
        path: 'Idempotency-Key',
        message: 'was used for another body within 24 hours: take a new key for a new request',
      },
    ]);
  }
}

export class IdempotencyInProgressError extends CodedError {
  readonly code = 'IDEMPOTENCY_IN_PROGRESS';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('The first request with this Idempotency-Key is still under way. Repeat it in a moment.');
  }
}

/** A message that was not sent, or whose outcome is unknown. */
export class ProviderRefusalError extends CodedError {
  readonly code: 'PROVIDER_ERROR' | 'BILLING_ERROR';

  constructor(
    { code, message }: Pick<MessageError, 'code' | 'message'>,
    override readonly providerResponse: { value: unknown },
    override readonly retryAfterSeconds?: number,
    override readonly replayed = false,
    override readonly providerCode: number | null = null,
  ) {
    super(message);
    this.code = code === 'BILLING_ERROR' ? code : 'PROVIDER_ERROR';
  }
}
