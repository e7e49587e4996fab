import type {
  DueDelivery,
  EndpointQueueRepository,
  HeldEndpoint,
  HeldRow,
  SettledAttempt,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';
import type { ToldEvent, ToldEventRepository } from '@app/persistence/webhooks-out/told-event.repository';
import type { SecretCipher } from '../accounts/secret-cipher.port';
import { DeliveryPace } from './delivery.pace';
import { outcomeOf } from './delivery.outcome';
import { openSecrets } from './endpoint.secrets';
import { LogReading } from './log.reading';
import { FAILURES_UNTIL_PROBED, probeInMs } from './retry.schedule';
import { testBody, webhookBody } from './webhook.body';
import type { WebhookConnections, WebhookOutcome, WebhookSender } from './webhook-sender.port';
import { webhookHeaders } from './webhook.signature';

/** Requests to one endpoint at a time. */
const IN_FLIGHT_MAX = 10;
/** An endpoint is held for so long after its last event, so that the next one finds it ready. */
const LINGER_MS = 1_000;
/** The longest pause of a run that has nothing to do: so long a change of the endpoint may take to be seen. */
const PAUSE_MS = 1_000;
/** Renewals within one lease. */
const RENEWALS = 3;

/** So many failures there are at least where three events have failed. */
const FAILURES_TOLD = 3;
/** From one look at the log to the next. */
const LOOK_EVERY_MS = 10;

export interface EndpointRunParts {
  /** A fault of ours, for the log. */
  report: (error: unknown, deliveryId: string) => void;
  queues: EndpointQueueRepository;
  events: ToldEventRepository;
  sender: WebhookSender;
  cipher: SecretCipher;
  /** Called when the endpoint's answers say that it is to be disabled. */
  disable: (held: HeldEndpoint, reason: 'gone' | 'failing') => Promise<void>;
}

/** Sends the events of one endpoint while this process holds it. Whatever writes its deliveries is done one after the other. */
export class EndpointRun {
  private readonly sending = new Map<string, Promise<void>>();
  private readonly attempts: SettledAttempt[] = [];
  /** Deliveries that are being sent, or whose attempt is not written yet, with their dialogs: for the database they are due. */
  private readonly unsettled = new Map<string, string>();
  private readonly pace = new DeliveryPace();
  private readonly aborts = new AbortController();
  private readonly connections: WebhookConnections;
  private readonly log: LogReading;
  private secrets: readonly string[] = [];
  private failures: number;
  /** Nothing is sent before it. */
  private pausedUntil = 0;
  private hasNews = true;
  private wake: () => void = () => undefined;
  private renewAt: number;
  private lookAt = -Infinity;
  /** How far the database's clock is before this process's, in milliseconds. */
  private clockAheadMs = 0;
  private busyAt = performance.now();
  private over: 'lost' | 'gone' | 'failing' | null = null;

  constructor(
    private readonly parts: EndpointRunParts,
    private readonly held: HeldEndpoint,
    private endpoint: HeldRow,
    private readonly leaseMs: number,
  ) {
    this.connections = parts.sender.open();
    this.log = new LogReading(parts.queues, held, endpoint.seq);
    this.failures = endpoint.failures;
    this.renewAt = performance.now() + leaseMs / RENEWALS;
    this.take(endpoint);
  }

  /** The log may have something new, or an admin has changed something. */
  notify(): void {
    this.hasNews = true;
    this.wake();
  }

  /** Serves the endpoint until nothing is due there soon, it is held by somebody else, or the process stops. */
  async serve(stopping: AbortSignal): Promise<void> {
    const stop = (): void => this.wake();
    stopping.addEventListener('abort', stop);
    try {
      while (!stopping.aborted && this.over === null) {
        const pauseMs = await this.round();
        if (pauseMs === null) break;
        await this.pause(pauseMs);
      }
    } finally {
      stopping.removeEventListener('abort', stop);
      await this.end(stopping);
    }
  }

  /** @returns how long nothing is to be done, in milliseconds; null: the endpoint need not be held any more */
  private async round(): Promise<number | null> {
    if (performance.now() >= this.renewAt) await this.renew();
    await this.settle();
    if (this.over !== null) return 0;
    if ((this.hasNews && this.lookInMs === 0) || (!this.log.isDone && this.log.wholeLookInMs === 0)) {
      this.hasNews = false;
      this.lookAt = performance.now() + LOOK_EVERY_MS;
      await this.log.look();
    }
    const dueInMs = await this.sendDue();
    if (this.sending.size > 0 || this.attempts.length > 0) this.busyAt = performance.now();
    const lingersMs = this.busyAt + LINGER_MS - performance.now();
    const isIdle = this.sending.size === 0 && this.log.isDone && (dueInMs === null || dueInMs > LINGER_MS);
    if (isIdle && lingersMs <= 0 && !this.hasNews) return null;
    const pauses = [PAUSE_MS, Math.max(0, this.renewAt - performance.now())];
    if (dueInMs !== null) pauses.push(dueInMs);
    if (!this.log.isDone) pauses.push(this.log.wholeLookInMs);
    if (this.hasNews) pauses.push(this.lookInMs);
    if (isIdle) pauses.push(Math.max(0, lingersMs));
    return Math.min(...pauses);
  }

  private get lookInMs(): number {
    return Math.max(0, this.lookAt - performance.now());
  }

  private async pause(ms: number): Promise<void> {
    if (ms <= 0 || this.attempts.length > 0 || (this.hasNews && this.lookInMs === 0)) return;
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
    const endpoint = await this.parts.queues.renew(this.held, this.leaseMs);
    this.renewAt = performance.now() + this.leaseMs / RENEWALS;
    if (endpoint === null) {
      this.over = 'lost';
      return;
    }
    this.take(endpoint);
  }

  /** Begins what is due and may be sent. @returns in how many milliseconds more may be; null: nothing is pending */
  private async sendDue(): Promise<number | null> {
    const room = this.room();
    if (room === 0) return this.sending.size > 0 ? PAUSE_MS : this.pausedMs();
    const begun = { ids: [...this.unsettled.keys()], threadIds: [...this.unsettled.values()] };
    const due = await this.parts.queues.dueDeliveries(this.held, begun, room);
    if (due.length > 0) {
      const told = await this.told(due);
      for (const delivery of due) {
        const event = told.get(delivery.id) ?? null;
        this.begin(delivery, event);
      }
      return this.room() === 0 ? this.pausedMs() : 0;
    }
    return this.parts.queues.nextDueMs(this.held, begun);
  }

  /** How many requests may begin now. One that fails gets one at a time. */
  private room(): number {
    if (this.pausedMs() > 0) return 0;
    const atOnce = this.failures >= FAILURES_UNTIL_PROBED ? 1 : IN_FLIGHT_MAX;
    return Math.max(0, Math.min(atOnce - this.sending.size, this.pace.room(this.endpoint.max_per_second)));
  }

  private pausedMs(): number {
    return Math.max(0, this.pausedUntil - performance.now(), this.pace.waitMs(this.endpoint.max_per_second));
  }

  private async told(due: readonly DueDelivery[]): Promise<Map<string, ToldEvent>> {
    const seqs = due.flatMap(({ seq }) => seq ?? []);
    const events = await this.parts.events.find(this.held.accountId, seqs);
    const bySeq = new Map(events.map((event) => [event.seq, event]));
    return new Map(
      due.flatMap(({ id, seq }) => {
        const event = seq === null ? undefined : bySeq.get(seq);
        return event ? [[id, event] as const] : [];
      }),
    );
  }

  private begin(delivery: DueDelivery, event: ToldEvent | null): void {
    this.pace.take();
    this.unsettled.set(delivery.id, delivery.thread_id);
    const attempt = this.attempt(delivery, event).finally(() => {
      this.sending.delete(delivery.id);
      this.wake();
    });
    this.sending.set(delivery.id, attempt);
  }

  private async attempt(delivery: DueDelivery, event: ToldEvent | null): Promise<void> {
    const at = new Date(Date.now() + this.clockAheadMs);
    // A body that cannot be made is a fault of ours. It fails as a try, and ends neither the run nor the process.
    const outcome = await this.request(delivery, event, at).catch((error: unknown) => {
      this.parts.report(error, delivery.id);
      return OUR_FAULT;
    });
    // A request that this process broke off says nothing about the endpoint. Its delivery is due as it was.
    if (this.aborts.signal.aborted && outcome.status === null) return;
    this.attempts.push(outcomeOf(delivery, at, outcome));
    this.wake();
  }

  private async request(delivery: DueDelivery, event: ToldEvent | null, at: Date): Promise<WebhookOutcome> {
    if (this.secrets.length === 0) return SEALED;
    if (event === null && delivery.seq !== null) return NO_EVENT;
    const body = event ? webhookBody(event, delivery) : testBody(this.endpoint, delivery.event_id, at);
    const signed = { eventId: delivery.event_id, body, replayed: delivery.replayed };
    const headers = webhookHeaders(signed, this.secrets, at);
    return this.connections.send({ url: this.endpoint.url, headers, body }, this.aborts.signal);
  }

  /** Writes what came of attempts, and decides what follows for the endpoint. */
  private async settle(): Promise<void> {
    const attempts = this.attempts.splice(0);
    if (attempts.length === 0) return;
    let failures = this.failures;
    for (const { state } of attempts) failures = state === 'delivered' ? 0 : failures + 1;
    try {
      await this.parts.queues.settle(this.held, attempts, failures);
    } catch (error) {
      this.attempts.unshift(...attempts);
      throw error;
    }
    for (const { id } of attempts) this.unsettled.delete(id);
    this.failures = failures;
    this.pausedUntil = performance.now() + probeInMs(failures);
    if (attempts.some(({ attempt }) => attempt.status === 410)) this.over = 'gone';
    else if (failures >= FAILURES_TOLD && (await this.parts.queues.hasFailedForDays(this.held)))
      this.over = 'failing';
    if (this.over === 'gone' || this.over === 'failing') await this.parts.disable(this.held, this.over);
  }

  private take(endpoint: HeldRow): void {
    this.endpoint = endpoint;
    this.clockAheadMs = +endpoint.asked_at - Date.now();
    try {
      this.secrets = openSecrets(this.parts.cipher, this.endpoint, this.endpoint.former_counts);
    } catch {
      this.secrets = [];
    }
  }

  /** A process that stops breaks off what is under way: it is due again, and the receiver knows it by its id. */
  private async end(stopping: AbortSignal): Promise<void> {
    if (stopping.aborted || this.over !== null) this.aborts.abort();
    await Promise.allSettled(this.sending.values());
    this.connections.close();
    if (this.over === 'gone' || this.over === 'failing') return;
    await this.settle();
    if (this.over === null) await this.parts.queues.release(this.held);
  }
}

const failedAtOnce = (error: string): WebhookOutcome => ({ status: null, ms: 0, error, retryAfterMs: null });

/** Its secret was sealed with another key: it is to be rotated. */
export const SEALED = failedAtOnce('the signing secret does not open with the present key: rotate it');
const OUR_FAULT = failedAtOnce('the event could not be made into a body');
const NO_EVENT = failedAtOnce('the event is not in the log any more');
