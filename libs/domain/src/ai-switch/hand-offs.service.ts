import { setTimeout as sleep } from 'node:timers/promises';
import { ReplyPartRepository } from '@app/persistence/agent/reply-part.repository';
import { Injectable } from '@nestjs/common';

const LOOK_EVERY_MS = 2;

/** Parts of replies between their permission and their write. */
@Injectable()
export class HandOffs {
  constructor(private readonly parts: ReplyPartRepository) {}

  /**
   * Resolves when no part of the dialog stands there, on any process: some milliseconds, and a second at most, for a
   * permission not used by then is void. To be asked after the switch is committed, so that no further one is given.
   */
  async untilNone(accountId: string, threadId: string): Promise<void> {
    while (await this.parts.anyUnderWay(accountId, threadId)) await sleep(LOOK_EVERY_MS);
  }
}
