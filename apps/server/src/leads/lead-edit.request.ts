import { ApiProperty } from '../http/docs/openapi.decorator';
import { IsNotEmpty, IsString } from 'class-validator';
import { IsPersonName, MayBeNull } from '../http/dto/dto.decorator';
import { EXAMPLE_ASSISTANT_ID, EXAMPLE_THREAD_ID } from '../http/docs/example-ids';

const NAME_LENGTH_MAX = 200;

export class SetNameRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: NAME_LENGTH_MAX,
    example: 'Айгуль, оптовик',
    description: 'What the customer is called from now on; null: as the messenger names them.',
  })
  @MayBeNull()
  @IsPersonName(NAME_LENGTH_MAX)
  name: string | null;
}

export class ClearAttentionRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;
}

export class AssignRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'A person of the account who sees the dialog’s agent; null: nobody.',
  })
  @MayBeNull()
  @IsString()
  @IsNotEmpty()
  user_id: string | null;
}

export class GetAssigneesRequest {
  @ApiProperty({ example: EXAMPLE_ASSISTANT_ID })
  @IsString()
  @IsNotEmpty()
  assistant_id: string;
}
