import { randomUUIDv7 } from 'node:crypto';
import type { Media } from '@app/contracts/media.words';
import type { MediaRow } from '@app/persistence/media/media.entity';
import { MediaRepository, type StoredFacts } from '@app/persistence/media/media.repository';
import { Injectable } from '@nestjs/common';
import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { Principals } from '../accounts/principals.service';
import { presentMedia } from '../messages/dialog/message.presenter';
import { fileNameOf, claimedType, requireSize, sentKindOf } from './upload.rules';
import { FILE_BYTES_MAX } from './media-download.port';
import { MediaFiles } from './media-files.service';
import { MediaInspector } from './media-inspector.port';
import { MediaStore, type SpooledFile } from './media-store.port';

/** A file as its sender gives it. */
export interface GivenUpload {
  /** Ends when the file is whole, and throws when it does not come whole. */
  bytes: AsyncIterable<Uint8Array>;
  name: string | null;
  mimeType: string | null;
}

/** Keeps files that are to be sent. */
@Injectable()
export class MediaUploads {
  constructor(
    private readonly store: MediaStore,
    private readonly inspector: MediaInspector,
    private readonly files: MediaFiles,
    private readonly media: MediaRepository,
    private readonly principals: Principals,
  ) {}

  /**
   * Keeps a file of the caller's account. What does not come whole, or is refused, leaves nothing behind.
   * @throws FileTooLargeError, UploadTooLargeError, UnusableFileError, MediaQuotaError, StoreUnavailableError
   * @throws UnauthorizedError, ForbiddenError where the caller's key or session ended meanwhile, or may not upload any more
   */
  async keep(by: Principal, { bytes, name, mimeType }: GivenUpload): Promise<Media> {
    visibilityOf(by);
    const file = await this.store.spool(bytes, FILE_BYTES_MAX);
    try {
      await this.principals.requireStillActive(by, 'media.upload');
      const fileName = fileNameOf(name);
      const facts = await this.inspect(file, fileName, mimeType);
      return presentMedia(await this.keepOf(by, file, { ...facts, file_name: fileName }), null) as Media;
    } finally {
      await file.discard();
    }
  }

  private async inspect(
    file: SpooledFile,
    name: string | null,
    said: string | null,
  ): Promise<Omit<StoredFacts, 'file_name'>> {
    const facts = await this.inspector.inspect(file.path, claimedType(said, name));
    const kind = sentKindOf(facts);
    requireSize(kind, file.size, facts.isAnimated);
    const { mimeType, width, height, seconds } = facts;
    return { kind, sha256: file.sha256, mime_type: mimeType, width, height, seconds };
  }

  private async keepOf(by: Principal, file: SpooledFile, facts: StoredFacts): Promise<MediaRow> {
    const { accountId } = visibilityOf(by);
    await this.files.keep(accountId, file);
    const row = await this.media.add(accountId, randomUUIDv7(), by.id, facts);
    if (!row) throw new Error('writing the file took longer than its claim');
    return row;
  }
}
