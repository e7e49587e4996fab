import { RetentionRepository } from '@app/persistence/webhooks/retention.repository';
import { Injectable, Logger } from '@nestjs/common';
import { ErasureService } from './erasure.service';

/** A few dialogs take a second or two. A process that is killed holds the account's others up for so long. */
const LEASE_MS = 120_000;
/** The rest is left to the next round before the lease ends. */
const WITHIN_MS = 60_000;

/** Erases dialogs without activity for as long as their accounts say. Any number of processes may do so at once. */
@Injectable()
export class UnusedDialogs {
  private readonly logger = new Logger(UnusedDialogs.name);

  constructor(
    private readonly accounts: RetentionRepository,
    private readonly erasure: ErasureService,
  ) {}

  /** Erases some dialogs of one account. @returns how many of at most so many. */
  async eraseSome(limit: number): Promise<number> {
    const account = await this.accounts.claim(LEASE_MS);
    if (!account) return 0;
    const began = performance.now();
    const dialogs = await this.accounts.dialogs(account, limit);
    let erased = 0;
    try {
      for (const dialog of dialogs) {
        if (performance.now() - began > WITHIN_MS) break;
        try {
          await this.erasure.eraseDue(dialog);
          erased += 1;
        } catch (error) {
          const about = { err: error, thread_id: dialog.id };
          this.logger.warn(about, 'A dialog without activity could not be erased; it is tried again.');
        }
      }
    } finally {
      await this.accounts.release(account, dialogs.length < limit && erased === dialogs.length);
    }
    return erased;
  }
}
