import { CodedError } from '@app/contracts/coded.error';

/** What was asked for would act on the outside, which is held. Nothing was stored. */
export class SendingHeldError extends CodedError {
  readonly code = 'UNAVAILABLE';
  override readonly retryAfterSeconds = 60;

  constructor() {
    super(
      'Sending is held, because the database was restored from a backup; nothing was stored. Who runs the service ends that with: npm run db:resume-sending. Then repeat the request.',
    );
  }
}
