import { randomUUID } from 'node:crypto';
import type { ChatBook } from '../chats/chat-book';
import type { Chat } from '../chats/chat.words';
import type { SendRequest } from '../exchange/provider-formatter';
import type { SendExchange } from '../exchange/send-exchange';
import type { Call, CallRouter, Handler } from '../http/call-router';
import { answer, answerJson } from '../http/json.answer';
import type { LedgerBuffer } from '../ledger-buffer';
import type { GupshupNumber } from '../sandbox-options';
import type { StoredTemplate, TemplateStore } from '../templates/template.store';
import { answerOfError, GupshupError } from './gupshup.errors';
import type { GupshupFormatter } from './gupshup-formatter';
import {
  checkDestination,
  outlineOf,
  readMessageForm,
  readTemplateForm,
  type SendOutline,
} from './send-form';
import { gupshupTemplate, readNewTemplate, readTemplateEdit } from './template-form';

const PAGE_DEFAULT = 100;
const PAGE_MAX = 1000;

/** The paths of Gupshup's self-serve API that an integrator uses. */
export class GupshupApi {
  private readonly bySource: ReadonlyMap<string, GupshupNumber>;

  constructor(
    private readonly numbers: readonly GupshupNumber[],
    private readonly book: ChatBook,
    private readonly templates: TemplateStore,
    private readonly ledger: LedgerBuffer,
    private readonly exchange: SendExchange,
    private readonly formatter: GupshupFormatter,
    private readonly onRead: (chat: Chat, typing: boolean) => void,
  ) {
    this.bySource = new Map(numbers.map((number) => [number.sender, number]));
  }

  addTo(router: CallRouter): void {
    const guarded =
      (handler: Handler): Handler =>
      (call) => {
        try {
          return handler(call);
        } catch (error) {
          if (!(error instanceof GupshupError)) throw error;
          answer(call.response, answerOfError(error));
        }
      };
    router
      .on(
        'POST',
        /^\/wa\/api\/v1\/template\/msg$/,
        guarded((call) => this.sendTemplate(call)),
      )
      .on(
        'POST',
        /^\/wa\/api\/v1\/msg$/,
        guarded((call) => this.sendMessage(call)),
      )
      .on(
        'GET',
        /^\/wa\/app\/([^/]+)\/template$/,
        guarded((call) => this.list(call)),
      )
      .on(
        'GET',
        /^\/wa\/app\/([^/]+)\/template\/([^/]+)$/,
        guarded((call) => this.one(call)),
      )
      .on(
        'GET',
        /^\/wa\/app\/([^/]+)\/business\/profile$/,
        guarded((call) => this.profile(call)),
      )
      .on(
        'POST',
        /^\/wa\/app\/([^/]+)\/template$/,
        guarded((call) => this.create(call)),
      )
      .on(
        'PUT',
        /^\/wa\/app\/([^/]+)\/templates\/([^/]+)$/,
        guarded((call) => this.edit(call)),
      )
      .on(
        'PUT',
        /^\/wa\/app\/([^/]+)\/msg\/([^/]+)\/read$/,
        guarded((call) => this.markRead(call)),
      );
  }

  private sendTemplate(call: Call): void {
    this.send(call, 'template', (number, form, outline) => ({
      ...outline,
      ...readTemplateForm(number, form, this.templates),
    }));
  }

  private sendMessage(call: Call): void {
    this.send(call, 'message', (_number, form, outline) => ({ ...outline, ...readMessageForm(form) }));
  }

  private send(
    call: Call,
    type: string,
    read: (number: GupshupNumber, form: URLSearchParams, outline: SendOutline) => SendRequest,
  ): void {
    const key = this.requireKey(call);
    const form = new URLSearchParams(call.body.toString('utf8'));
    const number = this.bySource.get(form.get('source') ?? '');
    if (number?.token !== key || number.appName !== form.get('src.name'))
      throw new GupshupError(400, 'Invalid App Details');
    const outline = outlineOf(number, form, type);
    try {
      checkDestination(outline);
      this.exchange.handle(read(number, form, outline), this.formatter, call.response);
    } catch (error) {
      if (!(error instanceof GupshupError)) throw error;
      this.exchange.note(outline, `refused ${error.httpStatus}`);
      throw error;
    }
  }

  /** Of the app's number. */
  private profile(call: Call): void {
    const appId = this.requireApp(call);
    const number = this.numbers.find((one) => one.appId === appId);
    const profile = { businessName: number?.name ?? 'Sandbox', displayName: number?.appName };
    answerJson(call.response, 200, { ...profile, phoneNumber: number?.sender, status: 'success' });
  }

  private list(call: Call): void {
    const appId = this.requireApp(call);
    const { query } = call;
    const like = (field: string, value: string): boolean => {
      const wanted = query.get(field);
      return wanted === null || wanted.toLowerCase() === value.toLowerCase();
    };
    const all = this.templates
      .of(appId)
      .filter(
        ({ status, category, language }) =>
          like('templateStatus', status) &&
          like('templateCategory', category) &&
          like('languageCode', language),
      );
    const size = Math.min(Number(query.get('pageSize')) || PAGE_DEFAULT, PAGE_MAX);
    const begin = Math.max(Number(query.get('pageNo')) || 0, 0) * size;
    answerJson(call.response, 200, {
      status: 'success',
      templates: all.slice(begin, begin + size).map(gupshupTemplate),
    });
  }

  private one(call: Call): void {
    const appId = this.requireApp(call);
    const template = this.templates.byId(appId, call.params[1] ?? '');
    if (!template) throw new GupshupError(404, 'Template not found');
    answerJson(call.response, 200, { status: 'success', template: gupshupTemplate(template) });
  }

  private create(call: Call): void {
    const appId = this.requireApp(call);
    const { examples, ...template } = readNewTemplate(new URLSearchParams(call.body.toString('utf8')));
    if (this.templates.byName(appId, template.name, template.language))
      throw new GupshupError(
        400,
        'Template Already exists with same namespace and elementName and languageCode',
      );
    if (this.templates.full) throw new GupshupError(400, 'Template limit reached');
    const stored = this.templates.submit(
      { ...template, channel: 'waba', owner: appId, providerId: randomUUID() },
      examples,
    );
    this.noteTemplate('create-template', stored);
    answerJson(call.response, 200, { status: 'success', template: gupshupTemplate(stored) });
  }

  private edit(call: Call): void {
    const appId = this.requireApp(call);
    const template = this.templates.byId(appId, call.params[1] ?? '');
    if (!template) throw new GupshupError(404, 'Template not found');
    const whyNot = this.templates.whyNotEditable(template);
    if (whyNot !== null) throw new GupshupError(400, whyNot);
    this.templates.edit(template, readTemplateEdit(new URLSearchParams(call.body.toString('utf8'))));
    this.noteTemplate('edit-template', template);
    answerJson(call.response, 200, { status: 'success' });
  }

  private noteTemplate(type: string, { owner, name, body }: StoredTemplate): void {
    this.ledger.note({
      channel: 'waba',
      sender: owner,
      to: null,
      type,
      reference: null,
      template: name,
      text: body,
      outcome: 'taken',
    });
  }

  private markRead(call: Call): void {
    const appId = this.requireApp(call);
    const id = call.params[1] ?? '';
    const found = this.book.message(id);
    const number = found?.chat.number;
    if (found?.message.from !== 'customer' || number?.channel !== 'waba' || number.appId !== appId)
      throw new GupshupError(400, 'Invalid message id');
    this.ledger.note({
      channel: 'waba',
      sender: number.sender,
      to: found.chat.phone,
      type: 'read',
      reference: id,
      template: null,
      text: null,
      outcome: 'taken',
    });
    this.onRead(found.chat, false);
    answer(call.response, { status: 202, body: '' });
  }

  private requireKey({ request }: Call): string {
    const key = request.headers.apikey;
    if (typeof key !== 'string' || key === '') throw new GupshupError(401, 'Authentication Failed');
    if (!this.numbers.some(({ token }) => token === key))
      throw new GupshupError(401, 'Portal User Not Found With APIKey', true);
    return key;
  }

  private requireApp(call: Call): string {
    const key = this.requireKey(call);
    const [appId = ''] = call.params;
    if (!this.numbers.some((number) => number.token === key && number.appId === appId))
      throw new GupshupError(400, 'Invalid App ID');
    return appId;
  }
}
