import { isPicture } from '@app/contracts/media.words';
import type { SaidRow } from '@app/persistence/messages/dialog/message-columns';
import { Injectable, Logger } from '@nestjs/common';
import { MediaPreviews } from './media-previews.service';

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
