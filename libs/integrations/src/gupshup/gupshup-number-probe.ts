import type { Channel } from '@app/contracts/message.words';
import { NumberProbe, type NumberConfirmation, type NumberReading } from '@app/domain/bots/number-probe.port';
import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import { describeMissing, isRefusal, isSuccess } from '../http/unusable-outcome';
import type { ProviderClient } from '../http/provider-client';
import { fieldOf, readBody, textOf } from '../http/shown-body';
import { explainGupshupRefusal } from './gupshup-refusal-reader';

const GUPSHUP = 'Gupshup';

const TOO_MANY_REQUESTS = 429;

/**
 * Whether the connection works is seen by one template of the app: of what the API key of an app may read, the least.
 * Whose the number is, Gupshup says in the app's business profile.
 */
export class GupshupNumberProbe extends NumberProbe {
  readonly channels: readonly Channel[] = ['waba'];

  constructor(private readonly client: ProviderClient) {
    super();
  }

  async read({ sender, settings, credential }: ChannelConnection): Promise<NumberReading> {
    const answer = await this.client.call({
      method: 'GET',
      number: sender,
      path: `/wa/app/${encodeURIComponent(settings.app_id ?? '')}/template?pageNo=0&pageSize=1`,
      headers: { apikey: credential },
    });
    if (answer.kind !== 'answered') {
      const { message, response } = describeMissing(GUPSHUP, answer, credential);
      return { ok: false, problem: message, response };
    }
    const { status } = answer;
    const body = readBody(answer.body, answer.overlong, credential);
    const saysError = textOf(fieldOf(body.json, 'status')).toLowerCase() === 'error';
    if (isRefusal(status) || saysError) {
      return { ok: false, problem: explainGupshupRefusal(status, body).message, response: body.shown };
    }
    if (!isSuccess(status) || !Array.isArray(fieldOf(body.json, 'templates'))) {
      const problem = `${GUPSHUP} answered with something else than the app's templates (HTTP status ${status}).`;
      return { ok: false, problem, response: body.shown };
    }
    return { ok: true, number: null };
  }

  /** An app has one number. Where Gupshup does not name it, the app and its key are what is confirmed. */
  async confirm({ sender, settings, credential }: ChannelConnection): Promise<NumberConfirmation> {
    const answer = await this.client.call({
      method: 'GET',
      number: sender,
      path: `/wa/app/${encodeURIComponent(settings.app_id ?? '')}/business/profile`,
      headers: { apikey: credential },
    });
    if (answer.kind !== 'answered') {
      const { message, response } = describeMissing(GUPSHUP, answer, credential);
      return { kind: 'unanswered', message, response };
    }
    const { status } = answer;
    const body = readBody(answer.body, answer.overlong, credential);
    const saysError = textOf(fieldOf(body.json, 'status')).toLowerCase() === 'error';
    if (isRefusal(status) || (isSuccess(status) && saysError)) {
      const { message } = explainGupshupRefusal(status, body);
      if (status === TOO_MANY_REQUESTS) return { kind: 'unanswered', message, response: body.shown };
      return {
        kind: 'denied',
        message: `is not confirmed by ${GUPSHUP} for this app and API key: ${message}`,
      };
    }
    if (!isSuccess(status) || body.json === null) {
      const message = `${GUPSHUP} answered with something else than the app's profile (HTTP status ${status}).`;
      return { kind: 'unanswered', message, response: body.shown };
    }
    const named = textOf(
      fieldOf(body.json, 'phoneNumber') ?? fieldOf(fieldOf(body.json, 'profile'), 'phoneNumber'),
    );
    const digits = named.replaceAll(/\D/g, '');
    if (digits !== '' && digits !== sender)
      return { kind: 'denied', message: `is not the one that ${GUPSHUP} names for this app` };
    return { kind: 'confirmed', number: `+${sender}` };
  }
}
