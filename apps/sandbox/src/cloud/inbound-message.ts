import type { Chat, ChatMessage } from '../chats/chat.words';
import { digitsOf, secondsOf } from '../chats/whatsapp-ids';
import type { InboundDetails, InboundFile } from '../exchange/provider-formatter';

/** A customer's message as the webhook field `messages` carries it. */
export function inboundMessage(chat: Chat, message: ChatMessage, inbound: InboundDetails): object {
  const business = digitsOf(chat.number.displayPhone);
  return {
    ...(inbound.withoutPhone ? {} : { from: chat.waId }),
    from_user_id: chat.userId,
    id: message.id,
    timestamp: String(secondsOf(message.at)),
    ...(message.replyTo === null ? {} : { context: { from: business, id: message.replyTo } }),
    ...payloadOf(chat, message, inbound),
  };
}

function payloadOf(chat: Chat, message: ChatMessage, inbound: InboundDetails): Record<string, unknown> {
  const { button, location, reaction, file, payload } = inbound;
  if (button?.ofTemplate) return { type: 'button', button: { payload: button.payload, text: button.text } };
  if (button)
    return {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: button.payload, title: button.text } },
    };
  if (inbound.sharesPhone) return { type: 'contacts', contacts: [contactCardOf(chat)] };
  if (location) return { type: 'location', location };
  if (reaction)
    return { type: 'reaction', reaction: { message_id: reaction.message.id, emoji: reaction.emoji } };
  if (file) return fileOf(file);
  if (payload) return payload;
  return { type: 'text', text: { body: message.content.text } };
}

/** What a tap on the button of a request for the phone tells. */
const contactCardOf = ({ name, phone, waId }: Chat): object => ({
  origin: 'contact_request',
  name: { formatted_name: name ?? phone },
  phones: [{ phone, wa_id: waId, type: 'CELL' }],
});

/** A voice message is an audio file with a mark. */
function fileOf({ kind, caption, file }: InboundFile): Record<string, unknown> {
  const type = kind === 'voice' ? 'audio' : kind;
  const hash = file.act === 'wrong-hash' ? Buffer.alloc(file.sha256.length, 1) : file.sha256;
  const payload = {
    ...(caption === '' ? {} : { caption }),
    ...(kind === 'document' && file.name !== null ? { filename: file.name } : {}),
    mime_type: file.mimeType,
    sha256: hash.toString('base64'),
    id: file.id,
    ...(type === 'audio' ? { voice: kind === 'voice' } : {}),
    ...(kind === 'sticker' ? { animated: false } : {}),
  };
  return { type, [type]: payload };
}

/** What was written in the phone's own app, as the webhook field `smb_message_echoes` carries it. */
export const echoOf = (chat: Chat, message: ChatMessage): object => ({
  from: digitsOf(chat.number.displayPhone),
  to: chat.waId,
  to_user_id: chat.userId,
  id: message.id,
  timestamp: String(secondsOf(message.at)),
  type: 'text',
  text: { body: message.content.text },
});
