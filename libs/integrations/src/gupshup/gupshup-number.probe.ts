import type { Channel } from '@app/contracts/message.words';
import { NumberProbe, type NumberReading } from '@app/domain/bots/number-probe.port';
import type { ChannelConnection } from '@app/domain/messages/message-sender.port';
import { describeMissing } from '../http/missing.answer';
import type { ProviderClient } from '../http/provider.client';
import { fieldOf, readBody, textOf } from '../http/shown.body';
import { isRefusal, isSuccess } from '../http/unusable.outcome';
import { explainGupshupRefusal } from './gupshup-refusal.reader';

const GUPSHUP = 'Gupshup';

/**
 * Reads one template of the app: of what the API key of an app may read, the least. Gupshup does not tell which number
 * the app has.
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
}
