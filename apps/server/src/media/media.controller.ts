import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { MediaReading } from '@app/domain/media/media-reading.service';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiParam, ApiQuery, ApiTags } from '../http/docs/openapi.decorator';
import { answerFile, answerPreview } from './media.answer';
import { wordOrNull } from '../http/routes/query-values';

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
