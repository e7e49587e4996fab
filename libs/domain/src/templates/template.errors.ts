import { CodedError } from '@app/contracts/coded.errors';
import type { TemplateGatewayFailure } from './template-gateway.port';

export class TemplateNotFoundError extends CodedError {
  readonly code = 'TEMPLATE_NOT_FOUND';

  constructor() {
    super('There is no such template.');
  }
}

export class TemplateExistsError extends CodedError {
  readonly code = 'ALREADY_EXISTS';

  constructor() {
    super(
      'The bot has a template of this template_id, or of this name, in this language on this channel already.',
    );
  }
}

/** The template cannot be changed in its present state. */
export class TemplateConflictError extends CodedError {
  readonly code = 'TEMPLATE_CONFLICT';
}

/** The provider did not accept the call, or its outcome is unknown. */
export class TemplateProviderError extends CodedError {
  readonly code: TemplateGatewayFailure['code'];
  override readonly providerResponse: { value: unknown };

  constructor(failure: TemplateGatewayFailure) {
    super(failure.message);
    this.code = failure.code;
    this.providerResponse = { value: failure.response };
  }
}
