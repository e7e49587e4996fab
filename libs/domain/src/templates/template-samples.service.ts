import { ValidationError } from '@app/contracts/coded.errors';
import type { Channel } from '@app/contracts/message.words';
import { idOrNothing } from '@app/contracts/uuid.format';
import { MediaRepository } from '@app/persistence/media/media.repository';
import type { TemplateContent, TemplateRow } from '@app/persistence/templates/template.entity';
import { Injectable } from '@nestjs/common';
import { MediaReading, type StoredMedia } from '../media/media-reading.service';
import { MediaGoneError, MediaNotFoundError } from '../media/media.errors';
import type { FileToGive } from '../messages/dispatch/message-sender.port';
import { TemplateGateways, type TemplateDefinition } from './template-gateway.port';
import { parametersOf } from './template.rules';

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

/** A template of the registry as the rules and the providers need it. */
export function definitionOf(row: TemplateRow): TemplateDefinition {
  const { name, language, category, parameter_format, header, body, footer, buttons, examples } = row;
  return {
    addSecurityRecommendation: row.add_security_recommendation,
    codeExpirationMinutes: row.code_expiration_minutes,
    ...{ name, language, category, header, body, footer, buttons, examples },
    parameterFormat: parameter_format,
  };
}

/** The part of a definition that can be changed, and the counts derived from it. */
export function contentOf(definition: TemplateDefinition): TemplateContent {
  const { category, header, body, footer, buttons, examples, parameterFormat } = definition;
  const { count, names } = parametersOf(body, parameterFormat);
  return {
    ...{ category, header, body, footer },
    add_security_recommendation: definition.addSecurityRecommendation,
    code_expiration_minutes: definition.codeExpirationMinutes,
    buttons: [...buttons],
    examples: { ...examples, body: [...(examples.body ?? [])] },
    params_count: count,
    param_names: names,
  };
}
