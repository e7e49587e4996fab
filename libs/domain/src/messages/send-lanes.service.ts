import { randomUUIDv7 } from 'node:crypto';
import type { Channel } from '@app/contracts/message.words';
import {
  LaneRepository,
  type ClaimedMessage,
  type Lane,
  type Lease,
} from '@app/persistence/messages/lane.repository';
import { OutcomeRepository } from '@app/persistence/messages/outcome.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventBell } from '../events/event-bell.service';
import { JobQueue } from '../jobs/job.queue';
import { BatchNews } from './batch.news';
import { ChannelConnections, SealedCredentialError, type OpenChannel } from './channel-connections.service';
import { LaneClaims } from './lane-claims.service';
import { LaneRun } from './lane.run';
import { dispatchedAs, MessageDispatcher, type Dispatched } from './message-dispatcher.service';
import type { OutgoingContent, SendOutcome } from './message-sender.port';
import { throughOutages } from './outage.patience';
import { SendPacers } from './send-pacers.service';
import { recipientRestMs, type Attempt } from './send-outcome.rules';
import type { SendPacer } from './send.pacer';
import { NOT_PAID, UnpaidBatches } from './unpaid-batches.service';

/** One process's time with one number. */
interface Shift {
  run: LaneRun;
  lane: Lane;
  open: OpenChannel;
  pacer: SendPacer;
  /** Batches whose account cannot pay. */
  unpaid: Set<string>;
  /** Outcomes on their way into the database. */
  keeping: Set<Promise<void>>;
}

/** A number whose requests have no place among those under way looks again so soon. */
const NO_PLACE_MS = 50;
/** Then it is looked again whether its credential opens. */
const SEALED_RESTS_MS = 60_000;
/** So long may what was claimed go on going out by a number that was disconnected, stopped or connected anew. */
const KEEP_LEASE_MS = 1_000;
/** Then the lease has run out by itself. */
const LEAVE_WITHIN_MS = 10_000;
const UNPAID: SendOutcome = {
  kind: 'refused',
  code: 'BILLING_ERROR',
  providerCode: null,
  message: NOT_PAID,
  response: null,
};
const NOT_CONNECTED = 'The number is not connected any more.';
const DEADLINE_PASSED =
  'The process that sent it ended, or was held up, before the answer came: whether it was delivered is not known.';

const keyOf = ({ accountId, botId, channel }: Lane): string => `${accountId}/${botId}/${channel}`;

/** What is queued goes out: each number's queue by one process at a time, within what the number may send. */
@Injectable()
export class SendLanes {
  private readonly logger = new Logger(SendLanes.name);
  private readonly runs = new Map<string, LaneRun>();

  constructor(
    private readonly lanes: LaneRepository,
    private readonly outcomes: OutcomeRepository,
    private readonly claims: LaneClaims,
    private readonly channels: ChannelConnections,
    private readonly dispatcher: MessageDispatcher,
    private readonly pacers: SendPacers,
    private readonly unpaidBatches: UnpaidBatches,
    private readonly news: BatchNews,
    private readonly jobs: JobQueue,
    private readonly bell: EventBell,
  ) {}

  /** Tells a worker that a number has something to send. */
  ring(lane: Lane): void {
    this.jobs.ring('send-lane', keyOf(lane), {
      account_id: lane.accountId,
      bot_id: lane.botId,
      channel: lane.channel,
    });
  }

  /** Sends what is due by a number, unless another process does. */
  async serve(ids: Readonly<Record<string, string>>, stopping: AbortSignal): Promise<void> {
    const lane = laneOf(ids);
    const running = this.runs.get(keyOf(lane));
    if (running) return running.wake();
    const token = randomUUIDv7();
    // What is stored after the last look and rung before the lease ends finds the lane taken: hence the look after it.
    do {
      const taken = await this.lanes.take(lane, token);
      if (taken === null) return;
      try {
        if (taken.pausedMs > 0 || stopping.aborted) return;
        await this.work(lane, { token, revision: taken.revision }, stopping);
      } finally {
        await throughOutages(() => this.lanes.leave(lane, token), LEAVE_WITHIN_MS);
      }
    } while (!stopping.aborted && (await this.lanes.hasDue(lane)));
  }

  /** Rings for numbers that nobody works on, and settles claims whose deadline has passed. */
  async sweep(): Promise<void> {
    if ((await this.outcomes.expireClaims(DEADLINE_PASSED)) > 0) this.bell.ring();
    for (const lane of await this.lanes.idle()) this.ring(lane);
  }

  private async work(lane: Lane, lease: Lease, stopping: AbortSignal): Promise<void> {
    let open: OpenChannel | null;
    try {
      open = await this.channels.find(lane.accountId, lane.botId, lane.channel);
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error;
      return this.rest(lane, error);
    }
    // What was changed before this look has another revision, and is looked at anew.
    if (open) await this.run(lane, open, lease, stopping);
    else await this.failUnconnected(lane, stopping);
  }

  /** Nothing is failed: whoever runs the service sets the former key again, or enters the credential anew. */
  private async rest(lane: Lane, error: SealedCredentialError): Promise<void> {
    this.logger.error(
      { err: error, bot_id: lane.botId, channel: lane.channel },
      'A number cannot send, for its credential does not open. What it has to send waits.',
    );
    await this.lanes.pause(lane, SEALED_RESTS_MS);
  }

  private async run(lane: Lane, open: OpenChannel, lease: Lease, stopping: AbortSignal): Promise<void> {
    const pacer = this.pacers.of(lane, open.messagesPerSecond);
    const keeping = new Set<Promise<void>>();
    const shift = { lane, open, pacer, unpaid: new Set<string>(), keeping };
    const run: LaneRun = new LaneRun({
      atOnceMax: open.messagesPerSecond,
      claim: (most, claim, from) => this.claims.claim(lane, lease, most, claim, from),
      putBack: (messages, claim) => this.claims.putBack(lane, messages, claim),
      turnInMs: (recipient) =>
        this.dispatcher.hasPlace(open.connection) ? pacer.turnInMs(recipient) : NO_PLACE_MS,
      recipientWaitMs: (recipient, before) => pacer.waitForRecipient(recipient, before),
      begin: (message, claim) => this.sendOne({ ...shift, run }, message, claim),
    });
    this.runs.set(keyOf(lane), run);
    const halt = (): void => run.halt();
    stopping.addEventListener('abort', halt);
    const holding = setInterval(() => void this.keepLease(run, lane, lease), KEEP_LEASE_MS);
    try {
      await run.untilEmpty();
      await Promise.all(keeping);
    } finally {
      clearInterval(holding);
      stopping.removeEventListener('abort', halt);
      this.runs.delete(keyOf(lane));
    }
  }

  /**
   * A number that was paused meanwhile, or connected otherwise, or is another process's by now, begins nothing more in
   * this run.
   */
  private async keepLease(run: LaneRun, lane: Lane, lease: Lease): Promise<void> {
    const taken = await this.lanes.take(lane, lease.token).catch(() => null);
    if (taken === null || taken.pausedMs > 0 || taken.revision !== lease.revision) run.halt();
  }

  private async send(
    { run, lane, open, pacer, unpaid, keeping }: Shift,
    message: ClaimedMessage,
    token: string,
  ): Promise<void> {
    const attempt: Attempt = {
      accountId: lane.accountId,
      id: message.id,
      threadId: message.thread_id,
      token,
      attempts: message.attempts,
      waitedMs: message.waited_ms,
      mayWait: true,
    };
    const content = message.content as unknown as OutgoingContent;
    const { batch_id: batchId } = message;
    const dispatched =
      batchId !== null && unpaid.has(batchId)
        ? dispatchedAs(attempt, UNPAID)
        : await this.dispatcher.request(open.connection, attempt, message.recipient, content);
    const { outcome } = dispatched;
    if (outcome.kind === 'throttled') {
      if (outcome.scope === 'number') run.halt();
      else pacer.pauseRecipient(message.recipient, recipientRestMs(attempt, outcome));
    }
    const kept = this.keep(lane, message, dispatched).finally(() => keeping.delete(kept));
    keeping.add(kept);
    if (outcome.kind !== 'refused' || outcome.code !== 'BILLING_ERROR' || batchId === null) return;
    // Of eighty in flight each may say so.
    if (unpaid.has(batchId)) return;
    unpaid.add(batchId);
    // What is claimed already fails on its way; this is for the rest.
    await this.unpaidBatches.stop(lane.accountId, batchId);
  }

  /** A fault of ours with one message ends no lane: its claim's deadline settles the message. */
  private async sendOne(...given: Parameters<SendLanes['send']>): Promise<void> {
    try {
      await this.send(...given);
    } catch (error) {
      this.logger.error({ err: error, message_id: given[1].id }, 'A message could not be sent as it should.');
    }
  }

  /** Not waited for: the number's next request does not wait for the database. */
  private async keep(lane: Lane, message: ClaimedMessage, dispatched: Dispatched): Promise<void> {
    try {
      await this.dispatcher.keep(lane, dispatched);
      if (message.batch_id !== null) this.news.tell(message.batch_id);
    } catch (error) {
      this.logger.error(
        { err: error, message_id: message.id },
        'What became of a message could not be kept.',
      );
    }
  }

  /** As many at once as one statement can; each looks by itself whether the number is connected again. */
  private async failUnconnected(lane: Lane, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.outcomes.failLane(lane, NOT_CONNECTED)) > 0) this.bell.ring();
  }
}

function laneOf(ids: Readonly<Record<string, string>>): Lane {
  const { account_id: accountId = '', bot_id: botId = '', channel } = ids;
  return { accountId, botId, channel: channel as Channel };
}
