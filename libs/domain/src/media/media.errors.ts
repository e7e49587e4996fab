import { CodedError, ValidationError } from '@app/contracts/coded.errors';
import { FILE_BYTES_MAX } from './media-download.port';

export class MediaNotFoundError extends CodedError {
  readonly code = 'MEDIA_NOT_FOUND';

  constructor() {
    super('There is no such file. Check its id.');
  }
}

/** The file will not come, or not come back. */
export class MediaGoneError extends CodedError {
  readonly code = 'MEDIA_GONE';

  constructor() {
    super('The file was deleted, or the provider did not give it within a day.');
  }
}

export class MediaLoadingError extends CodedError {
  readonly code = 'MEDIA_LOADING';

  constructor() {
    super('The file is still being fetched from the provider. Try again when its state is stored.');
  }
}

export class MediaWithoutPreviewError extends CodedError {
  readonly code = 'MEDIA_NO_PREVIEW';

  constructor() {
    super('There is no preview: the file is no image, has more than 50 megapixels, or cannot be read.');
  }
}

export class MediaQuotaError extends CodedError {
  readonly code = 'MEDIA_QUOTA_EXCEEDED';

  constructor() {
    super(
      "The account's storage quota has no room for the file. Ask those who run the service to raise media_quota_bytes.",
    );
  }
}

/** A file with more bytes than WhatsApp takes of its kind, of which documents may have most. Nothing of it is kept. */
export class UploadTooLargeError extends CodedError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(kind = 'document', bytesMax = FILE_BYTES_MAX) {
    super(
      `The file is too large: of the kind ${kind} WhatsApp takes ${bytesMax} bytes at most. Send a smaller one.`,
    );
  }
}

/** A file that cannot be sent. Nothing of it is kept. */
export class UnusableFileError extends ValidationError {
  constructor(message: string) {
    super([{ path: 'file', message }]);
  }
}
