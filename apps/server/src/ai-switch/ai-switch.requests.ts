import { ApiProperty } from '@nestjs/swagger';
import { IsFlag, IsText } from '../http/dto.decorators';
import { EXAMPLE_THREAD_ID } from '../http/example.ids';

export class SetAiRequest {
  @ApiProperty({ description: 'Dialog identifier, `thread_<uuid>`.', example: EXAMPLE_THREAD_ID })
  @IsText()
  thread_id: string;

  @ApiProperty({
    description: 'A real JSON boolean: false switches the agent off for good, true on.',
    example: false,
  })
  @IsFlag()
  ai_enabled: boolean;
}
