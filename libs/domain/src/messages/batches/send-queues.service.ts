import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import {
  SendQueueRepository,
  type Lease,
  type SendQueueKey,
} from '@app/persistence/messages/batches/send-queue.repository';
import { OutcomeRepository } from '@app/persistence/messages/delivery/outcome.repository';
import { asSpanOf } from '@app/contracts/trace-recorder';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { LeaseRenewal } from '../../work/lease-renewal';
import { SendingHold } from '../../work/sending-hold.service';
import { WorkNotifier } from '../../work/work-notifier';
import { BEGIN_WITHIN_MS, WORK_TIMES } from '../../work/work-times';
import { spanOfWork, type WorkItem } from '../../work/worker';
import { BatchClosing, BatchNotifier, NOT_PAID, UnpaidBatches } from './batch-progress.service';
import { BotTroubles } from '../delivery/bot-troubles.service';
import {
  ChannelConnections,
  SealedCredentialError,
  type OpenChannel,
} from '../sending/channel-connections.service';
import { dispatchedAs, MessageDispatcher, type Dispatched } from '../dispatch/message-dispatcher.service';
import type { OutgoingContent, SendOutcome } from '../dispatch/message-sender.port';
import { retryThroughOutages } from '../dispatch/outage-retry';
import type { Attempt } from '../dispatch/send-outcome.rules';
import { SendQueueClaims } from './send-queue-claims.service';
import { SendQueueRun } from './send-queue-run';
import type { ClaimedMessage } from './send-queue-work';
import { TimedSendPermit } from '../dispatch/elapsed-time';

/** The state of one process's work on one number's queue. */
interface Sending {
  run: SendQueueRun;
  queue: SendQueueKey;
  open: OpenChannel;
  /** Batches of which something was sent. */
  batches: Set<string>;
  /** Batches whose account cannot pay. */
  unpaid: Set<string>;
  /** Outcomes that are being stored. */
  keeping: Set<Promise<void>>;
}

/** After this time the credential is tried again. */
const SEALED_PAUSE_MS = 60_000;
/**
 * How long claimed messages may still be sent by a number that was disconnected, stopped or connected differently.
 */
const KEEP_LEASE_MS = 1_000;
/** By then the lease has run out. */
const LEAVE_WITHIN_MS = 10_000;
const UNPAID: SendOutcome = {
  kind: 'refused',
  code: 'BILLING_ERROR',
  providerCode: null,
  message: NOT_PAID,
  response: null,
};
const SEALED = "The channel's credential cannot be opened any more: connect the channel again.";
const NOT_CONNECTED = 'The number is not connected any more.';
const DEADLINE_PASSED =
  'The process that sent it ended, or was held up, before the answer came: whether it was delivered is not known.';

const keyOf = ({ accountId, botId, channel }: SendQueueKey): string => `${accountId}/${botId}/${channel}`;

/** Sends queued messages: one process at a time serves a number's queue, at the number's pace. */
@Injectable()
export class SendQueues {
  private readonly logger = new Logger(SendQueues.name);
  private readonly runs = new Map<string, SendQueueRun>();

  constructor(
    private readonly queues: SendQueueRepository,
    private readonly outcomes: OutcomeRepository,
    private readonly claims: SendQueueClaims,
    private readonly channels: ChannelConnections,
    private readonly dispatcher: MessageDispatcher,
    private readonly unpaidBatches: UnpaidBatches,
    private readonly batchNotifier: BatchNotifier,
    private readonly batches: BatchClosing,
    private readonly troubles: BotTroubles,
    private readonly notifier: WorkNotifier,
    private readonly eventNotifier: EventNotifier,
    private readonly hold: SendingHold,
  ) {}

  /** Notifies a worker that a number has messages to send. */
  notify(queue: SendQueueKey): void {
    this.notifier.notify('send-queues', itemOf(queue));
  }

  /** Sends the due messages of a number, unless another process does. */
  async serve(item: WorkItem, stopping: AbortSignal): Promise<void> {
    const queue = queueOf(item);
    const running = this.runs.get(keyOf(queue));
    if (running) return running.wake();
    const token = randomUUIDv7();
    // A message stored after the last read, and notified before the lease ends, finds the queue taken. The read after
    // it finds the message.
    do {
      const taken = await this.queues.take(queue, token, WORK_TIMES.leaseMs);
      if (taken === null) return;
      try {
        if (taken.pausedMs > 0 || stopping.aborted) return;
        await this.work(queue, { token, revision: taken.revision }, stopping);
      } finally {
        await retryThroughOutages(() => this.queues.leave(queue, token), LEAVE_WITHIN_MS);
      }
    } while (!stopping.aborted && !this.hold.mayBeHeld && (await this.queues.hasDue(queue)));
  }

  /** Settles claims whose deadline has passed. The next call takes those whose threads are locked. */
  async expireClaims(): Promise<void> {
    const expired = await this.outcomes.expireClaims(DEADLINE_PASSED);
    this.dispatcher.outcomesKept.unknown += expired;
    if (expired > 0) this.eventNotifier.notify(null);
  }

  /** Finds numbers with messages to send and no worker. */
  async findDue(): Promise<WorkItem[]> {
    return (await this.queues.idle()).map(itemOf);
  }

  private async work(queue: SendQueueKey, lease: Lease, stopping: AbortSignal): Promise<void> {
    let open: OpenChannel | null;
    try {
      open = await this.channels.findForWork(queue.accountId, queue.botId, queue.channel);
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error;
      return this.pauseSealed(queue, error);
    }
    // A change before this read has another revision, so the connection is read again.
    if (open) await this.run(queue, open, lease, stopping);
    else await this.failUnconnected(queue, stopping);
  }

  /** Nothing fails: an operator sets the former key again, or enters the credential again. */
  private async pauseSealed(queue: SendQueueKey, error: SealedCredentialError): Promise<void> {
    this.logger.error(
      { err: error, bot_id: queue.botId, channel: queue.channel },
      'A number cannot send, for its credential does not open. What it has to send waits.',
    );
    await this.troubles.begin(queue, { code: 'CREDENTIAL', message: SEALED });
    await this.queues.pause(queue, SEALED_PAUSE_MS);
  }

  private async run(
    queue: SendQueueKey,
    open: OpenChannel,
    lease: Lease,
    stopping: AbortSignal,
  ): Promise<void> {
    const keeping = new Set<Promise<void>>();
    const sending = { queue, open, batches: new Set<string>(), unpaid: new Set<string>(), keeping };
    const run: SendQueueRun = new SendQueueRun({
      perSecond: open.messagesPerSecond,
      lookAhead: (most, from) => this.queues.lookAhead(queue, most, from),
      claim: async (ids, token) => (this.hold.mayBeHeld ? [] : this.claims.claim(queue, lease, ids, token)),
      putBack: (ids, token) => this.claims.putBack(queue, ids, token),
      postpone: (messages) => this.claims.postpone(queue, messages),
      hasSlot: () => this.dispatcher.hasSlot(open),
      waitMs: (recipient) => this.dispatcher.waitMs(open, recipient),
      takeTime: (recipient) => this.dispatcher.takeTime(open, recipient),
      recipientWaitMs: (recipient, before) => this.dispatcher.recipientWaitMs(open, recipient, before),
      begin: (message, onWritten) => this.sendOne({ ...sending, run }, message, onWritten),
    });
    this.runs.set(keyOf(queue), run);
    const halt = (): void => run.halt();
    stopping.addEventListener('abort', halt);
    // The process may have begun to stop while the number's connection was read.
    if (stopping.aborted) run.halt();
    await using _ = new LeaseRenewal(
      KEEP_LEASE_MS,
      () => this.renew(queue, lease),
      () => run.halt(),
    );
    try {
      await run.untilEmpty();
    } finally {
      // A pause that the provider asked for is stored before another process may take the queue.
      await Promise.allSettled(keeping);
      stopping.removeEventListener('abort', halt);
      this.runs.delete(keyOf(queue));
      await this.lookAtBatches(queue, [...sending.batches]);
    }
  }

  /** An error delays what the sweep finds, and nothing else. */
  private async lookAtBatches({ accountId }: SendQueueKey, batchIds: readonly string[]): Promise<void> {
    try {
      await this.batches.look(accountId, batchIds);
    } catch (error) {
      this.logger.warn({ err: error }, 'Lists could not be looked at after their messages were sent.');
    }
  }

  /**
   * This run begins nothing more for a number that was paused meanwhile, was connected differently, or belongs to
   * another process now.
   */
  private async renew(queue: SendQueueKey, lease: Lease): Promise<boolean> {
    // When it cannot be read, each claim checks again.
    const taken = await this.queues.take(queue, lease.token, WORK_TIMES.leaseMs).catch(() => null);
    return taken !== null && taken.pausedMs === 0 && taken.revision === lease.revision;
  }

  private async send(
    { run, queue, open, batches, unpaid, keeping }: Sending,
    message: ClaimedMessage,
    onWritten: () => void,
  ): Promise<void> {
    const attempt: Attempt = {
      accountId: queue.accountId,
      id: message.id,
      token: message.token,
      attempts: message.attempts,
      waitedMs: message.waited_ms,
      mayWait: true,
    };
    const content = message.content as unknown as OutgoingContent;
    const permit = new TimedSendPermit(message.claimed, BEGIN_WITHIN_MS, onWritten);
    const { batch_id: batchId } = message;
    if (batchId !== null) batches.add(batchId);
    const dispatched =
      batchId !== null && unpaid.has(batchId)
        ? dispatchedAs(attempt, UNPAID)
        : await this.dispatcher.request(open, attempt, { recipient: message.recipient, content, permit });
    const { outcome } = dispatched;
    if (outcome.kind === 'throttled' && outcome.scope === 'number') run.halt();
    const kept = this.keep(queue, message, dispatched).finally(() => keeping.delete(kept));
    keeping.add(kept);
    if (outcome.kind !== 'refused' || outcome.code !== 'BILLING_ERROR' || batchId === null) return;
    // Each of eighty requests in flight may report it.
    if (unpaid.has(batchId)) return;
    unpaid.add(batchId);
    // Claimed messages already fail on their way. This is for all others.
    await this.unpaidBatches.stop(queue.accountId, batchId);
  }

  /** An internal error with one message does not end the queue. The claim's deadline settles the message. */
  private async sendOne(...given: Parameters<SendQueues['send']>): Promise<void> {
    const [{ queue }, { trace }] = given;
    try {
      await asSpanOf(
        trace,
        () => spanOfWork('send-queues', queue.accountId),
        () => this.send(...given),
      );
    } catch (error) {
      this.logger.error({ err: error, message_id: given[1].id }, 'A message could not be sent as it should.');
    }
  }

  /** Not awaited: the number's next request does not wait for the database. */
  private async keep(queue: SendQueueKey, message: ClaimedMessage, dispatched: Dispatched): Promise<void> {
    try {
      await this.dispatcher.keep(queue, dispatched);
      if (message.batch_id !== null) this.batchNotifier.notify(message.batch_id);
    } catch (error) {
      this.logger.error(
        { err: error, message_id: message.id },
        'What became of a message could not be kept.',
      );
    }
  }

  /** As many at once as one statement can. Each statement checks again whether the number is connected. */
  private async failUnconnected(queue: SendQueueKey, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.outcomes.failQueued(queue, NOT_CONNECTED)) > 0)
      this.eventNotifier.notify(queue.accountId);
  }
}

const itemOf = ({ accountId, botId, channel }: SendQueueKey): WorkItem => ({
  accountId,
  id: `${botId}/${channel}`,
});

function queueOf({ accountId, id }: WorkItem): SendQueueKey {
  const [botId = '', channel = ''] = id.split('/');
  return { accountId: accountId ?? '', botId, channel: channel as Channel };
}
