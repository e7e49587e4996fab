import { demoId } from '@app/contracts/demo-ids';
import { ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { IsName, MayBeAbsent } from '../http/dto/dto.decorator';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';

const NOTE_LENGTH_MAX = 4_096;

export class MarkReadBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({
    description: 'Our identifier of the last message that was read, of either side.',
    example: demoId('message', 2),
  })
  @IsString()
  @IsNotEmpty()
  up_to: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Whether the customer sees in the messenger that the messages were read.',
  })
  @MayBeAbsent()
  @IsBoolean()
  tell_customer?: boolean;
}

export class AddNoteBody {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({ minLength: 1, maxLength: NOTE_LENGTH_MAX, example: 'Call back after six.' })
  @IsName(NOTE_LENGTH_MAX)
  text: string;
}
