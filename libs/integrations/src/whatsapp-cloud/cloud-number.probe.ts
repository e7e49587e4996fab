import type { Channel } from '@app/contracts/message.words';
import { NumberProbe, type NumberReading } from '@app/domain/bots/number-probe.port';
import type { ChannelConnection } from '@app/domain/messages/message-sender.port';
import { describeMissing } from '../http/missing.answer';
import type { ProviderClient } from '../http/provider.client';
import { fieldOf, readBody, textOf } from '../http/shown.body';
import { isRefusal, isSuccess } from '../http/unusable.outcome';
import { explainRefusal, readCloudError } from './cloud-outcome.reader';

const WHATSAPP = 'WhatsApp';

/** Reads the phone number object of Meta's Graph API. */
export class CloudNumberProbe extends NumberProbe {
  readonly channels: readonly Channel[] = ['waba_coexistence'];

  constructor(
    private readonly client: ProviderClient,
    private readonly version: string,
  ) {
    super();
  }

  async read({ sender, credential }: ChannelConnection): Promise<NumberReading> {
    const answer = await this.client.call({
      method: 'GET',
      number: sender,
      path: `/${this.version}/${encodeURIComponent(sender)}?fields=id,display_phone_number`,
      headers: { authorization: `Bearer ${credential}` },
    });
    if (answer.kind !== 'answered') {
      const { message, response } = describeMissing(WHATSAPP, answer, credential);
      return { ok: false, problem: message, response };
    }
    const { status } = answer;
    const body = readBody(answer.body, answer.overlong, credential);
    if (isRefusal(status)) {
      const { code, words } = readCloudError(status, body);
      return { ok: false, problem: explainRefusal(status, code, words).message, response: body.shown };
    }
    if (!isSuccess(status) || textOf(fieldOf(body.json, 'id')) !== sender) {
      const problem = `${WHATSAPP} answered with something else than the number (HTTP status ${status}).`;
      return { ok: false, problem, response: body.shown };
    }
    // It is written for people, with spaces and perhaps a plus.
    const digits = textOf(fieldOf(body.json, 'display_phone_number')).replaceAll(/\D/g, '');
    return { ok: true, number: digits === '' ? null : `+${digits}` };
  }
}
