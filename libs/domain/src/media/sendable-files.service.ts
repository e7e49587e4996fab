import { visibilityOf, type Principal } from '../accounts/principal.rules';
import { idOrNothing } from '@app/contracts/uuid.format';
import { UnsentUploadsRepository } from '@app/persistence/messages/dialog/unsent-uploads.repository';
import { Injectable } from '@nestjs/common';
import { OutgoingFiles, type OutgoingFile } from '../messages/sending/outgoing-files.port';
import { FileLinks } from './file-links.port';
import { MediaReading } from './media-reading.service';

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
      ...{
        id: found.id,
        kind: found.kind,
        name: found.file_name,
        mimeType: found.mime_type,
        size: found.size,
      },
      link: this.links.linkOf({ accountId: by.accountId ?? '', id: found.id }),
      open: () => this.reading.open(by, found),
      requireBytes: () => this.reading.requireBytes(by, found),
    };
  }
}
