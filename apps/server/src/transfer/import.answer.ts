import { IMPORT_FAILURES, IMPORT_STATES, LEAD_COLUMNS, ROW_FAULTS } from '@app/contracts/transfer.words';
import { FAULT_VALUES } from '../http/docs/failure-schema';
import { EXAMPLE_ASSISTANT_ID, ApiProperty } from '../http/docs/openapi.decorator';
import { WouldStartAnswer } from '../http/dto/would-start.answer';

const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';

export class ImportStartedAnswer {
  @ApiProperty({ format: 'uuid', description: 'For get-import' })
  import_id: string;
}

class ImportFaultAnswer {
  @ApiProperty({ type: 'integer', example: 17, description: 'As a spreadsheet counts: the header is row 1' })
  row: number;

  @ApiProperty({ type: String, enum: LEAD_COLUMNS, nullable: true, description: 'Null: the row as a whole' })
  column: string | null;

  @ApiProperty({
    enum: ROW_FAULTS,
    example: 'duplicate',
    description: 'What is wrong, for programs. There may be more of them in the future',
  })
  reason: string;

  @ApiProperty({ ...FAULT_VALUES, example: { row: 2 } })
  values: Record<string, string | number>;

  @ApiProperty({ example: 'is the phone of row 2, which counts' })
  message: string;
}

export class ImportAnswer {
  @ApiProperty({ format: 'uuid' })
  import_id: string;

  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  assistant_id: string;

  @ApiProperty({ format: 'uuid' })
  bot_id: string;

  @ApiProperty({ example: 'WABA_COEXISTENCE' })
  channel: string;

  @ApiProperty()
  dry_run: boolean;

  @ApiProperty({ enum: IMPORT_STATES, description: '`failed`: its remaining rows cannot be taken in' })
  state: string;

  @ApiProperty({
    type: String,
    enum: IMPORT_FAILURES,
    nullable: true,
    description:
      'Why it failed: `agent_changed`, the bot speaks for another agent by now; `internal`, an error of the service. Null: it did not',
  })
  failure: string | null;

  @ApiProperty({ type: 'integer', description: 'Rows of the file, without the header and empty rows' })
  rows: number;

  @ApiProperty({ type: 'integer', description: 'Rows that were taken in: the sum of the next four' })
  done: number;

  @ApiProperty({ type: 'integer', description: 'Rows that opened a dialog' })
  created: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows whose phone had a dialog that got another stage, name or assignee',
  })
  moved: number;

  @ApiProperty({ type: 'integer', description: 'Rows whose dialog was as they say' })
  unchanged: number;

  @ApiProperty({ type: 'integer', description: 'Rows with a fault, of which nothing was taken in' })
  faulty: number;

  @ApiProperty({
    type: [ImportFaultAnswer],
    description: 'In the order of the rows, the first `faults_limit` of them. A row may have several',
  })
  faults: ImportFaultAnswer[];

  @ApiProperty({
    type: [String],
    example: ['city'],
    description: 'Columns of the file that are not known, and were not read; up to 100 names',
  })
  ignored_columns: string[];

  @ApiProperty({
    type: WouldStartAnswer,
    nullable: true,
    description:
      'With `dry_run`: what scenarios would do at most by the rows that are done; 0 without `start_scenarios`. Else null',
  })
  would_start: WouldStartAnswer | null;

  @ApiProperty({ format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: EXAMPLE_TIME })
  finished_at: string | null;
}
