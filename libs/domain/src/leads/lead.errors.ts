import { CodedError, type FieldViolation } from '@app/contracts/coded.errors';

export class ThreadNotFoundError extends CodedError {
  readonly code = 'THREAD_NOT_FOUND';

  constructor() {
    super(
      'There is no such dialog among those that the key or the person may see. Check thread_id, and that they may see its account and its agent.',
    );
  }
}

/** Of a list: with the places that name such dialogs. */
export class ThreadsNotFoundError extends ThreadNotFoundError {
  override readonly details: readonly FieldViolation[];

  constructor(paths: readonly string[]) {
    super();
    this.details = paths.map((path) => ({ path, message: 'there is no such dialog' }));
  }
}

export class ThreadErasedError extends CodedError {
  readonly code = 'THREAD_ERASED';

  constructor() {
    super('The customer of this dialog was erased. A new message of the customer opens another dialog.');
  }
}

/** Of a list: with the places that name such dialogs. */
export class ThreadsErasedError extends ThreadErasedError {
  override readonly details: readonly FieldViolation[];

  constructor(paths: readonly string[]) {
    super();
    this.details = paths.map((path) => ({ path, message: 'the customer of this dialog was erased' }));
  }
}

export class StatusNotFoundError extends CodedError {
  readonly code = 'STATUS_NOT_FOUND';

  constructor() {
    super("The stage is not in this agent's funnel. Take its id from get-statuses.");
  }
}

export class StatusAmbiguousError extends CodedError {
  readonly code = 'STATUS_AMBIGUOUS';

  constructor() {
    super('Several stages of the funnel have this name. Give status_id instead.');
  }
}

export class StatusConflictError extends CodedError {
  readonly code = 'STATUS_CONFLICT';

  constructor() {
    super('The lead does not stand at expected_status_id. Read it with get-lead and decide anew.');
  }
}

export class AssistantNotFoundError extends CodedError {
  readonly code = 'ASSISTANT_NOT_FOUND';

  constructor() {
    super('There is no such agent among those that the key or the person may see.');
  }
}
