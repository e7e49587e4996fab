import type { Channel } from '@app/contracts/message.words';
import type { ChannelConnection, FileToGive } from '@app/domain/messages/dispatch/message-sender.port';
import {
  TemplateGateway,
  type ProviderTemplate,
  type TemplateDefinition,
  type TemplateGatewayFailure,
  type TemplateListing,
  type TemplateTaken,
} from '@app/domain/templates/template-gateway.port';
import type { ProviderClient, ProviderRequest } from '../http/provider-client';
import { fieldOf, readBody, textOf, type ShownBody } from '../http/shown-body';
import { isRefusal, isSuccess } from '../http/unusable-outcome';
import { failure, failureWithoutAnswer, missingSetting, unusable } from '../templates/gateway-failures';
import { templateStatusOf } from '../templates/template-words-mapping';
import { explainRefusal, readCloudError } from './cloud-outcome-reader';
import type { CloudFileUpload } from './cloud-file-upload';
import { templateForCreation, templateForEdit, templateOf } from './cloud-template-mapping';

const WHATSAPP = 'WhatsApp';
const FIELDS = 'id,name,language,status,category,parameter_format,components,rejected_reason,quality_score';

/** Templates on a page of the list, and the most pages that are read: far more than an account may have. */
const PAGE_SIZE = 100;
const MOST_PAGES = 60;
/** Longest page in bytes. A template's texts take less than 10 KB. */
const LONGEST_PAGE = 4 * 1024 * 1024;

const templatesOf = (wabaId: string): string => `${encodeURIComponent(wabaId)}/message_templates`;

/** Sixteen MiB, the largest video, by 140 KB a second: less than a submission may take. */
const SAMPLE_MS_MAX = 120_000;
const NOT_GIVEN = 'The sample was not taken, so the template was not submitted. ';

/** Nothing of the template has reached Meta. */
const notGiven = ({ code, message, response }: TemplateGatewayFailure): TemplateGatewayFailure => ({
  ...{ ok: false, code, response },
  message: NOT_GIVEN + message,
});

type Read = { ok: true; status: number; body: ShownBody } | TemplateGatewayFailure;

/** Templates by Meta's Graph API, of the number's business account, which the setting `waba_id` names. */
export class CloudTemplateGateway extends TemplateGateway {
  readonly channels: readonly Channel[] = ['waba_coexistence'];
  readonly takesSamples = true;

  constructor(
    private readonly client: ProviderClient,
    private readonly version: string,
    private readonly files: CloudFileUpload,
  ) {
    super();
  }

  async create(
    connection: ChannelConnection,
    template: TemplateDefinition,
    sample: FileToGive | null,
  ): Promise<TemplateTaken | TemplateGatewayFailure> {
    const whole = await this.withSample(connection, template, sample);
    if ('ok' in whole) return whole;
    const body = JSON.stringify(templateForCreation(whole));
    const read = await this.call(connection, templatesOf, { method: 'POST', body });
    if (!read.ok) return read;
    const providerId = fieldOf(read.body.json, 'id');
    if (typeof providerId !== 'string' && typeof providerId !== 'number') {
      return unusable(WHATSAPP, read.status, read.body.shown);
    }
    const status = templateStatusOf(textOf(fieldOf(read.body.json, 'status')));
    return { ok: true, providerId: String(providerId), status };
  }

  async edit(
    connection: ChannelConnection,
    providerId: string,
    template: TemplateDefinition,
    sample: FileToGive | null,
  ): Promise<TemplateTaken | TemplateGatewayFailure> {
    const whole = await this.withSample(connection, template, sample);
    if ('ok' in whole) return whole;
    const body = JSON.stringify(templateForEdit(whole));
    const read = await this.call(connection, () => encodeURIComponent(providerId), { method: 'POST', body });
    if (!read.ok) return read;
    if (fieldOf(read.body.json, 'success') !== true) {
      return unusable(WHATSAPP, read.status, read.body.shown);
    }
    return { ok: true, providerId, status: 'pending' };
  }

  async list(connection: ChannelConnection): Promise<TemplateListing | TemplateGatewayFailure> {
    const templates: ProviderTemplate[] = [];
    let unreadable = 0;
    const query = new URLSearchParams({ fields: FIELDS, limit: String(PAGE_SIZE) });
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read = await this.call(connection, (wabaId) => `${templatesOf(wabaId)}?${query.toString()}`, {
        method: 'GET',
        longestBody: LONGEST_PAGE,
      });
      if (!read.ok) return read;
      const data = fieldOf(read.body.json, 'data');
      if (!Array.isArray(data)) return unusable(WHATSAPP, read.status, read.body.shown);
      const readable = data.map(templateOf).filter((template) => template !== null);
      templates.push(...readable);
      unreadable += data.length - readable.length;
      // The next page's address is not followed, because it could lead anywhere and would get our token.
      const paging = fieldOf(read.body.json, 'paging');
      const after = textOf(fieldOf(fieldOf(paging, 'cursors'), 'after'));
      if (textOf(fieldOf(paging, 'next')) === '') return { ok: true, templates, unreadable };
      if (after === '') return unusable(WHATSAPP, read.status, read.body.shown);
      query.set('after', after);
    }
    return failure(`${WHATSAPP} lists more than ${MOST_PAGES} pages of templates: remove unused ones.`, null);
  }

  async fetch(
    connection: ChannelConnection,
    providerId: string,
  ): Promise<{ ok: true; template: ProviderTemplate } | TemplateGatewayFailure> {
    const path = `${encodeURIComponent(providerId)}?${new URLSearchParams({ fields: FIELDS }).toString()}`;
    const read = await this.call(connection, () => path, { method: 'GET', longestBody: LONGEST_PAGE });
    if (!read.ok) return read;
    const template = templateOf(read.body.json);
    return template ? { ok: true, template } : unusable(WHATSAPP, read.status, read.body.shown);
  }

  /** The template with Meta's handle of the sample, which Meta has by then. */
  private async withSample(
    connection: ChannelConnection,
    template: TemplateDefinition,
    sample: FileToGive | null,
  ): Promise<TemplateDefinition | TemplateGatewayFailure> {
    if (!sample) return template;
    const app = await this.call(connection, () => 'app?fields=id', { method: 'GET' });
    if (!app.ok) return notGiven(app);
    const appId = textOf(fieldOf(app.body.json, 'id'));
    if (appId === '') return notGiven(unusable(WHATSAPP, app.status, app.body.shown));
    const given = await this.files.uploadSample(
      connection,
      appId,
      sample,
      AbortSignal.timeout(SAMPLE_MS_MAX),
    );
    if (given.kind === 'failed')
      return { ok: false, code: given.code, message: NOT_GIVEN + given.message, response: given.response };
    return { ...template, examples: { ...template.examples, header: given.handle } };
  }

  private async call(
    { sender, settings, credential }: ChannelConnection,
    pathOf: (wabaId: string) => string,
    request: Pick<ProviderRequest, 'method' | 'body' | 'longestBody'>,
  ): Promise<Read> {
    const wabaId = settings.waba_id;
    if (!wabaId) return missingSetting('waba_id');
    const answer = await this.client.call({
      ...request,
      number: sender,
      path: `/${this.version}/${pathOf(wabaId)}`,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    });
    if (answer.kind !== 'answered') return failureWithoutAnswer(WHATSAPP, answer, credential);
    const { status } = answer;
    const body = readBody(answer.body, answer.overlong, credential);
    if (isSuccess(status) && !answer.overlong) return { ok: true, status, body };
    if (!isRefusal(status)) return unusable(WHATSAPP, status, body.shown);
    const { code, words } = readCloudError(status, body);
    const { code: kind, message } = explainRefusal(status, code, words);
    return { ok: false, code: kind, message, response: body.shown };
  }
}
