import { ValidationError } from '@app/contracts/coded.errors';
import { idOrNothing } from '@app/contracts/uuid.format';
import { MediaRepository } from '@app/persistence/media/media.repository';
import type { Channel } from '@app/contracts/message.words';
import { Injectable } from '@nestjs/common';
import { MediaGoneError, MediaNotFoundError } from '../media/media.errors';
import { MediaReading, type StoredMedia } from '../media/media-reading.service';
import type { FileToGive } from '../messages/dispatch/message-sender.port';
import { TemplateGateways, type TemplateDefinition } from './template-gateway.port';

/** What Meta takes of samples (Meta: Resumable Upload API, file_type). */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4'],
  document: ['application/pdf'],
};

const refusal = (message: string): ValidationError =>
  new ValidationError([{ path: 'examples.media_id', message }]);

/** Uploads of ours that are samples of templates' headers. */
@Injectable()
export class TemplateSamples {
  constructor(
    private readonly media: MediaRepository,
    private readonly reading: MediaReading,
    private readonly gateways: TemplateGateways,
  ) {}

  /** @throws ValidationError for a sample that the template cannot have, MediaNotFoundError, MediaGoneError */
  async require(accountId: string, channel: Channel, template: TemplateDefinition): Promise<void> {
    await this.find(accountId, channel, template);
  }

  /**
   * The sample to give to the provider; null where the template has none of ours.
   * @throws ValidationError, MediaNotFoundError, MediaGoneError
   */
  async find(accountId: string, channel: Channel, template: TemplateDefinition): Promise<FileToGive | null> {
    const { header, examples } = template;
    if (examples.media_id === undefined) return null;
    if (!this.gateways.of(channel).takesSamples)
      throw refusal('is not taken on this channel: give the provider’s handle as examples.header');
    if (examples.header !== undefined) throw refusal('give media_id or header, not both');
    const types = TYPES[header?.format ?? ''];
    if (!types) throw refusal('goes with a header of the format image, video or document');
    const found = await this.media.find(accountId, idOrNothing(examples.media_id));
    if (!found) throw new MediaNotFoundError();
    if (found.state !== 'stored' || !isStored(found)) throw new MediaGoneError();
    if (!types.includes(found.mime_type))
      throw refusal(`must be a file of the type ${types.join(' or ')} for this header`);
    return {
      ...{ name: found.file_name, mimeType: found.mime_type, size: found.size, link: null },
      open: () => this.reading.openOf(accountId, found),
      requireBytes: () => Promise.resolve(),
    };
  }
}

const isStored = (row: Awaited<ReturnType<MediaRepository['find']>>): row is StoredMedia =>
  row !== null && row.sha256 !== null && row.size !== null && row.mime_type !== null;
