import {
  RetentionRepository,
  type DueAccount,
  type DueDialog,
} from '@app/persistence/privacy/retention.repository';
import { Injectable, Logger } from '@nestjs/common';
import { DialogInUseError, type AuditSearch } from '@app/persistence/privacy/erasure.repository';
import { ErasureService } from './erasure.service';

/** A round is far shorter. A process that is killed holds up the account's others for so long. */
const LEASE_MS = 120_000;
/** No dialog of the round begins later: the next account's turn comes. */
const ROUND_MS = 5_000;
const DIALOGS_A_ROUND = 20;
const PUT_OFF_MS = 30 * 60_000;

/** Erases dialogs without activity for as long as their accounts say. Any number of processes may do so at once. */
@Injectable()
export class UnusedDialogs {
  private readonly logger = new Logger(UnusedDialogs.name);

  constructor(
    private readonly accounts: RetentionRepository,
    private readonly erasure: ErasureService,
  ) {}

  /** Erases what is due, in rounds: a few dialogs of the account that was served longest ago. */
  async eraseDue(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const account = await this.accounts.claim(LEASE_MS);
      if (!account) return;
      try {
        await this.serve(account, stopping);
      } catch (error) {
        // Its lease goes on, so the others' turns come first.
        const about = { err: error, account_id: account.account_id };
        this.logger.warn(about, 'Dialogs of an account could not be erased; it is served again later.');
      }
    }
  }

  private async serve(account: DueAccount, stopping: AbortSignal): Promise<void> {
    const dialogs = await this.accounts.dialogs(account, DIALOGS_A_ROUND);
    // Before the round's time begins: else an account with a very long audit would have none of its dialogs erased.
    const search = await this.searched(account.account_id, dialogs);
    const began = performance.now();
    const settledIds: string[] = [];
    let last: DueDialog | undefined;
    for (const dialog of dialogs) {
      if (performance.now() - began > ROUND_MS || stopping.aborted) break;
      if (await this.erase(dialog, account.inactive_before, search)) settledIds.push(dialog.id);
      last = dialog;
    }
    const isAll = dialogs.length < DIALOGS_A_ROUND && last === dialogs.at(-1);
    const doneBefore = isAll ? account.inactive_before : (last?.inactive_since ?? null);
    await this.accounts.release(account, { doneBefore, settledIds });
  }

  /** @returns null where the search failed: the audit is then searched for each dialog, so that one puts off no other. */
  private async searched(accountId: string, dialogs: readonly DueDialog[]): Promise<AuditSearch | null> {
    try {
      return await this.erasure.searchAudit(accountId, dialogs);
    } catch (error) {
      const about = { err: error, account_id: accountId };
      this.logger.warn(about, 'The audit could not be searched for several customers at once.');
      return null;
    }
  }

  /** @returns false where it is put off. One that is used again is as settled as one that is erased. */
  private async erase(dialog: DueDialog, unusedSince: string, search: AuditSearch | null): Promise<boolean> {
    try {
      await this.erasure.eraseUnused(dialog, unusedSince, search);
      return true;
    } catch (error) {
      if (error instanceof DialogInUseError) return true;
      await this.accounts.putOff(dialog, PUT_OFF_MS);
      const about = { err: error, thread_id: dialog.id };
      this.logger.warn(
        about,
        'A dialog without activity could not be erased; it is tried again in half an hour.',
      );
      return false;
    }
  }
}
