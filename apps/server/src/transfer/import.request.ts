import { CHANNELS, type Channel } from '@app/contracts/message.words';
import { ENCODING_CHOICES } from '@app/contracts/values/text-encoding';
import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import { demoId } from '@app/contracts/demo-ids';
import { IsIn, IsInt, IsNotEmpty, IsString, IsUUID, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../http/dto/dto.decorator';
import { EXAMPLE_ASSISTANT_ID, ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';

/** Fields of a form are texts. */
const SWITCH = ['true', 'false'] as const;
type Switch = (typeof SWITCH)[number];

/** How the file is written, as far as its caller knows it. */
const ENCODINGS = ['auto', ...ENCODING_CHOICES] as const;

/** The fields of a form besides its file. */
export class ImportForm {
  @ApiProperty({ description: 'The agent whose leads they are.', example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;

  @ApiProperty({ format: 'uuid', description: 'The bot of their dialogs.', example: demoId('bot', 1) })
  @IsUUID('loose')
  bot_id: string;

  @ApiProperty({ enum: CHANNELS, description: 'Its number; it must be connected.' })
  @IsIn(CHANNELS)
  channel: Channel;

  @ApiPropertyOptional({
    enum: SWITCH,
    default: 'false',
    description: 'Say what would happen, and change nothing.',
  })
  @MayBeAbsent()
  @IsIn(SWITCH)
  dry_run?: Switch;

  @ApiPropertyOptional({
    enum: SWITCH,
    default: 'false',
    description: 'Start the scenarios of the stages entered, which write to customers.',
  })
  @MayBeAbsent()
  @IsIn(SWITCH)
  start_scenarios?: Switch;

  @ApiPropertyOptional({
    enum: ENCODINGS,
    default: 'auto',
    description:
      'How the file is written. `auto` finds it, and refuses the file (`details` name `encoding`) where its words do not tell it for sure.',
  })
  @MayBeAbsent()
  @IsIn(ENCODINGS)
  encoding?: (typeof ENCODINGS)[number];
}

export class ImportRequest extends ImportForm {
  @ApiProperty({ type: 'string', format: 'binary', description: 'The CSV file.' })
  file: unknown;
}

const IMPORT_ID = {
  description: 'From the answer of import.',
  example: demoId('import', 1),
};

export class GetImportRequest {
  @ApiProperty(IMPORT_ID)
  @IsString()
  @IsNotEmpty()
  import_id: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: TRANSFER_LIMITS.faultsMax,
    default: TRANSFER_LIMITS.faultsMax,
    description: 'How many faults to tell at most; 0 while only the progress is shown.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(TRANSFER_LIMITS.faultsMax)
  faults_limit?: number;
}

export class CancelImportRequest {
  @ApiProperty(IMPORT_ID)
  @IsString()
  @IsNotEmpty()
  import_id: string;
}
