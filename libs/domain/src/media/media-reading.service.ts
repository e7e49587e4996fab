import type { Readable } from 'node:stream';
import { idOrNothing } from '@app/contracts/uuid.format';
import type { NotNull } from '@app/persistence/database/row-types';
import type { MediaRow } from '@app/persistence/media/media.entity';
import { ShownMediaRepository } from '@app/persistence/messages/dialog/shown-media.repository';
import { Injectable } from '@nestjs/common';
import { sendingVisibilityOf, type Principal, visibilityOf } from '../accounts/principal.rules';
import { MediaRepository } from '@app/persistence/media/media.repository';
import { UnsentUploadsRepository } from '@app/persistence/messages/dialog/unsent-uploads.repository';
import { OutgoingFiles, type OutgoingFile } from '../messages/sending/file-giving.service';
import { MediaPreviews } from './media-previews.service';
import { FileLinks, MediaStore, type ByteRange } from './media-store.port';
import { MediaGoneError, MediaLoadingError, MediaNotFoundError } from './media.errors';

/** A file that can be read. */
export type StoredMedia = MediaRow & NotNull<Pick<MediaRow, 'sha256' | 'size' | 'mime_type'>>;

/** Reads files of messages. */
@Injectable()
export class MediaReading {
  constructor(
    private readonly media: ShownMediaRepository,
    private readonly store: MediaStore,
    private readonly previews: MediaPreviews,
    private readonly files: MediaRepository,
    private readonly links: FileLinks,
  ) {}

  /** @throws MediaNotFoundError, MediaGoneError, MediaLoadingError */
  async find(by: Principal, id: string): Promise<StoredMedia> {
    const reader = { ...sendingVisibilityOf(by), callerId: by.id, isAdmin: by.role === 'admin' };
    return storedOf(await this.media.find(reader, idOrNothing(id)));
  }

  /**
   * The file of an address that a provider was given.
   * @throws MediaNotFoundError, MediaGoneError
   */
  async findLinked(token: string): Promise<{ accountId: string; media: StoredMedia }> {
    const linked = this.links.read(token);
    if (!linked) throw new MediaNotFoundError();
    const { accountId, id } = linked;
    return { accountId, media: storedOf(await this.files.find(accountId, id)) };
  }

  /**
   * The bytes of a file that was found, or a part of them.
   * @throws MediaGoneError where it was deleted meanwhile
   */
  open({ accountId }: Principal, media: StoredMedia, range?: ByteRange): Promise<Readable> {
    return this.openOf(accountId ?? '', media, range);
  }

  /**
   * Makes sure that there are bytes of a file that was found.
   * @throws MediaGoneError, StoreUnavailableError
   */
  async requireBytes(by: Principal, media: StoredMedia): Promise<void> {
    const first = media.size > 0 ? { start: 0, end: 0 } : undefined;
    (await this.open(by, media, first)).on('error', () => undefined).destroy();
  }

  /** The same of an account's file. @throws MediaGoneError */
  async openOf(accountId: string, { sha256 }: StoredMedia, range?: ByteRange): Promise<Readable> {
    const bytes = await this.store.open({ accountId, sha256 }, range);
    if (!bytes) throw new MediaGoneError();
    return bytes;
  }

  /**
   * A smaller picture of an image that was found, as WebP.
   * @throws MediaWithoutPreviewError, MediaGoneError, TooManyWaitingError
   */
  async preview(by: Principal, found: StoredMedia): Promise<Buffer> {
    return this.previews.of(by.accountId ?? '', found);
  }
}

/** @throws MediaNotFoundError, MediaGoneError, MediaLoadingError */
function storedOf(row: MediaRow | null): StoredMedia {
  if (!row) throw new MediaNotFoundError();
  if (row.state === 'loading') throw new MediaLoadingError();
  const { sha256, size, mime_type: mimeType } = row;
  if (sha256 === null || size === null || mimeType === null) throw new MediaGoneError();
  return { ...row, sha256, size, mime_type: mimeType };
}

/** Sending a file takes less, with all that it waits for. */
const HELD_MS = 600_000;

/** Files that were uploaded, and those of messages that the caller sees. */
@Injectable()
export class SendableFiles extends OutgoingFiles {
  constructor(
    private readonly reading: MediaReading,
    private readonly links: FileLinks,
    private readonly uploads: UnsentUploadsRepository,
  ) {
    super();
  }

  /**
   * An upload that is about to be deleted stays until it is sent.
   * @throws MediaNotFoundError, MediaGoneError, MediaLoadingError
   */
  async find(by: Principal, id: string): Promise<OutgoingFile> {
    await this.uploads.hold(visibilityOf(by).accountId, idOrNothing(id), HELD_MS);
    const found = await this.reading.find(by, id);
    return {
      id: found.id,
      kind: found.kind,
      name: found.file_name,
      mimeType: found.mime_type,
      size: found.size,
      link: this.links.linkOf({ accountId: by.accountId ?? '', id: found.id }),
      open: () => this.reading.open(by, found),
      requireBytes: () => this.reading.requireBytes(by, found),
    };
  }
}
