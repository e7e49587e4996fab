import { EXPORT_FORMATS, type ExportFormat } from '@app/contracts/transfer.words';
import { IsIn, IsNotEmpty, IsString } from 'class-validator';
import { EXAMPLE_ASSISTANT_ID } from '../http/docs/example-ids';
import { ApiProperty } from '../http/docs/openapi.decorator';
import { ListFilterRequest } from '../http/routes/thread-filter.request';

export class ExportLeadsRequest extends ListFilterRequest {
  @ApiProperty({ description: 'The agent whose leads are exported.', example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty({ enum: EXPORT_FORMATS, description: '`csv`: as import takes it; `ndjson`: a lead a line.' })
  @IsIn(EXPORT_FORMATS)
  format: ExportFormat;
}

export const EXPORT_LEADS_EXAMPLES = {
  'all leads of an agent': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, format: 'csv' } },
  'those that wait': { value: { assistant_id: EXAMPLE_ASSISTANT_ID, format: 'ndjson', waiting: true } },
};
