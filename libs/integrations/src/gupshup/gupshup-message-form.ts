import type {
  FileContent,
  MediaReference,
  OutgoingContent,
  PhoneRequestContent,
  TemplateContent,
} from '@app/domain/messages/dispatch/message-sender.port';
import { encodeUrlSuffix } from '../http/url-suffix';

/** The path to which a message is posted, after Gupshup's base address. */
export const messagePath = ({ type }: OutgoingContent): string =>
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
  const header = headerOf(content);
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

function headerOf({ header }: TemplateContent): object | null {
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
