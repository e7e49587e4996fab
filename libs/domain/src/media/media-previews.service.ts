import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import type { MediaRow } from '@app/persistence/media/media.entity';
import { isPicture } from '@app/contracts/media.words';
import { MediaRepository } from '@app/persistence/media/media.repository';
import type { SaidRow } from '@app/persistence/messages/dialog/message-columns';
import { Injectable, Logger } from '@nestjs/common';
import { FILE_BYTES_MAX } from './media-download.port';
import { MediaInspector, NoPreviewError, PREVIEWED_PIXELS_MAX } from './media-inspector.port';
import { MediaStore, type MediaKey } from './media-store.port';
import { MediaGoneError, MediaWithoutPreviewError } from './media.errors';

/** A picture of 50 megapixels takes up to 200 MB while its preview is made. */
const MADE_AT_ONCE = 2;

/** Previews of images: made when they are asked for first, then kept beside the image. */
@Injectable()
export class MediaPreviews {
  private readonly limiter = new InFlightLimiter(MADE_AT_ONCE);

  constructor(
    private readonly store: MediaStore,
    private readonly inspector: MediaInspector,
    private readonly media: MediaRepository,
  ) {}

  /** @throws MediaWithoutPreviewError, MediaGoneError, TooManyWaitingError */
  async of(accountId: string, { id, sha256, mime_type: type, width, height }: MediaRow): Promise<Buffer> {
    if (!type?.startsWith('image/') || (width ?? 0) * (height ?? 0) > PREVIEWED_PIXELS_MAX)
      throw new MediaWithoutPreviewError();
    const key = { accountId, sha256: sha256 ?? '', variant: 'preview' } as const;
    return (await this.kept(key)) ?? this.limiter.run(accountId, () => this.make(key, id));
  }

  /**
   * An image as models take it. It is made for each reply anew: nothing of it is kept.
   * @returns null where it is no image, or too large
   * @throws MediaWithoutPreviewError, MediaGoneError, TooManyWaitingError
   */
  async picture(
    accountId: string,
    { sha256, mime_type: type, width, height }: MediaRow,
  ): Promise<Buffer | null> {
    if (!type?.startsWith('image/') || (width ?? 0) * (height ?? 0) > PREVIEWED_PIXELS_MAX) return null;
    return this.limiter.run(accountId, () =>
      this.drawn({ accountId, sha256: sha256 ?? '' }, (path) => this.inspector.picture(path)),
    );
  }

  private async kept(key: MediaKey): Promise<Buffer | null> {
    const bytes = await this.store.open(key);
    return bytes && buffer(bytes);
  }

  private async make(key: MediaKey, id: string): Promise<Buffer> {
    // Whoever was before may have made it.
    const kept = await this.kept(key);
    if (kept) return kept;
    const preview = await this.drawn({ accountId: key.accountId, sha256: key.sha256 }, (path) =>
      this.inspector.preview(path),
    );
    await using file = disposable(await this.store.spool(Readable.from([preview]), FILE_BYTES_MAX));
    await this.store.put(key, file);
    // Nothing deletes a preview that was written after its image was deleted.
    const found = await this.media.find(key.accountId, id);
    if (found?.state !== 'stored') await this.store.remove(key);
    return preview;
  }

  private async drawn(key: MediaKey, draw: (path: string) => Promise<Buffer>): Promise<Buffer> {
    const bytes = await this.store.open(key);
    if (!bytes) throw new MediaGoneError();
    await using file = disposable(await this.store.spool(bytes, FILE_BYTES_MAX));
    try {
      return await draw(file.path);
    } catch (error) {
      throw error instanceof NoPreviewError ? new MediaWithoutPreviewError() : error;
    }
  }
}

const disposable = <File extends { discard(): Promise<void> }>(file: File): File & AsyncDisposable =>
  Object.assign(file, { [Symbol.asyncDispose]: () => file.discard() });

/** Most pictures that a model is shown. */
const SHOWN_MAX = 4;

/** Makes customers' pictures fit for models that see. */
@Injectable()
export class ShownPictures {
  private readonly logger = new Logger(ShownPictures.name);

  constructor(private readonly previews: MediaPreviews) {}

  /**
   * The newest of a dialog's pictures and stickers, as `data:` addresses by the ids of their messages. What cannot be
   * shown is left out.
   * @param spoken the newest last
   */
  async of(accountId: string, spoken: readonly SaidRow[]): Promise<ReadonlyMap<string, string>> {
    const newest = spoken.filter(canBeShown).slice(-SHOWN_MAX);
    const shown = await Promise.all(
      newest.map(async ({ id, media }): Promise<[string, string][]> => {
        try {
          const bytes = media && (await this.previews.picture(accountId, media));
          return bytes ? [[id, `data:image/jpeg;base64,${bytes.toString('base64')}`]] : [];
        } catch (error) {
          this.logger.warn({ err: error, media_id: media?.id }, 'A picture cannot be shown to a model.');
          return [];
        }
      }),
    );
    return new Map(shown.flat());
  }
}

const canBeShown = ({ role, media }: SaidRow): boolean =>
  role === 'USER' && media?.state === 'stored' && isPicture(media.kind);
