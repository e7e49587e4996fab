import { reachOf, type Principal } from '@app/domain/accounts/principal.rules';
import { SendingHold } from '@app/domain/work/sending-hold.service';
import { WorkBacklogs } from '@app/domain/work/work-counts';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '../http/docs/openapi.decorator';
import { Access, CurrentPrincipal } from '../http/auth/access.decorator';
import { Documented } from '../http/docs/documented.decorator';
import { ok } from '../http/dto/envelope';
import { WorkAnswer } from './work.answer';

@ApiTags('Admin: work')
@Controller('api/v1/admin/work')
export class WorkController {
  constructor(
    private readonly backlogs: WorkBacklogs,
    private readonly hold: SendingHold,
  ) {}

  @Get()
  @Access('work.get')
  @Documented({
    summary: 'Tell how much work is due',
    description:
      'On all processes, of all accounts by an admin key, of the own account by a session: replies (`replies`), messages to be sent (`send-queues`), webhooks that came ' +
      '(`inbound-webhooks`; of which account one is shows only when it is read, so by a session only failed ones count), files to be fetched (`media`), audio to be transcribed (`transcripts`), dialogs with runs of scenarios (`scenarios`), leads to be moved from archived stages (`archived-stages`), what searches (`thread-search`) and figures (`figures`) do not have yet, files of leads that are imported (`imports`), endpoints that have events to get (`webhooks-out`), and the deletion of old rows (`retention`), of which nothing ever waits.',
    answer: WorkAnswer,
    security: 'AdminKey',
    errors: [],
  })
  async work(@CurrentPrincipal() by: Principal) {
    const queues = await this.backlogs.of(reachOf(by).accountId);
    return ok({ queues, sending_held_since: this.hold.since });
  }
}
