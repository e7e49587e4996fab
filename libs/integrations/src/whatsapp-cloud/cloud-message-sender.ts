import type { Channel } from '@app/contracts/message.words';
import {
  type FileContent,
  type MediaReference,
  type OutgoingContent,
  type OutgoingMessage,
  type PhoneRequestContent,
  type TemplateButtonValue,
  type TemplateContent,
  MessageSender,
  type ChannelConnection,
  type FileToGive,
  type GivenFile,
  type SendOutcome,
  type SendSlot,
} from '@app/domain/messages/dispatch/message-sender.port';
import type { ProviderClient } from '../http/provider-client';
import type { ProviderAnswer } from '../http/provider-exchange';
import { encodeUrlSuffix } from '../http/url-suffix';
import type { CloudFileUpload } from './cloud-file-upload';
import { readCloudOutcome } from './cloud-outcome-reader';

/** The body of a request that sends a message by the Cloud API. */
export function cloudMessageBody({ reference, to, content }: Omit<OutgoingMessage, 'permit'>): object {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    // Without the plus, WhatsApp may add the sender's country code in front.
    ...('phone' in to ? { to: to.phone } : { recipient: to.userId }),
    biz_opaque_callback_data: reference,
    ...contentOf(content),
  };
}

/** The body of a request that marks a customer's message as read. */
export function cloudReadBody(messageId: string, typing: boolean): object {
  return {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: messageId,
    ...(typing ? { typing_indicator: { type: 'text' } } : {}),
  };
}

function contentOf(content: OutgoingContent): object {
  if (content.type === 'text') return { type: 'text', text: { body: content.text, preview_url: false } };
  if (content.type === 'file') return fileOf(content);
  if (content.type === 'request_phone') return phoneRequestOf(content);
  const components = componentsOf(content);
  return {
    type: 'template',
    template: {
      name: content.name,
      language: { code: content.language },
      ...(components.length > 0 ? { components } : {}),
    },
  };
}

/** The button is WhatsApp's own, in the customer's language (Meta: Business-scoped user IDs). */
const phoneRequestOf = ({ text }: PhoneRequestContent): object => ({
  type: 'interactive',
  interactive: {
    type: 'request_contact_info',
    body: { text },
    action: { name: 'request_contact_info' },
  },
});

/** A voice message is audio with a mark (Meta: Audio messages). */
function fileOf({ kind, media, caption }: FileContent): object {
  if (kind === 'voice') return { type: 'audio', audio: { ...mediaOf(media, false), voice: true } };
  const file = mediaOf(media, kind === 'document');
  return { type: kind, [kind]: caption === '' ? file : { ...file, caption } };
}

function componentsOf({ header, params, paramNames, buttons = [] }: TemplateContent): object[] {
  const components: object[] = [];
  if (header) components.push({ type: 'header', parameters: [headerParameter(header)] });
  if (params.length > 0) {
    const parameters = params.map((text, index) => textParameter(text, paramNames?.[index]));
    components.push({ type: 'body', parameters });
  }
  for (const button of buttons) {
    const parameters = [buttonParameter(button)];
    components.push({ type: 'button', sub_type: button.type, index: String(button.index), parameters });
  }
  return components;
}

function textParameter(text: string, name: string | undefined): object {
  return name === undefined ? { type: 'text', text } : { type: 'text', parameter_name: name, text };
}

function headerParameter(header: NonNullable<TemplateContent['header']>): object {
  switch (header.type) {
    case 'text':
      return textParameter(header.text, header.name);
    case 'location': {
      const { latitude, longitude, name, address } = header;
      return { type: 'location', location: { latitude, longitude, name, address } };
    }
    default:
      return { type: header.type, [header.type]: mediaOf(header.media, header.type === 'document') };
  }
}

function mediaOf(media: MediaReference, isDocument: boolean): object {
  const place = 'link' in media ? { link: media.link } : { id: media.id };
  return isDocument ? { ...place, filename: media.filename } : place;
}

function buttonParameter(button: TemplateButtonValue): object {
  switch (button.type) {
    case 'url':
      return { type: 'text', text: encodeUrlSuffix(button.text) };
    case 'quick_reply':
      return { type: 'payload', payload: button.payload };
    case 'copy_code':
      return { type: 'coupon_code', coupon_code: button.code };
  }
}

/** Sends by Meta's Cloud API. The version is written as Meta writes it: `v26.0`. */
export class CloudMessageSender extends MessageSender {
  readonly channels: readonly Channel[] = ['waba_coexistence'];

  constructor(
    private readonly client: ProviderClient,
    private readonly version: string,
    private readonly files: CloudFileUpload,
  ) {
    super();
  }

  hasSlot({ sender }: ChannelConnection): boolean {
    return this.client.hasSlot(sender);
  }

  keepSlot({ sender }: ChannelConnection): SendSlot | null {
    return this.client.keepSlot(sender);
  }

  async send(connection: ChannelConnection, message: OutgoingMessage): Promise<SendOutcome> {
    const answer = await this.post(connection, cloudMessageBody(message), message);
    return readCloudOutcome(answer, connection.credential);
  }

  giveFile(connection: ChannelConnection, file: FileToGive, signal: AbortSignal): Promise<GivenFile> {
    return this.files.upload(connection, file, signal);
  }

  async markRead(connection: ChannelConnection, messageId: string, typing: boolean): Promise<void> {
    await this.post(connection, cloudReadBody(messageId, typing));
  }

  private post(
    { sender, credential }: ChannelConnection,
    body: object,
    { permit, slot }: Partial<Pick<OutgoingMessage, 'permit' | 'slot'>> = {},
  ): Promise<ProviderAnswer> {
    return this.client.call({
      method: 'POST',
      number: sender,
      path: `/${this.version}/${encodeURIComponent(sender)}/messages`,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      permit,
      slot,
    });
  }
}
