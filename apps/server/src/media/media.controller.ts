import { demoId } from '@app/contracts/demo-ids';
import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { FILE_BYTES_MAX } from '@app/domain/media/media-download.port';
import { MediaReading } from '@app/domain/media/media-reading.service';
import { MediaUploads } from '@app/domain/media/media-uploads.service';
import { UploadTooLargeError } from '@app/domain/media/media.errors';
import { Controller, Get, Param, Query, Req, Res, HttpCode, Post } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access, CurrentPrincipal, RawBody, Public } from '../http/auth/access.decorator';
import { takeUpload } from '../http/body/upload-reader';
import { Documented } from '../http/docs/documented.decorator';
import {
  ApiParam,
  ApiQuery,
  ApiTags,
  ApiBody,
  ApiConsumes,
  ApiProperty,
} from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';
import { MediaAnswer } from '../http/dto/media.answer';
import { wordOrNull } from '../http/routes/page.query';
import { answerFile, answerPreview } from './media.answer';

@ApiTags('Messages')
@Controller('api/v1/messages/media')
export class MediaController {
  constructor(private readonly media: MediaReading) {}

  @Get(':id')
  @Access('media.read')
  @ApiParam({ name: 'id', schema: { type: 'string', example: demoId('media', 1) } })
  @ApiQuery({
    name: 'preview',
    required: false,
    schema: { type: 'string', enum: ['1'] },
    description: 'Of an image up to 50 megapixels: a picture of at most 640 pixels a side, as WebP',
  })
  @Documented({
    summary: 'The file of a message',
    description:
      'The bytes. Images, audio and video of known types are shown in place, everything else is an attachment, and nothing of it runs. Takes `Range` (one range: 206, or 416 where the file is shorter), `If-Range` and `If-None-Match` (304).',
    answer: 'bytes',
    security: 'ApiKey',
    errors: ['MEDIA_NOT_FOUND', 'MEDIA_LOADING', 'MEDIA_GONE', 'MEDIA_NO_PREVIEW', 'VALIDATION_ERROR'],
  })
  async getMedia(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Query('preview') preview: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const isPreview = wordOrNull('preview', preview, ['1']) !== null;
    const media = await this.media.find(by, id);
    if (isPreview) answerPreview(request, response, media, await this.media.preview(by, media));
    else await answerFile(request, response, media, (range) => this.media.open(by, media, range));
  }
}

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

@ApiTags('Messages')
@Controller('files')
export class FileLinksController {
  constructor(private readonly media: MediaReading) {}

  @Get(':token')
  @Public()
  @ApiParam({ name: 'token', schema: { type: 'string' } })
  @Documented({
    summary: 'A file, for the provider that fetches it',
    description:
      'The address is signed, names one file of a message that is being sent, and ends after an hour. Gupshup gets it with the message.',
    answer: 'bytes',
    security: null,
    errors: ['MEDIA_NOT_FOUND', 'MEDIA_GONE'],
    meanings: { MEDIA_NOT_FOUND: 'The address is none of this service, or its hour is over.' },
  })
  async getFile(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { accountId, media } = await this.media.findLinked(token);
    await answerFile(request, response, media, (range) => this.media.openOf(accountId, media, range));
  }
}
