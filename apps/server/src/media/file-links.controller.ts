import { MediaReading } from '@app/domain/media/media-reading.service';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { answerFile } from './media.answer';

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
