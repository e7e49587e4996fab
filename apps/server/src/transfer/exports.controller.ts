import { InFlightLimiter } from '@app/contracts/in-flight-limiter';
import { EXPORT_FORMATS, type ExportFormat } from '@app/contracts/transfer.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { LeadExports } from '@app/domain/transfer/lead-exports.service';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { IsIn, IsNotEmpty, IsString } from 'class-validator';
import type { Response } from 'express';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { EXAMPLE_ASSISTANT_ID, ApiProperty, ApiBody, ApiTags } from '../http/docs/openapi.decorator';
import { answerText } from '../http/dto/line.answer';
import { ListFilterRequest, listFilterOf } from '../http/routes/thread-filter.request';

export class ExportLeadsRequest extends ListFilterRequest {
  @ApiProperty({ description: 'The agent whose leads are exported.', example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty({ enum: EXPORT_FORMATS, description: '`csv`: as import takes it; `ndjson`: a lead a line.' })
  @IsIn(EXPORT_FORMATS)
  format: ExportFormat;
}

const EXPORT_LEADS_EXAMPLES = {
  'all leads of an agent': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, format: 'csv' } },
  'those that wait': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, format: 'ndjson', waiting: true } },
};

/** Each has a connection and a page of leads in memory, for as long as its reader takes. */
const AT_ONCE = 16;
const WAITING = { places: 100, forMs: 15_000 };

@ApiTags('Leads')
@Controller('api/v1/leads')
export class ExportsController {
  private readonly limiter = new InFlightLimiter(AT_ONCE, WAITING);

  constructor(private readonly exports: LeadExports) {}

  @Post('export')
  @Access('lead.export')
  @HttpCode(200)
  @ApiBody({ type: ExportLeadsRequest, examples: EXPORT_LEADS_EXAMPLES })
  @Documented({
    summary: 'Export leads to a file',
    description:
      'The leads of an agent, the last opened first, by the filters of get-threads. As CSV with the columns that import takes: UTF-8 with a mark, so that spreadsheets show every alphabet; a text that a spreadsheet would take for a formula has an apostrophe before it, which import takes off again. As NDJSON the dialogs of get-threads, one a line. Each lead comes once, as it is when it is read. An answer whose connection broke is not whole.',
    answer: 'table',
    security: 'ApiKey',
    errors: [
      'ASSISTANT_NOT_FOUND',
      'BOT_NOT_FOUND',
      'STATUS_NOT_FOUND',
      'SCENARIO_NOT_FOUND',
      'USER_NOT_FOUND',
      'THREAD_NOT_FOUND',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async exportLeads(
    @CurrentPrincipal() by: Principal,
    @Body() body: ExportLeadsRequest,
    @Res() response: Response,
  ): Promise<void> {
    const { assistant_id: assistantId, format } = body;
    await this.limiter.run(by.accountId ?? '', async () => {
      const texts = await this.exports.begin(by, { ...listFilterOf(body), assistantId, format });
      await answerText(response, `leads.${format}`, texts);
    });
  }
}
