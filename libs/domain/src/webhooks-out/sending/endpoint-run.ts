import { setTimeout as sleep } from 'node:timers/promises';
import { asSpanOf } from '@app/contracts/trace-recorder';
import type {
  DueDelivery,
  EndpointQueueRepository,
  HeldEndpoint,
  HeldRow,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';
import type {
  LoggedEvent,
  LoggedEventRepository,
} from '@app/persistence/webhooks-out/logged-event.repository';
import { HOLDER_MS } from '../../accounts/void-permits';
import { ElapsedTime } from '../../messages/dispatch/elapsed-time';
import { spanOfWork } from '../../work/worker';
import { isGone, type SentAttempt, DeliveryPace, EndpointHealth } from './delivery-outcome';
import { EndpointRequests, EndpointSender, type EndpointSenderParts } from './endpoint-sender';
import { SEALED } from '../endpoints/endpoint-secrets';
import { LogReading } from './log-reading';

/** An endpoint is held for so long after its last event, so that the next one finds it ready. */
const LINGER_MS = 1_000;
/** The longest pause of a run that has nothing to do. */
const PAUSE_MS = 1_000;
/** Renewals within one lease. */
const RENEWALS = 3;
/** Whether an endpoint is to be disabled is asked from so many failures in a row on: it takes three events that failed. */
const FAILURES_UNTIL_ASKED = 3;
/** From one look at the log to the next. */
const LOOK_EVERY_MS = 10;
/** After a statement that failed, while the lease lasts. */
const AGAIN_MS = 200;
const FAILED = 'A statement for an endpoint failed; what is under way there goes on while its lease lasts.';
/** What is under way when the process stops may be answered for so long; then it is broken off, and sent again. */
const FAREWELL_MS = 1_000;

export interface EndpointRunParts extends EndpointSenderParts {
  queues: EndpointQueueRepository;
  events: LoggedEventRepository;
  /** Called when the answers at an address say that the endpoint is to be disabled. Returns whether it is now. */
  disable: (held: HeldEndpoint, url: string, reason: 'gone' | 'failing') => Promise<boolean>;
}

/** Sends the events of one endpoint while this process holds it. Whatever writes its deliveries is done one after the other. */
export class EndpointRun {
  /** Whether it gives the endpoint back as soon as nothing is under way. */
  isLeaving = false;
  private readonly began = performance.now();
  private readonly requests = new EndpointRequests(() => this.wake());
  private readonly pace = new DeliveryPace();
  private readonly health: EndpointHealth;
  private readonly sender: EndpointSender;
  private readonly log: LogReading;
  /** Whether it was notified since it last looked. */
  hasNews = true;
  private wake: () => void = () => undefined;
  private renewAt: number;
  private leaseUntil: number;
  private failingSince: number | null = null;
  private lookAt = -Infinity;
  private busyAt = performance.now();
  private over: 'lost' | 'gone' | 'failing' | null = null;

  constructor(
    private readonly parts: EndpointRunParts,
    private readonly held: HeldEndpoint,
    private endpoint: HeldRow,
    private readonly leaseMs: number,
  ) {
    this.sender = new EndpointSender(parts, endpoint);
    this.log = new LogReading(parts.queues, held, endpoint.seq);
    this.health = new EndpointHealth(endpoint.failures);
    this.renewAt = performance.now() + leaseMs / RENEWALS;
    this.leaseUntil = performance.now() + leaseMs;
    if (this.sender.isSealed) parts.logger.warn({ endpoint_id: held.endpointId }, SEALED.error);
  }

  get servedMs(): number {
    return performance.now() - this.began;
  }

  /** The log may have something new, or an admin has changed something. */
  notify(): void {
    this.hasNews = true;
    this.wake();
  }

  /** Begins nothing more, and gives the endpoint back once nothing is under way: others wait to be served. */
  leave(): void {
    this.isLeaving = true;
    this.wake();
  }

  /** Serves the endpoint until nothing is due there soon, it is held by somebody else, or the process stops. */
  async serve(stopping: AbortSignal): Promise<void> {
    const stop = (): void => this.wake();
    stopping.addEventListener('abort', stop);
    try {
      while (!stopping.aborted && this.over === null) {
        const pauseMs = await this.roundOrPause();
        if (pauseMs === null) break;
        await this.pause(pauseMs);
      }
    } finally {
      stopping.removeEventListener('abort', stop);
      await this.end(stopping);
    }
  }

  /**
   * A statement may fail: the database is away for a moment, or a row is locked for long. What is under way goes on while the
   * lease lasts, and for as long as a lease does where the statement fails time and again.
   */
  private async roundOrPause(): Promise<number | null> {
    try {
      const pauseMs = await this.round();
      this.failingSince = null;
      return pauseMs;
    } catch (error) {
      const now = performance.now();
      if (this.failingSince === null)
        this.parts.logger.warn({ err: error, endpoint_id: this.held.endpointId }, FAILED);
      this.failingSince ??= now;
      if (now + AGAIN_MS >= Math.min(this.leaseUntil, this.failingSince + this.leaseMs)) {
        this.over = 'lost';
        throw error;
      }
      this.hasNews = true;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      return 0;
    }
  }

  /** @returns how long nothing is to be done, in milliseconds; null: the endpoint need not be held any more */
  private async round(): Promise<number | null> {
    if (performance.now() >= this.renewAt) await this.renew();
    await this.settle();
    if (this.over !== null) return 0;
    const pauses = [PAUSE_MS, Math.max(0, this.renewAt - performance.now())];
    if (this.isLeaving) return this.isQuiet ? null : Math.min(...pauses);
    await this.look();
    const dueInMs = await this.sendDue();
    if (!this.isQuiet) this.busyAt = performance.now();
    const lingersMs = this.busyAt + LINGER_MS - performance.now();
    const isSpared = this.health.pausedMs > 0;
    const isIdle = this.isQuiet && !isSpared && this.log.isDone && (dueInMs === null || dueInMs > LINGER_MS);
    if (isIdle && lingersMs <= 0 && !this.hasNews) return null;
    if (dueInMs !== null) pauses.push(dueInMs);
    if (!this.log.isDone) pauses.push(this.log.wholeLookInMs);
    if (this.hasNews) pauses.push(this.lookInMs);
    if (isIdle) pauses.push(Math.max(0, lingersMs));
    return Math.min(...pauses);
  }

  /** Whether no request is under way, and none has ended that is not written down. */
  private get isQuiet(): boolean {
    return this.requests.count === 0 && !this.requests.haveEnded;
  }

  private get lookInMs(): number {
    return Math.max(0, this.lookAt - performance.now());
  }

  private async look(): Promise<void> {
    const isDue = this.hasNews ? this.lookInMs === 0 : !this.log.isDone && this.log.wholeLookInMs === 0;
    if (!isDue) return;
    this.hasNews = false;
    this.lookAt = performance.now() + LOOK_EVERY_MS;
    await this.log.look();
    if (this.log.isBehind) this.hasNews = true;
  }

  private async pause(ms: number): Promise<void> {
    if (ms <= 0 || this.requests.haveEnded || (this.hasNews && this.lookInMs === 0)) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => undefined;
  }

  private async renew(): Promise<void> {
    const began = performance.now();
    const endpoint = await this.parts.queues.renew(this.held, this.leaseMs);
    this.renewAt = performance.now() + this.leaseMs / RENEWALS;
    this.leaseUntil = began + this.leaseMs;
    if (endpoint === null) {
      this.over = 'lost';
      return;
    }
    this.endpoint = endpoint;
    this.health.take(endpoint.failures);
    this.sender.take(endpoint);
  }

  /** Begins what is due and may be sent. @returns in how many milliseconds more may be; null: nothing is pending */
  private async sendDue(): Promise<number | null> {
    const room = this.sender.isSealed ? 0 : this.room();
    if (room === 0 && !this.sender.isSealed) return this.roomInMs();
    // What is begun below was allowed then: whoever changes the endpoint waits until this is too long ago.
    const permit = new ElapsedTime();
    const next = await this.parts.queues.nextDeliveries(this.held, this.requests.begun, room);
    if (next === null) this.over = 'lost';
    else if (next.revision !== this.endpoint.sending_revision) await this.renew();
    if (next === null || this.over !== null) return 0;
    if (next.due.length === 0)
      return next.inMs === null || !this.sender.isSealed ? next.inMs : Math.max(PAUSE_MS, next.inMs);
    const told = await this.told(next.due);
    if (this.sender.isSealed || permit.milliseconds > HOLDER_MS) return 0;
    for (const delivery of next.due.slice(0, this.room())) this.begin(delivery, told.get(delivery.seq));
    return this.room() === 0 ? this.roomInMs() : 0;
  }

  /** How many requests may begin now. */
  private room(): number {
    if (this.health.pausedMs > 0) return 0;
    const free = this.health.atOnce - this.requests.count;
    return Math.max(0, Math.min(free, this.pace.room(this.endpoint.max_per_second)));
  }

  /** Where none may begin now, in how many milliseconds one may. The end of a request wakes the run besides. */
  private roomInMs(): number {
    if (this.requests.count >= this.health.atOnce) return PAUSE_MS;
    return Math.max(this.health.pausedMs, this.pace.waitMs(this.endpoint.max_per_second));
  }

  private async told(due: readonly DueDelivery[]): Promise<Map<number, LoggedEvent>> {
    const seqs = due.map(({ seq }) => seq);
    const events = await this.parts.events.find(this.held.accountId, seqs);
    return new Map(events.map((event) => [event.seq, event]));
  }

  private begin(delivery: DueDelivery, event: LoggedEvent | undefined): void {
    this.pace.take();
    const attempt = asSpanOf(
      null,
      () => spanOfWork('webhooks-out', this.held.accountId),
      () => this.sender.attempt(delivery, event),
    );
    this.requests.begin(delivery, attempt);
  }

  /** Writes what came of attempts, and decides what follows for the endpoint. */
  private async settle(): Promise<void> {
    const attempts = this.requests.takeEnded();
    if (attempts.length === 0) return;
    const failures = this.health.failuresAfter(attempts);
    try {
      await this.parts.queues.settle(this.held, attempts, failures);
    } catch (error) {
      this.requests.giveBack(attempts);
      throw error;
    }
    this.requests.settled(attempts);
    this.health.settle(failures);
    if (this.over === null) await this.judge(attempts, failures);
  }

  /** Has the endpoint disabled where its answers say so. */
  private async judge(attempts: readonly SentAttempt[], failures: number): Promise<void> {
    const gone = attempts.find(({ attempt }) => isGone(attempt));
    if (gone) await this.disable(gone.url, 'gone');
    else if (failures >= FAILURES_UNTIL_ASKED && (await this.parts.queues.hasFailedForDays(this.held)))
      await this.disable(this.endpoint.url, 'failing');
  }

  private async disable(url: string, reason: 'gone' | 'failing'): Promise<void> {
    if (await this.parts.disable(this.held, url, reason)) this.over = reason;
    // It has another address since, or an admin was quicker.
    else this.renewAt = -Infinity;
  }

  /** A process that stops breaks off what is under way: it is due again, and the receiver knows it by its id. */
  private async end(stopping: AbortSignal): Promise<void> {
    if (stopping.aborted)
      await Promise.race([this.requests.over(), sleep(FAREWELL_MS, undefined, { ref: false })]);
    if (stopping.aborted || this.over !== null) this.sender.abort();
    await this.requests.over();
    this.sender.close();
    await this.settle();
    if (this.over === null) await this.parts.queues.release(this.held);
  }
}
