import type { TemplateGatewayFailure } from '@app/domain/templates/template-gateway.port';
import type { ProviderAnswer } from '../http/provider-exchange';
import { describeMissing } from '../http/unusable-outcome';

/** A failure that has nothing to do with payment. */
export function failure(message: string, response: unknown): TemplateGatewayFailure {
  return { ok: false, code: 'PROVIDER_ERROR', message, response };
}

/** The channel was connected without a setting that templates need. */
export function missingSetting(name: string): TemplateGatewayFailure {
  return failure(`The channel's setting ${name} is missing: connect the channel again with it.`, null);
}

/** The failure of a call that got no whole answer. */
export function failureWithoutAnswer(
  provider: string,
  answer: Exclude<ProviderAnswer, { kind: 'answered' }>,
  credential: string,
): TemplateGatewayFailure {
  const { message, response, isDoubtful } = describeMissing(provider, answer, credential);
  return isDoubtful ? doubtful(message, response) : failure(message, response);
}

/** The failure of a call whose answer cannot be used. */
export function unusable(provider: string, status: number, response: unknown): TemplateGatewayFailure {
  return doubtful(`${provider} gave an answer that cannot be used (HTTP status ${status})`, response);
}

/** The failure of a call that may have been accepted. */
function doubtful(what: string, response: unknown): TemplateGatewayFailure {
  const message = `${what}: synchronise the templates to see what became of it.`;
  return { ...failure(message, response), mayHaveBeenTaken: true };
}
