import type { Channel } from '@app/contracts/message.words';
import { NumberProbe, type NumberConfirmation, type NumberReading } from '@app/domain/bots/number-probe.port';
import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import { describeMissing, isRefusal, isSuccess } from '../http/unusable-outcome';
import type { ProviderClient } from '../http/provider-client';
import { fieldOf, readBody, textOf, type ShownBody } from '../http/shown-body';
import { explainRefusal, readCloudError, throttleScope } from './cloud-outcome-reader';

const WHATSAPP = 'WhatsApp';

/** Numbers on a page of a business account's list, and the most pages that are read: far more than one may have. */
const PAGE_SIZE = 100;
const MOST_PAGES = 20;

/** Faults of WhatsApp's own, which it answers like refusals. */
const PASSING_FAULTS: ReadonlySet<number> = new Set([1, 2, 131000, 131016, 131057]);

/** It is written for people, with spaces and perhaps a plus. */
function phoneOf(displayed: unknown): string | null {
  const digits = textOf(displayed).replaceAll(/\D/g, '');
  return digits === '' ? null : `+${digits}`;
}

/** Reads the phone number object of Meta's Graph API, and the list of a business account's numbers. */
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
    return { ok: true, number: phoneOf(fieldOf(body.json, 'display_phone_number')) };
  }

  async confirm({ sender, settings, credential }: ChannelConnection): Promise<NumberConfirmation> {
    const business = settings.waba_id ?? '';
    const query = new URLSearchParams({ fields: 'id,display_phone_number', limit: String(PAGE_SIZE) });
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer = await this.client.call({
        method: 'GET',
        number: sender,
        path: `/${this.version}/${encodeURIComponent(business)}/phone_numbers?${query.toString()}`,
        headers: { authorization: `Bearer ${credential}` },
      });
      if (answer.kind !== 'answered') {
        const { message, response } = describeMissing(WHATSAPP, answer, credential);
        return { kind: 'unanswered', message, response };
      }
      const body = readBody(answer.body, answer.overlong, credential);
      if (isRefusal(answer.status)) return refusedBy(answer.status, body);
      const data = fieldOf(body.json, 'data');
      if (!isSuccess(answer.status) || !Array.isArray(data)) {
        const message = `${WHATSAPP} answered with something else than the numbers of the account (HTTP status ${answer.status}).`;
        return { kind: 'unanswered', message, response: body.shown };
      }
      const found = data.find((number: unknown) => textOf(fieldOf(number, 'id')) === sender) as unknown;
      if (found !== undefined)
        return { kind: 'confirmed', number: phoneOf(fieldOf(found, 'display_phone_number')) };
      // The next page's address is not followed, because it could lead anywhere and would get the token.
      const paging = fieldOf(body.json, 'paging');
      const after = textOf(fieldOf(fieldOf(paging, 'cursors'), 'after'));
      if (textOf(fieldOf(paging, 'next')) === '' || after === '') break;
      query.set('after', after);
    }
    return { kind: 'denied', message: `is not among those that ${WHATSAPP} names for this waba_id` };
  }
}

/** A fault that passes, or a pace that is too fast, says nothing about whose the number is. */
function refusedBy(status: number, body: ShownBody): NumberConfirmation {
  const { code, words } = readCloudError(status, body);
  const { message } = explainRefusal(status, code, words);
  const passes = throttleScope(status, code) !== null || (code !== null && PASSING_FAULTS.has(code));
  if (passes) return { kind: 'unanswered', message, response: body.shown };
  return {
    kind: 'denied',
    message: `is not confirmed by ${WHATSAPP} for this waba_id and credential: ${message}`,
  };
}
