import { MESSAGE_HANDLERS } from '@app/contracts/lead.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { AiSwitchService } from '@app/domain/ai-switch/ai-switch.service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { EXAMPLE_THREAD_ID, ApiProperty, ApiTags } from '../http/docs/openapi.decorator';
import { ok } from '../http/dto/envelope';

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

class SetAiAnswer {
  @ApiProperty({ example: EXAMPLE_THREAD_ID })
  thread_id: string;

  @ApiProperty({ description: 'The state after the request' })
  ai_enabled: boolean;

  @ApiProperty({ enum: MESSAGE_HANDLERS })
  message_handler: string;

  @ApiProperty({ description: 'False when the state was already so' })
  changed: boolean;

  @ApiProperty({ description: 'True when the agent took up a message that waited' })
  answered_pending_message: boolean;
}

@ApiTags('Leads')
@Controller('api/v1/leads')
export class AiSwitchController {
  constructor(private readonly switches: AiSwitchService) {}

  @Post('set-ai')
  @Access('lead.set_ai')
  @HttpCode(200)
  @Documented({
    summary: 'Switch the AI agent on or off in one dialog',
    description:
      'Off means off until it is switched on here: no timer, stage rule or move switches it on. On answers a message that waits, if it is not older than a day and the stage lets the agent answer.',
    answer: SetAiAnswer,
    security: 'ApiKey',
    errors: [
      'THREAD_NOT_FOUND',
      'THREAD_ERASED',
      'THREAD_OPTED_OUT',
      'VALIDATION_ERROR',
      'PAYLOAD_TOO_LARGE',
    ],
  })
  async setAi(@CurrentPrincipal() by: Principal, @Body() body: SetAiRequest) {
    return ok(await this.switches.setAi(by, body.thread_id, body.ai_enabled));
  }
}
