import { QuotaNoticeRepository } from '@app/persistence/messages/batches/quota-notice.repository';
import { Injectable } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';

/** It reads a row of each account, so less often than each second. */
const LOOK_EVERY_MS = 5_000;

/** Tells that an account's messages of the month run out. Sends do nothing for it. */
@Injectable()
export class QuotaNotices {
  private lookedAt = -Infinity;

  constructor(
    private readonly notices: QuotaNoticeRepository,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /** May be called more often than it looks. */
  async sweep(): Promise<void> {
    if (performance.now() - this.lookedAt < LOOK_EVERY_MS) return;
    this.lookedAt = performance.now();
    if ((await this.notices.tell()) > 0) this.eventNotifier.notify(null);
  }
}
