import type { IncomingHttpHeaders } from 'node:http';
import type { Channel } from '@app/contracts/message.words';
import {
  type FileContent,
  type MediaReference,
  type OutgoingContent,
  type PhoneRequestContent,
  type TemplateContent,
  MessageSender,
  type ChannelConnection,
  type FileToGive,
  type GivenFile,
  type OutgoingMessage,
  type SendOutcome,
  type SendSlot,
} from '@app/domain/messages/dispatch/message-sender.port';
import type { ProviderClient } from '../http/provider-client';
import type { ProviderAnswer } from '../http/provider-exchange';
import { headerOf, retryAfterMs, secondsOf } from '../http/retry-after-header';
import { fieldOf, readBody, textOf, type ShownBody } from '../http/shown-body';
import {
  isRefusal,
  isSuccess,
  messageIdOf,
  outcomeWithoutAnswer,
  unknownOutcome,
} from '../http/unusable-outcome';
import { encodeUrlSuffix } from '../http/url-suffix';
import { throttleScope } from '../whatsapp-cloud/cloud-outcome-reader';
import { explainGupshupRefusal } from './gupshup-refusal-reader';

/** The path to which a message is posted, after Gupshup's base address. */
const messagePath = ({ type }: OutgoingContent): string =>
  type === 'template' ? '/wa/api/v1/template/msg' : '/wa/api/v1/msg';

/** Gupshup writes phones as digits only. */
const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

/**
 * The form that sends a message. A value that is an object or an array is JSON in one field. The form carries no
 * reference of ours, because Gupshup does not return one.
 */
export function gupshupMessageForm(
  source: string,
  appName: string,
  phone: string,
  content: Exclude<OutgoingContent, PhoneRequestContent>,
): URLSearchParams {
  const form = new URLSearchParams({
    channel: 'whatsapp',
    source: digitsOf(source),
    destination: digitsOf(phone),
    'src.name': appName,
  });
  if (content.type === 'text') {
    form.set('message', JSON.stringify({ type: 'text', text: content.text }));
    form.set('disablePreview', 'true');
    return form;
  }
  if (content.type === 'file') {
    form.set('message', JSON.stringify(fileOf(content)));
    return form;
  }
  form.set('template', JSON.stringify({ id: content.name, params: paramsOf(content) }));
  const header = formHeaderOf(content);
  if (header) form.set('message', JSON.stringify(header));
  const postbacks = postbacksOf(content);
  if (postbacks.length > 0) form.set('postbackTexts', JSON.stringify(postbacks));
  return form;
}

/** Each kind has fields of its own. A caption that is null is refused, so none is left out. */
function fileOf({ kind, media, caption }: FileContent): object {
  const url = 'link' in media ? media.link : '';
  const captioned = caption === '' ? {} : { caption };
  switch (kind) {
    case 'image':
      return { type: 'image', originalUrl: url, previewUrl: url, ...captioned };
    case 'video':
      return { type: 'video', url, ...captioned };
    case 'audio':
    case 'voice':
      return { type: 'audio', url };
    case 'sticker':
      return { type: 'sticker', url };
    case 'document':
      return { type: 'file', url, filename: media.filename ?? 'file', ...captioned };
  }
}

/** All values in one list, as they occur in the template: header, body, then the buttons in their order. */
function paramsOf({ header, params, buttons = [] }: TemplateContent): string[] {
  const ofButtons = [...buttons]
    .sort((one, other) => one.index - other.index)
    .flatMap((button) => {
      if (button.type === 'url') return [encodeUrlSuffix(button.text)];
      return button.type === 'copy_code' ? [button.code] : [];
    });
  return [...(header?.type === 'text' ? [header.text] : []), ...params, ...ofButtons];
}

function postbacksOf({ buttons = [] }: TemplateContent): object[] {
  return buttons.flatMap((button) =>
    button.type === 'quick_reply' ? [{ index: button.index, text: button.payload }] : [],
  );
}

function formHeaderOf({ header }: TemplateContent): object | null {
  if (!header || header.type === 'text') return null;
  if (header.type === 'location') {
    const { longitude, latitude, name, address } = header;
    return { type: 'location', location: { longitude, latitude, name, address } };
  }
  return { type: header.type, [header.type]: mediaOf(header.media, header.type === 'document') };
}

function mediaOf(media: MediaReference, isDocument: boolean): object {
  const place = 'link' in media ? { link: media.link } : { id: media.id };
  return isDocument ? { ...place, filename: media.filename } : place;
}

const GUPSHUP = 'Gupshup';

/** The outcome of a message, from Gupshup's answer to the request that sent it. */
export function readGupshupOutcome(
  answer: ProviderAnswer,
  credential: string,
  sent: OutgoingContent['type'],
): SendOutcome {
  if (answer.kind !== 'answered') return outcomeWithoutAnswer(GUPSHUP, answer, credential);
  const { status, headers } = answer;
  const body = readBody(answer.body, answer.overlong, credential);
  if (isRefusal(status)) return readRefusal(status, headers, body, sent);
  if (!isSuccess(status)) return unknownOutcome(GUPSHUP, `HTTP status ${status}`, body.shown);
  if (textOf(fieldOf(body.json, 'status')).toLowerCase() === 'error') {
    return readRefusal(status, headers, body, sent);
  }
  const providerId = messageIdOf(fieldOf(body.json, 'messageId'));
  if (providerId !== null) return { kind: 'accepted', providerId };
  return unknownOutcome(GUPSHUP, `HTTP status ${status} without a readable message id`, body.shown);
}

function readRefusal(
  status: number,
  headers: IncomingHttpHeaders,
  body: ShownBody,
  sent: OutgoingContent['type'],
): SendOutcome {
  const explained = explainGupshupRefusal(status, body, sent);
  const { code, message, provider_code: providerCode, optedOut, trouble } = explained;
  const response = body.shown;
  const scope = throttleScope(status, providerCode);
  if (scope) {
    const wait = retryAfterMs(headers) ?? secondsOf(headerOf(headers, 'x-rate-limit-retry-after-seconds'));
    return { kind: 'throttled', scope, retryAfterMs: wait, providerCode, message, response };
  }
  const more = { ...(optedOut ? { optedOut } : {}), ...(trouble && { trouble }) };
  return { kind: 'refused', code, providerCode, message, response, ...more };
}

const FORM = 'application/x-www-form-urlencoded';

/** A message that Gupshup cannot be asked to send. */
function refusedHere(message: string): SendOutcome {
  return { kind: 'refused', code: 'PROVIDER_ERROR', providerCode: null, message, response: null };
}

/** Sends by Gupshup's API, version 1. The settings `app_name` and `app_id` name the number's app. */
export class GupshupMessageSender extends MessageSender {
  readonly channels: readonly Channel[] = ['waba'];

  constructor(private readonly client: ProviderClient) {
    super();
  }

  hasSlot({ sender }: ChannelConnection): boolean {
    return this.client.hasSlot(sender);
  }

  keepSlot({ sender }: ChannelConnection): SendSlot | null {
    return this.client.keepSlot(sender);
  }

  async send(
    { sender, settings, credential }: ChannelConnection,
    { to, content, permit, slot }: OutgoingMessage,
  ): Promise<SendOutcome> {
    if (!('phone' in to)) {
      return refusedHere(
        'Gupshup sends to phones only and this customer has none here: ask them for their phone.',
      );
    }
    if (content.type === 'request_phone') {
      return refusedHere('Gupshup cannot be asked to request a phone: ask for it in a text.');
    }
    const appName = settings.app_name;
    if (!appName) {
      return refusedHere("The channel's setting app_name is missing: connect the channel again with it.");
    }
    const answer = await this.client.call({
      method: 'POST',
      number: sender,
      path: messagePath(content),
      headers: { apikey: credential, 'content-type': FORM },
      body: gupshupMessageForm(sender, appName, to.phone, content).toString(),
      permit,
      slot,
    });
    return readGupshupOutcome(answer, credential, content.type);
  }

  /** Gupshup fetches the file later, so whether there are bytes is looked at now. */
  async giveFile(_: ChannelConnection, file: FileToGive): Promise<GivenFile> {
    const { link, name } = file;
    if (link === null) return { kind: 'no_address' };
    await file.requireBytes();
    return { kind: 'given', media: { link, filename: name ?? undefined } };
  }

  /** Gupshup has no typing indicator. */
  async markRead({ sender, settings, credential }: ChannelConnection, messageId: string): Promise<void> {
    const appId = settings.app_id;
    if (!appId) return;
    const path = `/wa/app/${encodeURIComponent(appId)}/msg/${encodeURIComponent(messageId)}/read`;
    await this.client.call({ method: 'PUT', number: sender, path, headers: { apikey: credential } });
  }
}
