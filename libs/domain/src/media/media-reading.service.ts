import type { Readable } from 'node:stream';
import { idOrNothing } from '@app/contracts/uuid.format';
import type { NotNull } from '@app/persistence/database/row.types';
import type { MediaRow } from '@app/persistence/media/media.columns';
import { ShownMediaRepository } from '@app/persistence/messages/shown-media.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { MediaGoneError, MediaLoadingError, MediaNotFoundError } from './media.errors';
import { MediaPreviews } from './media-previews.service';
import { MediaStore, type ByteRange } from './media-store.port';

/** A file that can be read. */
export type StoredMedia = MediaRow & NotNull<Pick<MediaRow, 'sha256' | 'size' | 'mime_type'>>;

/** Reads files of messages. */
@Injectable()
export class MediaReading {
  constructor(
    private readonly media: ShownMediaRepository,
    private readonly store: MediaStore,
    private readonly previews: MediaPreviews,
  ) {}

  /** @throws MediaNotFoundError, MediaGoneError, MediaLoadingError */
  async find(by: Principal, id: string): Promise<StoredMedia> {
    const row = await this.media.find({ ...visibilityOf(by), botIds: by.botIds }, idOrNothing(id));
    if (!row) throw new MediaNotFoundError();
    if (row.state === 'loading') throw new MediaLoadingError();
    const { sha256, size, mime_type: mimeType } = row;
    if (sha256 === null || size === null || mimeType === null) throw new MediaGoneError();
    return { ...row, sha256, size, mime_type: mimeType };
  }

  /**
   * The bytes of a file that was found, or a part of them.
   * @throws MediaGoneError where it was deleted meanwhile
   */
  async open({ accountId }: Principal, { sha256 }: StoredMedia, range?: ByteRange): Promise<Readable> {
    const bytes = await this.store.open({ accountId: accountId ?? '', sha256 }, range);
    if (!bytes) throw new MediaGoneError();
    return bytes;
  }

  /**
   * A smaller picture of an image that was found, as WebP.
   * @throws MediaWithoutPreviewError, MediaGoneError, MediaBusyError
   */
  async preview(by: Principal, found: StoredMedia): Promise<Buffer> {
    return this.previews.of(by.accountId ?? '', found);
  }
}
