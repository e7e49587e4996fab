import { setTimeout as sleep } from 'node:timers/promises';
import { formatThreadId, threadIdOrNothing } from '@app/contracts/uuid.format';
import {
  DialogInUseError,
  ErasureRepository,
  type AuditSearch,
  type ErasedFigures,
  type Erasure,
  type ErasureCall,
  type FoundDialog,
} from '@app/persistence/privacy/erasure.repository';
import {
  CustomerWebhookRepository,
  type CustomerOfAccount,
} from '@app/persistence/privacy/customer-webhook.repository';
import { longNamesOf } from '@app/persistence/audit/audit-erasure.repository';
import { Injectable } from '@nestjs/common';
import { callOf, reachOf, setterOf, type Principal } from '../accounts/principal.rules';
import { untilEarlierPermitsAreVoid } from '../accounts/void-permits';
import { SendPermits } from '../ai-switch/ai-switch.service';
import { Audit, type UnknownCaller } from '../audit/audit.service';
import { EventNotifier } from '../events/event-notifier.service';
import { ThreadNotFoundError } from '../leads/lead.errors';
import { MediaFiles } from '../media/media-files.service';
import { CustomerBodies, CustomerNames } from './customer-bodies';

/** A message on its way has its outcome within five seconds, and a webhook is taken in within far less. */
const LOOK_EVERY_MS = 100;
const LOOKS = 60;

/** The service itself, where an account has its dialogs erased after some time. */
const ITSELF: UnknownCaller = { type: null };
const BY_ITSELF: ErasureCall = { by: 'SYSTEM', actor: null, requestId: null };

export interface ErasedThread {
  thread_id: string;
  erased_at: string;
}

/** Erases customers. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly dialogs: ErasureRepository,
    private readonly webhooks: CustomerWebhookRepository,
    private readonly audit: Audit,
    private readonly files: MediaFiles,
    private readonly sendPermits: SendPermits,
    private readonly eventNotifier: EventNotifier,
  ) {}

  /**
   * Takes everything out of a dialog that tells of its customer, wherever it stands. Once it resolves, nothing more goes
   * to the customer. It may be repeated.
   * @throws ThreadNotFoundError, StoreUnavailableError when the files are deleted later
   */
  async erase(by: Principal, threadId: string): Promise<ErasedThread> {
    const found = await this.dialogs.find(reachOf(by), threadIdOrNothing(threadId));
    if (!found) throw new ThreadNotFoundError();
    const call = { by: setterOf(by), ...callOf(by) };
    const { erasedAt } = await this.eraseFound(found, by, call, null, null);
    return { thread_id: formatThreadId(found.id), erased_at: erasedAt.toISOString() };
  }

  /**
   * The same, by the service itself, of a dialog in which nothing has happened since a time.
   * @param search in which the dialog was searched for; null: the audit is searched for it alone
   * @throws DialogInUseError where something has by now, Error while something is not taken in yet: the dialog is as it was
   */
  async eraseUnused(dialog: FoundDialog, unusedSince: string, search: AuditSearch | null): Promise<void> {
    await this.eraseFound(dialog, ITSELF, BY_ITSELF, unusedSince, search);
  }

  /** Searches the audit once for dialogs of an account that are to be erased soon. It changes nothing. */
  async searchAudit(accountId: string, dialogs: readonly FoundDialog[]): Promise<AuditSearch> {
    return this.dialogs.searchAudit(accountId, dialogs);
  }

  private async eraseFound(
    dialog: FoundDialog,
    by: Principal | UnknownCaller,
    call: ErasureCall,
    unusedSince: string | null,
    search: AuditSearch | null,
  ): Promise<Erasure> {
    const customer = await this.dialogs.customerOf(dialog);
    const { needles } = customer;
    const reader = new CustomerBodies(needles);
    const isTakenIn =
      needles.length === 0 || (await this.untilTakenIn({ accountId: dialog.account_id, needles }));
    if (unusedSince !== null) {
      if (!isTakenIn) throw new Error('Something that came from its customer is not taken in yet.');
      if (!(await this.dialogs.isUnused(dialog, unusedSince))) throw new DialogInUseError();
    }
    const nameReader = new CustomerNames(longNamesOf(customer.names));
    const readers = { reader, nameReader };
    const prepared = await this.dialogs.prepare(dialog, customer, { ...readers, unusedSince, search });
    const subject = { type: 'thread', accountId: dialog.account_id, id: dialog.id, name: null };
    const describe = (after: ErasedFigures) => ({ subject, after });
    const fileLeaseMs = this.files.removeLeaseMs;
    const order = { call, ...readers, ...prepared, unusedSince, fileLeaseMs };
    for (let look = 1; ; look += 1) {
      const erasure = await this.audit.act(by, 'thread.erase', describe, (entryOf) =>
        this.dialogs.erase(dialog, { ...order, isForced: look >= LOOKS, entryOf }),
      );
      if (erasure) {
        await this.finish(dialog, erasure);
        return erasure;
      }
      if (look >= LOOKS) throw new ThreadNotFoundError();
      await sleep(LOOK_EVERY_MS);
    }
  }

  /**
   * What has come of the customer is taken in first, as far as that is possible: an opt-out in it holds, and what is for
   * another dialog reaches it. Where somebody asks for the erasure, the rest is lost with the dialog and opens none after.
   * @returns whether all was taken in
   */
  private async untilTakenIn(customer: CustomerOfAccount): Promise<boolean> {
    let due: string[] = [];
    for (let look = 1; ; look += 1) {
      // All that is due is looked through once what was found is taken in, not at each look.
      due = await this.webhooks.stillDue(customer.accountId, due);
      if (due.length === 0) due = await this.webhooks.dueOf(customer);
      if (due.length === 0) return true;
      if (look >= LOOKS) return false;
      await sleep(LOOK_EVERY_MS);
    }
  }

  private async finish(
    { account_id: accountId, id }: FoundDialog,
    { files, hadRuns }: Erasure,
  ): Promise<void> {
    this.eventNotifier.notify(accountId);
    await this.sendPermits.untilNone(accountId, id);
    if (hadRuns) await untilEarlierPermitsAreVoid();
    await this.files.remove(files);
  }
}
