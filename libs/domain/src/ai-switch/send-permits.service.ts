import { setTimeout as sleep } from 'node:timers/promises';
import { ReplyPartRepository } from '@app/persistence/agent/reply-part.repository';
import { Injectable } from '@nestjs/common';

const LOOK_EVERY_MS = 2;

/** Parts of replies between their send permit and their write. */
@Injectable()
export class SendPermits {
  constructor(private readonly parts: ReplyPartRepository) {}

  /**
   * Resolves when no process holds a send permit for the dialog. That takes some milliseconds, and a second at most,
   * because an unused permit is void then. Call it after the switch is committed, so that no further permit is
   * granted.
   */
  async untilNone(accountId: string, threadId: string): Promise<void> {
    while (await this.parts.anyUnderWay(accountId, threadId)) await sleep(LOOK_EVERY_MS);
  }
}
