import { randomInt } from 'node:crypto';
import type { ChatBook } from '../chats/chat-book';
import type { Chat } from '../chats/chat.words';
import type { SendExchange } from '../exchange/send-exchange';
import type { Call, CallRouter } from '../http/call-router';
import { answerJson, objectOf, record } from '../http/json.answer';
import type { LedgerBuffer } from '../ledger-buffer';
import type { CloudNumber } from '../sandbox-options';
import type { StoredTemplate, TemplateStore } from '../templates/template.store';
import type { CloudMediaApi } from './cloud-media-api';
import { CloudError, missingObject, bearer, guarded, requireKnown } from './cloud.errors';
import type { CloudFormatter } from './cloud-formatter';
import type { SendBodyReader } from './send-body';
import { metaTemplate, readNewTemplate, readTemplateEdit } from './template-form';

const PAGE_DEFAULT = 25;
const PAGE_MAX = 1000;
const DUPLICATE = 2388024;
const TEMPLATE_LIMIT = 2388019;
/** Of a header with a file: without a sample, or with one of another kind. */
const NO_SAMPLE = 2388047;
const SAMPLES_OF: Readonly<Record<string, readonly string[]>> = {
  IMAGE: ['image/jpeg', 'image/jpg', 'image/png'],
  VIDEO: ['video/mp4'],
  DOCUMENT: ['application/pdf'],
};
const FILTERS = ['name', 'status', 'category', 'language'] as const;

/** The paths of the Graph API that an integrator uses. */
export class CloudApi {
  private readonly bySender: ReadonlyMap<string, CloudNumber>;

  constructor(
    private readonly numbers: readonly CloudNumber[],
    private readonly book: ChatBook,
    private readonly templates: TemplateStore,
    private readonly ledger: LedgerBuffer,
    private readonly exchange: SendExchange,
    private readonly reader: SendBodyReader,
    private readonly formatter: CloudFormatter,
    private readonly media: CloudMediaApi,
    /** Called when a business has read a customer's message; says whether it shows that it types. */
    private readonly onRead: (chat: Chat, typing: boolean) => void,
  ) {
    this.bySender = new Map(numbers.map((number) => [number.sender, number]));
  }

  addTo(router: CallRouter): void {
    router
      .on(
        'POST',
        /^\/v\d+\.\d+\/([^/]+)\/messages$/,
        guarded((call) => this.send(call)),
      )
      .on(
        'GET',
        /^\/v\d+\.\d+\/([^/]+)\/message_templates$/,
        guarded((call) => this.list(call)),
      )
      .on(
        'GET',
        /^\/v\d+\.\d+\/([^/]+)\/phone_numbers$/,
        guarded((call) => this.listNumbers(call)),
      )
      .on(
        'POST',
        /^\/v\d+\.\d+\/([^/]+)\/message_templates$/,
        guarded((call) => this.create(call)),
      )
      .on(
        'POST',
        /^\/v\d+\.\d+\/([^/]+)$/,
        guarded((call) => this.edit(call)),
      )
      .on(
        'GET',
        /^\/v\d+\.\d+\/([^/]+)$/,
        guarded((call) => this.one(call)),
      );
  }

  private send({ request, response, params: [id = ''], body }: Call): void {
    const token = bearer(request.headers.authorization);
    const number = this.bySender.get(id);
    requireKnown(this.numbers, token);
    if (number?.token !== token || !number) throw missingObject(id);
    const given = objectOf(body);
    if (!given) throw new CloudError(100, 'The body is no JSON object.');
    if (given.status === 'read') return this.markRead(number, given, response);
    const outline = this.reader.outline(number, given);
    try {
      const understood = this.reader.read(number, given, outline);
      this.exchange.handle(understood, this.formatter, response);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      this.exchange.note(outline, `refused ${error.code}`);
      throw error;
    }
  }

  private markRead(number: CloudNumber, body: Record<string, unknown>, response: Call['response']): void {
    const id = String(body.message_id);
    const found = this.book.message(id);
    if (found?.message.from !== 'customer' || found.chat.number.sender !== number.sender)
      throw new CloudError(131009, 'message_id is no message of a customer to this number');
    const typing = record(body.typing_indicator)?.type === 'text';
    this.ledger.note({
      channel: number.channel,
      sender: number.sender,
      to: found.chat.phone,
      type: typing ? 'typing' : 'read',
      reference: id,
      template: null,
      text: null,
      outcome: 'taken',
    });
    this.onRead(found.chat, typing);
    answerJson(response, 200, { success: true });
  }

  /** The numbers of a business account that the token may see. */
  private listNumbers({ request, response, params: [businessId = ''], query }: Call): void {
    const token = bearer(request.headers.authorization);
    this.requireBusiness(token, businessId);
    const fields = query.get('fields')?.split(',') ?? null;
    const all = this.numbers
      .filter((number) => number.businessId === businessId && number.token === token)
      .map((number) => pick(describeNumber(number), fields));
    answerJson(response, 200, pageOf(all, query, request));
  }

  private list({ request, response, params: [businessId = ''], query }: Call): void {
    this.requireBusiness(bearer(request.headers.authorization), businessId);
    const fields = query.get('fields')?.split(',') ?? null;
    const all = this.templates
      .of(businessId)
      .map((template) => ({ ...metaTemplate(template), rejected_reason: template.reason ?? 'NONE' }))
      .filter((template: Record<string, unknown>) =>
        FILTERS.every((filter) => (query.get(filter) ?? template[filter]) === template[filter]),
      )
      .map((template) => pick(template, fields));
    answerJson(response, 200, pageOf(all, query, request));
  }

  private create({ request, response, params: [businessId = ''], body }: Call): void {
    this.requireBusiness(bearer(request.headers.authorization), businessId);
    const given = objectOf(body);
    if (!given) throw new CloudError(100, 'The body is no JSON object.');
    const { examples, ...template } = readNewTemplate(given);
    this.requireSample(given);
    if (this.templates.byName(businessId, template.name, template.language))
      throw new CloudError(100, 'Content in this language already exists.', DUPLICATE);
    if (this.templates.full) throw new CloudError(100, 'The limit of templates is reached.', TEMPLATE_LIMIT);
    const stored = this.templates.submit(
      { ...template, channel: 'waba_coexistence', owner: businessId, providerId: newTemplateId() },
      examples,
    );
    this.noteTemplate('create-template', stored);
    answerJson(response, 200, {
      id: stored.providerId,
      status: stored.status.toUpperCase(),
      category: stored.category.toUpperCase(),
    });
  }

  private edit({ request, response, params: [id = ''], body }: Call): void {
    const token = bearer(request.headers.authorization);
    requireKnown(this.numbers, token);
    const template = this.templateOf(token, id);
    if (!template) throw missingObject(id);
    const given = objectOf(body);
    if (!given) throw new CloudError(100, 'The body is no JSON object.');
    const whyNot = this.templates.whyNotEditable(template);
    if (whyNot !== null) throw new CloudError(100, whyNot);
    this.requireSample(given);
    this.templates.edit(template, readTemplateEdit(given, template));
    this.noteTemplate('edit-template', template);
    answerJson(response, 200, { success: true });
  }

  /** A header with a file is judged by its sample. */
  private requireSample({ components }: Record<string, unknown>): void {
    const header = (Array.isArray(components) ? components : [])
      .map(record)
      .find((one) => String(one?.type).toUpperCase() === 'HEADER');
    const types = SAMPLES_OF[String(header?.format).toUpperCase()];
    if (!types) return;
    const handles = record(header?.example)?.header_handle;
    const type = Array.isArray(handles) ? this.media.typeOfSample(String(handles[0])) : null;
    if (!types.includes(type ?? ''))
      throw new CloudError(100, 'header: example.header_handle is no handle of such a file.', NO_SAMPLE);
  }

  private noteTemplate(type: string, { owner, name, body }: StoredTemplate): void {
    this.ledger.note({
      channel: 'waba_coexistence',
      sender: owner,
      to: null,
      type,
      reference: null,
      template: name,
      text: body,
      outcome: 'taken',
    });
  }

  /** The template of this id, if it belongs to a business account of the token. */
  private templateOf(token: string, id: string): StoredTemplate | null {
    const owners = this.numbers.filter((number) => number.token === token);
    return owners.map(({ businessId }) => this.templates.byId(businessId, id)).find(Boolean) ?? null;
  }

  /** A template, a phone number or a file, by its id. */
  private one({ request, response, params: [id = ''], query }: Call): void {
    const token = bearer(request.headers.authorization);
    requireKnown(this.numbers, token);
    const number = this.bySender.get(id);
    const fields = query.get('fields')?.split(',') ?? null;
    if (number?.token === token && number) return answerJson(response, 200, describeNumber(number));
    const file = this.media.ofToken(token, id);
    if (file && file.act !== 'missing') return answerJson(response, 200, this.media.describe(file));
    const template = this.templateOf(token, id);
    if (!template) throw missingObject(id);
    const shown = { ...metaTemplate(template), rejected_reason: template.reason ?? 'NONE' };
    answerJson(response, 200, pick(shown, fields));
  }

  private requireBusiness(token: string, businessId: string): void {
    requireKnown(this.numbers, token);
    if (!this.numbers.some((number) => number.token === token && number.businessId === businessId))
      throw missingObject(businessId);
  }
}

const describeNumber = (number: CloudNumber): Record<string, unknown> => ({
  id: number.sender,
  display_phone_number: number.displayPhone,
  verified_name: number.name ?? 'Sandbox',
  quality_rating: 'GREEN',
  platform_type: 'CLOUD_API',
  is_on_biz_app: true,
});

/** A page of a list, with the way to the next one. */
function pageOf(all: readonly object[], query: URLSearchParams, request: Call['request']): object {
  const size = Math.min(Number(query.get('limit')) || PAGE_DEFAULT, PAGE_MAX);
  const begin = Number(Buffer.from(query.get('after') ?? '', 'base64url').toString()) || 0;
  const data = all.slice(begin, begin + size);
  const cursor = (place: number): string => Buffer.from(String(place)).toString('base64url');
  const end = begin + data.length;
  const next = new URL(request.url ?? '', `http://${request.headers.host ?? 'localhost'}`);
  next.searchParams.set('after', cursor(end));
  if (data.length === 0) return { data };
  const cursors = { before: cursor(begin), after: cursor(end) };
  return { data, paging: { cursors, ...(end < all.length ? { next: next.href } : {}) } };
}

/** The fields of a list when `fields` is absent: all except the reason of a rejection. */
function pick(template: Record<string, unknown>, fields: readonly string[] | null): Record<string, unknown> {
  const wanted = (key: string): boolean =>
    fields ? key === 'id' || fields.includes(key) : key !== 'rejected_reason';
  return Object.fromEntries(Object.entries(template).filter(([key]) => wanted(key)));
}

/** Within the integers that JSON keeps exactly, because the webhook sends it as a number. */
const newTemplateId = (): string => String(10 ** 15 + randomInt(2 ** 47));
