import { ApiProperty } from '../http/docs/openapi.decorator';
import { IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { EXAMPLE_THREAD_ID } from '../http/docs/example-ids';

export class SetAiRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsString()
  @IsNotEmpty()
  thread_id: string;

  @ApiProperty({
    description: 'A real JSON boolean: false switches the agent off for good, true on.',
    example: false,
  })
  @IsBoolean()
  ai_enabled: boolean;
}
