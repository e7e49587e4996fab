import { CodedError } from '@app/contracts/coded.errors';

export class EndpointNotFoundError extends CodedError {
  readonly code = 'WEBHOOK_ENDPOINT_NOT_FOUND';

  constructor() {
    super('There is no such endpoint.');
  }
}

export class EndpointDisabledError extends CodedError {
  readonly code = 'WEBHOOK_ENDPOINT_DISABLED';

  constructor() {
    super('The endpoint is disabled: enable it first, by PATCH with disabled: false.');
  }
}

export class DeliveryNotFoundError extends CodedError {
  readonly code = 'WEBHOOK_DELIVERY_NOT_FOUND';

  constructor() {
    super('There is no such delivery: it belongs to another account, or is older than 30 days.');
  }
}

/** The delivery is not one that is sent again. */
export class DeliveryStateError extends CodedError {
  readonly code = 'WEBHOOK_DELIVERY_STATE';

  static delivered(): DeliveryStateError {
    return new DeliveryStateError('The event was delivered already: it is not sent again.');
  }

  static ofTest(): DeliveryStateError {
    return new DeliveryStateError('A test is not sent again: test the endpoint once more.');
  }

  static erased(): DeliveryStateError {
    return new DeliveryStateError('The customer of the event was erased: nothing is told of them any more.');
  }
}
