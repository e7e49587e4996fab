import { demoId } from '@app/contracts/demo.ids';
import type { Principal } from '@app/domain/accounts/principal.rules';
import { ErasureService } from '@app/domain/privacy/erasure.service';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Access, CurrentPrincipal } from '../http/access.decorators';
import { Documented } from '../http/documented.decorator';
import { ok } from '../http/envelope';
import { ApiBody, ApiParam, ApiTags } from '../http/openapi.decorators';
import { ErasedThreadAnswer } from './privacy.answers';

const ID = { name: 'id', example: `thread_${demoId('thread', 1)}` };

@ApiTags('Admin: privacy')
@Controller('api/v1/admin/threads')
export class PrivacyController {
  constructor(private readonly erasure: ErasureService) {}

  @Post(':id/erase')
  @Access('thread.erase')
  @HttpCode(200)
  @ApiParam(ID)
  @ApiBody({ schema: { type: 'object' }, examples: { 'the customer asked for it': { value: {} } } })
  @Documented({
    summary: 'Erase a customer',
    description:
      'Texts, names, phones and files of the dialog are gone from every table and from the store, bodies of webhooks included. What stays is the skeleton for figures: stages, times, counts. It cannot be undone, and may be repeated. A later message of the customer opens another dialog. By a session it needs the password again.',
    answer: ErasedThreadAnswer,
    security: 'AdminKey',
    errors: ['THREAD_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })
  async erase(@CurrentPrincipal() by: Principal, @Param('id') id: string) {
    return ok(await this.erasure.erase(by, id));
  }
}
