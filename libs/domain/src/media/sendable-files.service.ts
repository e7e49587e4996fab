import type { Principal } from '../accounts/principal.rules';
import { Injectable } from '@nestjs/common';
import { OutgoingFiles, type OutgoingFile } from '../messages/outgoing-files.port';
import { FileLinks } from './file-links.port';
import { MediaReading } from './media-reading.service';

/** Files that were uploaded, and those of messages that the caller sees. */
@Injectable()
export class SendableFiles extends OutgoingFiles {
  constructor(
    private readonly reading: MediaReading,
    private readonly links: FileLinks,
  ) {
    super();
  }

  /** @throws MediaNotFoundError, MediaGoneError, MediaLoadingError */
  async find(by: Principal, id: string): Promise<OutgoingFile> {
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
