import { EXPORT_FORMATS, type ExportFormat } from '@app/contracts/transfer.words';
import { IsIn, IsNotEmpty, IsString } from 'class-validator';
import { IsTexts, MayBeAbsent } from '../http/dto.decorators';
import { EXAMPLE_ASSISTANT_ID } from '../http/example.ids';
import { ApiProperty, ApiPropertyOptional } from '../http/openapi.decorators';
import { ThreadFilterRequest } from '../http/thread-filter.requests';

const PHONES_MAX = 500;

export class ExportLeadsRequest extends ThreadFilterRequest {
  @ApiProperty({ description: 'The agent whose leads are exported.', example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty({ enum: EXPORT_FORMATS, description: '`csv`: as import takes it; `ndjson`: a lead a line.' })
  @IsIn(EXPORT_FORMATS)
  format: ExportFormat;

  @ApiPropertyOptional({
    type: [String],
    maxItems: PHONES_MAX,
    description: 'Leads with these phones, each with its plus.',
  })
  @MayBeAbsent()
  @IsTexts(PHONES_MAX)
  phones?: string[];
}

export const EXPORT_LEADS_EXAMPLES = {
  'all leads of an agent': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, format: 'csv' } },
  'those that wait': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, format: 'ndjson', waiting: true } },
};
