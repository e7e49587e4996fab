import type { Chat, ChatMessage } from '../chats/chat.words';
import { digitsOf, secondsOf } from '../chats/whatsapp.ids';
import type { InboundDetails } from '../exchange/provider.formatter';

/** A customer's message as the webhook field `messages` carries it. */
export function inboundMessage(chat: Chat, message: ChatMessage, inbound: InboundDetails): object {
  const business = digitsOf(chat.number.displayPhone);
  return {
    ...(inbound.withoutPhone ? {} : { from: digitsOf(chat.phone) }),
    from_user_id: chat.userId,
    id: message.id,
    timestamp: String(secondsOf(message.at)),
    ...(message.replyTo === null ? {} : { context: { from: business, id: message.replyTo } }),
    ...payloadOf(message, inbound),
  };
}

function payloadOf(message: ChatMessage, inbound: InboundDetails): Record<string, unknown> {
  const { button, location, reaction, image } = inbound;
  if (button?.ofTemplate) return { type: 'button', button: { payload: button.payload, text: button.text } };
  if (button)
    return {
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: button.payload, title: button.text } },
    };
  if (location) return { type: 'location', location };
  if (reaction)
    return { type: 'reaction', reaction: { message_id: reaction.message.id, emoji: reaction.emoji } };
  if (image)
    return {
      type: 'image',
      image: {
        ...(image.caption ? { caption: image.caption } : {}),
        mime_type: 'image/jpeg',
        sha256: Buffer.alloc(32, message.id).toString('base64'),
        id: String(message.at),
      },
    };
  return { type: 'text', text: { body: message.content.text } };
}

/** What was written in the phone's own app, as the webhook field `smb_message_echoes` carries it. */
export const echoOf = (chat: Chat, message: ChatMessage): object => ({
  from: digitsOf(chat.number.displayPhone),
  to: digitsOf(chat.phone),
  to_user_id: chat.userId,
  id: message.id,
  timestamp: String(secondsOf(message.at)),
  type: 'text',
  text: { body: message.content.text },
});
