import { Heartbeat } from '@app/persistence/work/heartbeat';
import { Injectable } from '@nestjs/common';
import { Audit } from './audit.service';

/** The audit's entry of a hold on sending: the statement that finds out that the database went back appends it. */
@Injectable()
export class SendingHoldAudit {
  constructor(heartbeat: Heartbeat, audit: Audit) {
    heartbeat.describe = () =>
      audit.prepare('sending.held', {
        subject: { type: 'installation', accountId: null, id: null, name: null },
        after: { reason: 'database_went_back' },
      });
    heartbeat.onHeld = (entry) => audit.appended(entry);
  }
}
