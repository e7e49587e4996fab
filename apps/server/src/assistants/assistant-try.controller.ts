import { demoId } from '@app/contracts/demo-ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { ReplyTrials } from '@app/domain/agent/reply-trials.service';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiBody, ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { TriedReplyAnswer } from './assistant-try.answer';
import { TRY_ASSISTANT_EXAMPLES } from './assistant-examples';
import { roleOf, TryAssistantRequest } from './assistant-try.request';

@ApiTags('Admin: agents')
@Controller('api/v1/admin/assistants')
export class AssistantTryController {
  constructor(private readonly trials: ReplyTrials) {}

  @Post(':id/try')
  @Access('assistant.try')
  @HttpCode(200)
  @ApiParam({ name: 'id', example: demoId('assistant', 1) })
  @ApiBody({ type: TryAssistantRequest, examples: TRY_ASSISTANT_EXAMPLES })
  @Documented({
    summary: 'Try an agent out',
    description:
      'What it would answer in this dialog, of a lead without a stage. The model is asked with the instructions, limits and tools as they are now. Nothing is written and nothing is sent: the tools that it calls are shown and not executed. It takes as long as the model, up to a minute.',
    answer: TriedReplyAnswer,
    security: 'AdminKey',
    errors: ['ASSISTANT_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE', 'MODEL_ERROR'],
  })
  async tryAssistant(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Body() { messages }: TryAssistantRequest,
  ) {
    const said = messages.map(({ role, text }) => ({ role: roleOf(role), text }));
    return ok(await this.trials.play(by, id, said));
  }
}
