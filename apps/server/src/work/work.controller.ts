import { reachOf, type Principal } from '@app/domain/accounts/principal.rules';
import { WorkBacklogs } from '@app/domain/work/work.backlogs';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../http/openapi.decorators';
import { Access, CurrentPrincipal } from '../http/access.decorators';
import { Documented } from '../http/documented.decorator';
import { ok } from '../http/envelope';
import { WorkAnswer } from './work.answers';

@ApiTags('Admin: work')
@Controller('api/v1/admin/work')
export class WorkController {
  constructor(private readonly backlogs: WorkBacklogs) {}

  @Get()
  @Access('work.get')
  @Documented({
    summary: 'Tell how much work is due',
    description:
      'Of all accounts and all processes: replies (`replies`), messages to be sent (`send-queues`), webhooks that came ' +
      '(`inbound-webhooks`), and the deletion of old rows (`retention`), of which nothing ever waits.',
    answer: WorkAnswer,
    security: 'AdminKey',
    errors: [],
  })
  async work(@CurrentPrincipal() by: Principal) {
    reachOf(by);
    return ok({ queues: await this.backlogs.all() });
  }
}
