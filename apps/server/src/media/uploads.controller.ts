import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { FILE_BYTES_MAX } from '@app/domain/media/media-download.port';
import { UploadTooLargeError } from '@app/domain/media/media.errors';
import { MediaUploads } from '@app/domain/media/media-uploads.service';
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access, CurrentPrincipal, RawBody } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiBody, ApiConsumes, ApiTags, ApiProperty } from '../http/docs/openapi.decorator';
import { takeUpload } from '../http/body/upload-reader';
import { MediaAnswer } from '../http/dto/media.answer';

class UploadAnswer {
  @ApiProperty({ type: MediaAnswer })
  media: MediaAnswer;
}

/** Each has a connection, a temporary file and some 200 KB of memory. */
const AT_ONCE = 64;
/** Other fields are dropped. */
const KEPT = { fileBytesMax: FILE_BYTES_MAX, tooLarge: () => new UploadTooLargeError() };
/** Of those that wait nothing is read. Each has a connection, and some 100 KB in memory, however long its file is. */
const WAITING = { places: 2_000, forMs: 120_000 };

@ApiTags('Messages')
@Controller('api/v1/messages')
export class UploadsController {
  private readonly limiter = new InFlightLimiter(AT_ONCE, WAITING);

  constructor(private readonly uploads: MediaUploads) {}

  @Post('upload-media')
  @Access('media.upload')
  @RawBody()
  @HttpCode(200)
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    required: true,
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    },
  })
  @Documented({
    summary: 'Upload a file to send it',
    description:
      'Keeps one file, `file`, for send-text; other fields are ignored. The bytes decide its kind: JPEG and PNG up to 5 MiB are images, MP4 and 3GP up to 16 MiB videos, AAC, AMR, M4A and MP3 up to 16 MiB audio, Ogg with Opus up to 16 MiB voice messages, WebP up to 100 KiB (500 KiB if it moves) stickers, all else up to 100 MiB documents.',
    answer: UploadAnswer,
    security: 'ApiKey',
    errors: ['MEDIA_QUOTA_EXCEEDED', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
    meanings: {
      PAYLOAD_TOO_LARGE: 'The file is larger than its kind may be; the message says the limit.',
      VALIDATION_ERROR: 'The body is no form with one file, the file is empty, or it did not come whole.',
    },
  })
  async uploadMedia(
    @CurrentPrincipal() by: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const media = await this.limiter.run(by.accountId ?? '', () =>
      takeUpload(request, response, KEPT, (upload) => this.uploads.keep(by, upload)),
    );
    return ok({ media });
  }
}
