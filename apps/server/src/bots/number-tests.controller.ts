import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS } from '@app/contracts/message.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { NumberTests } from '@app/domain/bots/number-tests.service';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiParam, ApiTags } from '../http/docs/openapi.decorator';
import { wordOf } from '../http/routes/query-values';
import { NumberTestAnswer } from './number-test.answer';

@ApiTags('Admin: bots')
@Controller('api/v1/admin/bots/:id/channels/:channel/test')
export class NumberTestsController {
  constructor(private readonly tests: NumberTests) {}

  @Post()
  @HttpCode(200)
  @Access('channel.test')
  @ApiParam({ name: 'id', example: demoId('bot', 1) })
  @ApiParam({
    name: 'channel',
    schema: { type: 'string', enum: [...CHANNELS], example: 'waba_coexistence' },
  })
  @Documented({
    summary: 'Test a number without sending anything',
    description:
      'Asks the provider about the number with the stored credential: the Cloud API for the number, Gupshup for a template of the app. Nothing is sent or changed, here or there.',
    answer: NumberTestAnswer,
    security: 'AdminKey',
    errors: ['BOT_NOT_FOUND', 'VALIDATION_ERROR'],
  })
  async testNumber(
    @CurrentPrincipal() by: Principal,
    @Param('id') id: string,
    @Param('channel') channel: string,
  ) {
    return ok(await this.tests.test(by, id, wordOf('channel', channel, CHANNELS)));
  }
}
