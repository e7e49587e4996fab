import type { Channel } from '@app/contracts/message.words';
import type { TemplateHeader } from '@app/contracts/template.words';
import type { ChannelConnection } from '@app/domain/messages/dispatch/message-sender.port';
import {
  type ProviderTemplate,
  type TemplateDefinition,
  TemplateGateway,
  type TemplateGatewayFailure,
  type TemplateListing,
  type TemplateTaken,
} from '@app/domain/templates/template-gateway.port';
import type { ProviderClient, ProviderRequest } from '../http/provider-client';
import { fieldOf, readBody, textOf, type ShownBody } from '../http/shown-body';
import { isRefusal, isSuccess } from '../http/unusable-outcome';
import { failure, failureWithoutAnswer, missingSetting, unusable } from '../templates/gateway-failures';
import {
  buttonForCreation,
  buttonsOf,
  fillIn,
  minutesOf,
  templateCategoryOf,
  templateStatusOf,
  valuesIn,
  variablesOf,
  templateQualityOf,
} from '../templates/template-words-mapping';
import { explainGupshupRefusal } from './gupshup-refusal-reader';

/** Longest label of a template. */
const LONGEST_LABEL = 180;

const SAMPLE_CODE = '123456';

/** The form that creates a template and submits it for moderation. */
export function formForCreation(template: TemplateDefinition): URLSearchParams {
  const { name, language } = template;
  const form = formForEdit(template);
  form.set('elementName', name);
  form.set('languageCode', language);
  form.set('vertical', name.slice(0, LONGEST_LABEL));
  form.set('allowTemplateCategoryChange', 'false');
  return form;
}

/**
 * The form that changes a template's content and submits it again. The text of an authentication template is WhatsApp's
 * own, and its footer is made of the minutes.
 * Source: Gupshup, "Apply for templates": `addSecurityRecommendation`, `codeExpirationMinutes`.
 */
export function formForEdit(template: TemplateDefinition): URLSearchParams {
  const { category, header, body, footer, buttons, examples } = template;
  const form = new URLSearchParams({
    category: category.toUpperCase(),
    templateType: header && header.format !== 'text' ? header.format.toUpperCase() : 'TEXT',
    content: body,
  });
  const samples = category === 'authentication' ? [SAMPLE_CODE] : (examples.body ?? []);
  // A variable is no sample of itself.
  if (samples.length === variablesOf(body).length) {
    form.set('example', fillIn(body, samples));
    form.set('enableSample', 'true');
  }
  if (header?.format === 'text') {
    form.set('header', header.text);
    const sample = examples.header === undefined ? [] : [examples.header];
    if (sample.length >= variablesOf(header.text).length)
      form.set('exampleHeader', fillIn(header.text, sample));
  } else if (header && examples.header !== undefined) {
    form.set('exampleMedia', examples.header);
  }
  if (category === 'authentication') {
    form.set('addSecurityRecommendation', String(template.addSecurityRecommendation));
    const { codeExpirationMinutes: minutes } = template;
    if (minutes !== null) form.set('codeExpirationMinutes', String(minutes));
  } else if (footer !== null) form.set('footer', footer);
  if (buttons.length > 0) form.set('buttons', JSON.stringify(buttons.map(buttonForCreation)));
  return form;
}

/** Gupshup keeps the parts of a template as JSON inside a text. Undefined: it tells none; null: they cannot be read. */
function partsOf(listed: unknown): unknown {
  const text = textOf(fieldOf(listed, 'containerMeta'));
  return text === '' ? undefined : readBody(Buffer.from(text), false, '').json;
}

/** A template as Gupshup lists it; null when the value is no template, or cannot be read. */
export function gupshupTemplateOf(listed: unknown): ProviderTemplate | null {
  const providerId = textOf(fieldOf(listed, 'id'));
  const name = textOf(fieldOf(listed, 'elementName'));
  const language = textOf(fieldOf(listed, 'languageCode'));
  const parts = partsOf(listed);
  if (providerId === '' || name === '' || language === '' || parts === null) return null;
  // The flat text may end with the buttons' labels, so it is used only where the parts are missing.
  const body = textOf(fieldOf(parts, 'data')) || textOf(fieldOf(listed, 'data'));
  return {
    providerId,
    name,
    language,
    category: templateCategoryOf(textOf(fieldOf(listed, 'category'))),
    parameterFormat: variablesOf(body).some((variable) => !/^\d+$/.test(variable)) ? 'named' : 'positional',
    status: templateStatusOf(textOf(fieldOf(listed, 'status'))),
    reason: textOf(fieldOf(listed, 'reason')) || null,
    quality: templateQualityOf(textOf(fieldOf(listed, 'quality'))),
    header: headerOf(textOf(fieldOf(listed, 'templateType')), textOf(fieldOf(parts, 'header'))),
    body,
    footer: textOf(fieldOf(parts, 'footer')) || null,
    addSecurityRecommendation: isTrue(fieldOf(parts, 'addSecurityRecommendation')),
    codeExpirationMinutes: minutesOf(fieldOf(parts, 'codeExpirationMinutes')),
    buttons: buttonsOf(fieldOf(parts, 'buttons')),
    examples: examplesOf(parts, body),
  };
}

/** Gupshup lists texts with their samples filled in. */
function examplesOf(parts: unknown, body: string): ProviderTemplate['examples'] {
  const [header] = valuesIn(textOf(fieldOf(parts, 'header')), textOf(fieldOf(parts, 'sampleHeader'))) ?? [];
  const samples = valuesIn(body, textOf(fieldOf(parts, 'sampleText')));
  return { ...(header !== undefined && { header }), ...(samples !== null && { body: samples }) };
}

/** Gupshup writes some values as texts. */
const isTrue = (given: unknown): boolean => given === true || given === 'true';

function headerOf(templateType: string, text: string): TemplateHeader | null {
  const format = templateType.toLowerCase();
  switch (format) {
    case 'image':
    case 'video':
    case 'document':
    case 'location':
      return { format };
    default:
      return text === '' ? null : { format: 'text', text };
  }
}

const GUPSHUP = 'Gupshup';

/** Templates on a page of the list, and the most pages that are read: far more than an account may have. */
const PAGE_SIZE = 100;
const MOST_PAGES = 60;
/** How it may answer for a page behind the last, which it does not say. */
const NO_SUCH_PAGE: readonly unknown[] = [400, 404];
/** Longest page in bytes. A template's texts take less than 20 KB, although Gupshup repeats them. */
const LONGEST_PAGE = 4 * 1024 * 1024;

type Failed = TemplateGatewayFailure & { status?: number };
type Read = { ok: true; status: number; body: ShownBody } | Failed;

/**
 * Templates by Gupshup's API, for the app that the setting `app_id` names. A template is sent by its `providerId`.
 */
export class GupshupTemplateGateway extends TemplateGateway {
  readonly channels: readonly Channel[] = ['waba'];
  readonly takesSamples = false;

  constructor(private readonly client: ProviderClient) {
    super();
  }

  async create(
    connection: ChannelConnection,
    template: TemplateDefinition,
  ): Promise<TemplateTaken | TemplateGatewayFailure> {
    const body = formForCreation(template).toString();
    const read = await this.call(connection, 'template', { method: 'POST', body });
    if (!read.ok) return read;
    const made = fieldOf(read.body.json, 'template');
    const providerId = textOf(fieldOf(made, 'id'));
    if (providerId === '') return unusable(GUPSHUP, read.status, read.body.shown);
    return { ok: true, providerId, status: templateStatusOf(textOf(fieldOf(made, 'status'))) };
  }

  async edit(
    connection: ChannelConnection,
    providerId: string,
    template: TemplateDefinition,
  ): Promise<TemplateTaken | TemplateGatewayFailure> {
    const body = formForEdit(template).toString();
    const read = await this.call(connection, `templates/${encodeURIComponent(providerId)}`, {
      method: 'PUT',
      body,
    });
    if (!read.ok) return read;
    if (textOf(fieldOf(read.body.json, 'status')).toLowerCase() !== 'success') {
      return unusable(GUPSHUP, read.status, read.body.shown);
    }
    return { ok: true, providerId, status: 'pending' };
  }

  async list(connection: ChannelConnection): Promise<TemplateListing | TemplateGatewayFailure> {
    const seen = new Map<string, ProviderTemplate | null>();
    const listing = (): TemplateListing => {
      const templates = [...seen.values()].filter((template) => template !== null);
      return { ok: true, templates, unreadable: seen.size - templates.length };
    };
    let isFull = true;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read = await this.page(connection, page);
      if (!read.ok) return !isFull && NO_SUCH_PAGE.includes(read.status) ? listing() : read;
      const known = seen.size;
      for (const item of read.listed) {
        const template = gupshupTemplateOf(item);
        seen.set(template?.providerId ?? JSON.stringify(item), template);
      }
      // Gupshup may give fewer at a time than it was asked for. A list that ignores the page number has no end.
      if (seen.size === known) return listing();
      isFull = read.listed.length >= PAGE_SIZE;
    }
    return failure(`${GUPSHUP} lists more than ${MOST_PAGES} pages of templates: remove unused ones.`, null);
  }

  private async page(
    connection: ChannelConnection,
    page: number,
  ): Promise<{ ok: true; listed: unknown[] } | Failed> {
    const query = `template?pageNo=${page}&pageSize=${PAGE_SIZE}`;
    const read = await this.call(connection, query, { method: 'GET', longestBody: LONGEST_PAGE });
    if (!read.ok) return read;
    const listed = fieldOf(read.body.json, 'templates');
    return Array.isArray(listed) ? { ok: true, listed } : unusable(GUPSHUP, read.status, read.body.shown);
  }

  async fetch(
    connection: ChannelConnection,
    providerId: string,
  ): Promise<{ ok: true; template: ProviderTemplate } | TemplateGatewayFailure> {
    const path = `template/${encodeURIComponent(providerId)}`;
    const read = await this.call(connection, path, { method: 'GET', longestBody: LONGEST_PAGE });
    if (!read.ok) return read;
    const template = gupshupTemplateOf(fieldOf(read.body.json, 'template'));
    return template ? { ok: true, template } : unusable(GUPSHUP, read.status, read.body.shown);
  }

  private async call(
    { sender, settings, credential }: ChannelConnection,
    path: string,
    request: Pick<ProviderRequest, 'method' | 'body' | 'longestBody'>,
  ): Promise<Read> {
    const appId = settings.app_id;
    if (!appId) return missingSetting('app_id');
    const answer = await this.client.call({
      ...request,
      number: sender,
      path: `/wa/app/${encodeURIComponent(appId)}/${path}`,
      headers: { apikey: credential, 'content-type': 'application/x-www-form-urlencoded' },
    });
    if (answer.kind !== 'answered') return failureWithoutAnswer(GUPSHUP, answer, credential);
    const { status } = answer;
    const body = readBody(answer.body, answer.overlong, credential);
    const saysError = textOf(fieldOf(body.json, 'status')).toLowerCase() === 'error';
    if (isSuccess(status) && !saysError && !answer.overlong) return { ok: true, status, body };
    if (!isRefusal(status) && !saysError) return unusable(GUPSHUP, status, body.shown);
    const { code, message } = explainGupshupRefusal(status, body);
    return { ok: false, code, message, response: body.shown, status };
  }
}
