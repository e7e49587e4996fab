import type { Principal } from '@app/domain/accounts/principal.rules';
import { ErasureService } from '@app/domain/privacy/erasure.service';
import { ThreadExports } from '@app/domain/privacy/thread-export.service';
import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import {
  EXAMPLE_ERASED_THREAD_ID,
  EXAMPLE_THREAD_ID,
  ApiBody,
  ApiParam,
  ApiTags,
  ApiProperty,
} from '../http/docs/openapi.decorator';
import { answerLines } from '../http/dto/line.answer';

class ErasedThreadAnswer {
  @ApiProperty({ example: EXAMPLE_ERASED_THREAD_ID })
  thread_id: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-11-20T09:30:00.000Z',
    description: 'When it was erased first',
  })
  erased_at: string;
}

const EXPORTED = { name: 'id', example: EXAMPLE_THREAD_ID };
const ERASED = { name: 'id', example: EXAMPLE_ERASED_THREAD_ID };

@ApiTags('Admin: privacy')
@Controller('api/v1/admin/threads')
export class PrivacyController {
  constructor(
    private readonly erasure: ErasureService,
    private readonly exports: ThreadExports,
  ) {}

  @Post(':id/export')
  @Access('thread.export')
  @HttpCode(200)
  @ApiParam(EXPORTED)
  @ApiBody({ schema: { type: 'object' }, examples: { 'the customer asked for it': { value: {} } } })
  @Documented({
    summary: 'Export a customer',
    description:
      'Everything that is kept of the dialog, as NDJSON: a line `thread`, then `message`, `media` with the bytes in base64, `history`, `run`, and `end` with their numbers. An answer without the line `end` is not whole.',
    answer: 'lines',
    security: 'AdminKey',
    errors: ['THREAD_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async exportThread(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Res() response: Response,
  ): Promise<void> {
    const lines = await this.exports.begin(by, id);
    await answerLines(response, `${id.toLowerCase()}.ndjson`, lines);
  }

  @Post(':id/erase')
  @Access('thread.erase')
  @HttpCode(200)
  @ApiParam(ERASED)
  @ApiBody({ schema: { type: 'object' }, examples: { 'the customer asked for it': { value: {} } } })
  @Documented({
    summary: 'Erase a customer',
    description:
      'Texts, names, phones and files of the dialog are gone from every table and from the store, bodies of webhooks included. What stays is the skeleton for figures: stages, times, counts. It cannot be undone, and may be repeated. A later message of the customer opens another dialog.',
    answer: ErasedThreadAnswer,
    security: 'AdminKey',
    errors: ['THREAD_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async erase(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.erasure.erase(by, id));
  }
}
