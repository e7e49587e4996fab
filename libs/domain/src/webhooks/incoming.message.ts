import { isAudio } from '@app/contracts/media.words';
import { descriptions } from '@app/contracts/message.description';
import { QUIET_TYPES, type Channel } from '@app/contracts/message.words';
import type { Arrival } from '@app/persistence/messages/arrival.time';
import type { IncomingMessage } from '@app/persistence/messages/incoming.repository';
import { contentOf } from '../messages/message.content';
import { incomingFile } from './incoming.file';
import { threadAddressOf } from './thread.address';
import type { ContactAddress, CustomerMessage } from './provider.events';

/** They are stored, but need no answer. */
const QUIET: ReadonlySet<string> = new Set(QUIET_TYPES);

/**
 * A message as it is stored, with the customer of its dialog.
 * @param transcribes whether what is said in it is written down
 */
export function incomingMessage(
  { messageId, sentAt, body }: Pick<CustomerMessage, 'messageId' | 'sentAt' | 'body'>,
  customer: ContactAddress,
  arrival: Arrival,
  channel: Channel,
  transcribes = false,
): IncomingMessage {
  const { type, text, content } = body;
  // The content of a reaction may be unreadable, but it is known to be a reaction.
  const kind = type === 'unsupported' ? String(content.unsupported_type) : type;
  const file = incomingFile(type, content.media, channel);
  return {
    address: threadAddressOf(customer),
    providerId: messageId,
    type,
    text,
    content,
    lines: descriptions({ type, text, content: contentOf({ type, text, content }) }),
    file: file && { ...file, ...(transcribes && isAudio(file.kind) && { is_transcribed: true }) },
    sentAt,
    arrival,
    quiet: QUIET.has(kind),
  };
}
