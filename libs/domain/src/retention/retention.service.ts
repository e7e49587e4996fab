import { SignInTriesRepository } from '@app/persistence/accounts/people/sign-in-tries.repository';
import { UserSessionRepository } from '@app/persistence/accounts/people/user-session.repository';
import { ReplyRepository } from '@app/persistence/agent/reply.repository';
import { AuditRepository } from '@app/persistence/audit/audit.repository';
import { DeliveryStateRepository } from '@app/persistence/messages/delivery/delivery-state.repository';
import { UnsentUploadsRepository } from '@app/persistence/messages/dialog/unsent-uploads.repository';
import { IdempotencyRepository } from '@app/persistence/messages/sending/idempotency.repository';
import { RunListRepository } from '@app/persistence/scenarios/runs/run-list.repository';
import { ImportRepository } from '@app/persistence/transfer/import.repository';
import { DeliveryListRepository } from '@app/persistence/webhooks-out/delivery-list.repository';
import { WebhookDeliveryRepository } from '@app/persistence/webhooks/webhook-delivery.repository';
import { WebhookRejectRepository } from '@app/persistence/webhooks/webhook-reject.repository';
import { Injectable, Logger } from '@nestjs/common';
import { MediaFiles } from '../media/media-files.service';
import { UnusedDialogs } from '../privacy/unused-dialogs.service';
import { WORK_TIMES } from '../work/work-times';
import { Worker, type WorkItem } from '../work/worker';

/** A statement that deletes so many rows takes far less than its time limit. */
const ROWS_AT_ONCE = 1_000;
/** For rows with bodies, each of which may have 3 MiB. */
const BODIES_AT_ONCE = 100;
/** Each may have a thousand rows of its chunks. */
const IMPORTS_AT_ONCE = 10;
/** Each is a request to the store. */
const FILES_AT_ONCE = 100;

interface Purge {
  what: string;
  atOnce: number;
  /** Deletes a bounded number of expired rows and returns how many it deleted. */
  act: (limit: number) => Promise<number>;
}

/** Deletes expired rows, so that tables do not grow without bound. */
@Injectable()
export class Retention {
  private readonly logger = new Logger(Retention.name);
  private readonly purges: readonly Purge[];

  constructor(
    keys: IdempotencyRepository,
    states: DeliveryStateRepository,
    rejects: WebhookRejectRepository,
    deliveries: WebhookDeliveryRepository,
    replies: ReplyRepository,
    runs: RunListRepository,
    audit: AuditRepository,
    uploads: UnsentUploadsRepository,
    files: MediaFiles,
    sessions: UserSessionRepository,
    tries: SignInTriesRepository,
    imports: ImportRepository,
    sent: DeliveryListRepository,
  ) {
    this.purges = [
      { what: 'idempotency keys', atOnce: ROWS_AT_ONCE, act: (limit) => keys.purge(limit) },
      { what: 'replies', atOnce: ROWS_AT_ONCE, act: (limit) => replies.purge(limit) },
      { what: 'runs of scenarios', atOnce: ROWS_AT_ONCE, act: (limit) => runs.purge(limit) },
      { what: 'states without a message', atOnce: ROWS_AT_ONCE, act: (limit) => states.purgeParked(limit) },
      { what: 'marks of webhooks', atOnce: ROWS_AT_ONCE, act: (limit) => deliveries.purgeMarks(limit) },
      { what: 'webhooks kept aside', atOnce: BODIES_AT_ONCE, act: (limit) => rejects.purge(limit) },
      { what: 'webhooks taken apart', atOnce: BODIES_AT_ONCE, act: (limit) => deliveries.purgeDone(limit) },
      { what: 'entries of the audit', atOnce: ROWS_AT_ONCE, act: (limit) => audit.purge(limit) },
      { what: 'sessions', atOnce: ROWS_AT_ONCE, act: (limit) => sessions.purge(limit) },
      { what: 'tries to sign in', atOnce: ROWS_AT_ONCE, act: (limit) => tries.purge(limit) },
      { what: 'deliveries to endpoints', atOnce: ROWS_AT_ONCE, act: (limit) => sent.purge(limit) },
      { what: 'uploads', atOnce: ROWS_AT_ONCE, act: (limit) => uploads.purge(limit) },
      { what: 'imports', atOnce: IMPORTS_AT_ONCE, act: (limit) => imports.purge(limit) },
      { what: 'files', atOnce: FILES_AT_ONCE, act: (limit) => files.removeUnneeded(limit) },
    ];
  }

  /**
   * Call it every few minutes, on any number of processes. It goes in rounds, so much of one kind of row does not hold up the
   * others. A failure of one kind is logged and does not stop the others.
   * @param stopping aborted when the process stops; the next run deletes the remainder
   */
  async run(stopping: AbortSignal): Promise<void> {
    let left = [...this.purges];
    while (left.length > 0 && !stopping.aborted) {
      const round = left;
      left = [];
      for (const purge of round) if (await this.deleteSome(purge)) left.push(purge);
    }
  }

  /** @returns whether more may be left. */
  private async deleteSome({ what, atOnce, act }: Purge): Promise<boolean> {
    try {
      // Fewer deletions than allowed do not mean that none are left: rows that another transaction has locked are skipped.
      return (await act(atOnce)) > 0;
    } catch (error) {
      this.logger.warn({ err: error }, `Old ${what} could not be deleted; it is tried again.`);
      return false;
    }
  }
}

const ROWS: WorkItem = { accountId: null, id: 'rows' };
const DIALOGS: WorkItem = { accountId: null, id: 'dialogs' };

/** The worker that deletes expired rows, and erases dialogs that are unused. Neither waits for the other. */
@Injectable()
export class RetentionWorker extends Worker {
  readonly name = 'retention';
  /** It deletes files, which another database may still name: that from which this one was restored. */
  readonly actsOutside = true;
  readonly concurrency = 2;
  readonly sweepEveryMs = WORK_TIMES.retentionMs;
  readonly finds = null;
  private readonly running = new Set<string>();

  constructor(
    private readonly retention: Retention,
    private readonly dialogs: UnusedDialogs,
  ) {
    super();
  }

  /** Each runs once at a time: else one that takes long would take the other's place at the next sweep. */
  findDue(): Promise<readonly WorkItem[]> {
    return Promise.resolve([ROWS, DIALOGS].filter(({ id }) => !this.running.has(id)));
  }

  backlog(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async run({ id }: WorkItem, stopping: AbortSignal): Promise<void> {
    this.running.add(id);
    try {
      await (id === ROWS.id ? this.retention.run(stopping) : this.dialogs.eraseDue(stopping));
    } finally {
      this.running.delete(id);
    }
  }
}
