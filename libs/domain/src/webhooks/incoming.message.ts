import type { Arrival } from '@app/persistence/messages/arrival.time';
import type { IncomingMessage } from '@app/persistence/messages/incoming.repository';
import { threadAddressOf } from './thread.address';
import type { ContactAddress, CustomerMessage } from './provider.events';

/** What is said of a message, of the number or of the conversation: kept, but nobody waits for an answer to it. */
const QUIET: ReadonlySet<string> = new Set(['reaction', 'system', 'edit', 'revoke']);

/** A message as it is kept, of the customer on the other side. */
export function incomingMessage(
  { messageId, sentAt, body }: Pick<CustomerMessage, 'messageId' | 'sentAt' | 'body'>,
  customer: ContactAddress,
  arrival: Arrival,
): IncomingMessage {
  const { type, text, content } = body;
  // What a reaction says may be lost, but that it is one is known.
  const kind = type === 'unsupported' ? String(content.unsupported_type) : type;
  return {
    address: threadAddressOf(customer),
    providerId: messageId,
    type,
    text,
    content,
    sentAt,
    arrival,
    quiet: QUIET.has(kind),
  };
}
