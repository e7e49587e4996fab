import { randomUUIDv7 } from 'node:crypto';
import { MEDIA_KINDS, type MediaKind } from '@app/contracts/media.words';
import type { Channel } from '@app/contracts/message.words';
import type { IncomingFile } from '@app/persistence/messages/incoming.repository';
import { fileNameOf } from '../media/file.name';

/** A longer one is none that a provider gives. */
const REFERENCE_LENGTH_MAX = 4_096;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * The file of a message that came in; null where it has none.
 * @param type of the message
 * @param media of its content, by a reader of webhooks
 * @param channel by which it came: Meta gives files by their id, Gupshup by their address, whichever else there is
 */
export function incomingFile(type: string, media: unknown, channel: Channel): IncomingFile | null {
  const of = MEDIA_KINDS.find((kind) => kind === type);
  if (!of || typeof media !== 'object' || media === null) return null;
  const given: Record<string, unknown> = { ...media };
  const [id, url] = [textOf(given.id), textOf(given.url)];
  const reference = channel === 'waba' ? (url ?? id) : (id ?? url);
  if (reference === null || reference.length > REFERENCE_LENGTH_MAX) return null;
  const kind: MediaKind = of === 'audio' && given.voice === true ? 'voice' : of;
  return {
    id: randomUUIDv7(),
    kind,
    mime_type: textOf(given.mime_type),
    file_name: fileNameOf(textOf(given.filename)),
    provider_ref: reference,
  };
}
