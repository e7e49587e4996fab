import { demoId } from '@app/contracts/demo-ids';
import { CHANNELS } from '@app/contracts/message.words';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { NumberTests } from '@app/domain/bots/number-tests.service';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { ApiParam, ApiTags, ApiProperty, ApiPropertyOptional } from '../http/docs/openapi.decorator';
import { wordOf } from '../http/routes/query-values';

class NumberTestAnswer {
  @ApiProperty({ description: 'Whether the provider accepts the credential and has the number' })
  ok: boolean;

  @ApiProperty({ format: 'date-time' })
  checked_at: string;

  @ApiPropertyOptional({
    description: 'The phone, where the provider names it; Gupshup does not',
    example: '+77270000000',
  })
  number?: string;

  @ApiPropertyOptional({
    description: 'Why it does not work',
    example: 'WhatsApp does not accept the token.',
  })
  problem?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: "The provider's own words, where it refused: its JSON, or its text; null where it gave none",
  })
  provider_response?: unknown;
}

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
