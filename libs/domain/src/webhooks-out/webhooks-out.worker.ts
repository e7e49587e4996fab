import { randomUUIDv7 } from 'node:crypto';
import { EndpointDisablingRepository } from '@app/persistence/webhooks-out/endpoint-disabling.repository';
import {
  EndpointQueueRepository,
  type HeldEndpoint,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { ToldEventRepository } from '@app/persistence/webhooks-out/told-event.repository';
import { Injectable, Logger } from '@nestjs/common';
import { SecretCipher } from '../accounts/secret-cipher.port';
import { Audit } from '../audit/audit.service';
import { EventNotifier } from '../events/event-notifier.service';
import { WorkNotifier } from '../work/work.notifier';
import { WORK_TIMES } from '../work/work.times';
import { Worker, type WorkItem } from '../work/worker';
import { EndpointRun } from './endpoint.run';
import { WebhookSender } from './webhook-sender.port';

/** So long an endpoint is thought to be held by another process after it was found so. */
const HELD_ELSEWHERE_MS = 1_000;

/** The worker that sends events to endpoints. An item is an endpoint. */
@Injectable()
export class WebhooksOutWorker extends Worker {
  readonly name = 'webhooks-out';
  readonly actsOutside = true;
  /** Most of a run's time is spent waiting for answers and for events. */
  readonly concurrency = 200;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  private readonly logger = new Logger(WebhooksOutWorker.name);
  private readonly runs = new Map<string, EndpointRun>();
  private readonly elsewhere = new Map<string, number>();

  constructor(
    private readonly queues: EndpointQueueRepository,
    private readonly events: ToldEventRepository,
    private readonly disabling: EndpointDisablingRepository,
    private readonly sender: WebhookSender,
    private readonly cipher: SecretCipher,
    private readonly audit: Audit,
    private readonly eventNotifier: EventNotifier,
    private readonly work: WorkNotifier,
  ) {
    super();
  }

  async findDue(): Promise<readonly WorkItem[]> {
    const due = await this.queues.due();
    return due.map(({ accountId, endpointId }) => ({ accountId, id: endpointId }));
  }

  backlog(accountId: string | null) {
    return this.queues.backlog(accountId);
  }

  /** What is left of endpoints that were disabled is not sent any more. */
  override async maintain(): Promise<void> {
    while ((await this.disabling.skipLeft()) > 0);
  }

  override notified(item: WorkItem): boolean {
    const run = this.runs.get(item.id);
    if (run) {
      run.notify();
      return true;
    }
    if ((this.elsewhere.get(item.id) ?? 0) < performance.now()) return false;
    this.work.notifyOthers(this.name, item);
    return true;
  }

  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    const { accountId, id: endpointId } = item;
    if (accountId === null || stopping.aborted) return;
    const held = { accountId, endpointId, token: randomUUIDv7() };
    const endpoint = await this.queues.claim(held, WORK_TIMES.leaseMs);
    if (endpoint === null) return this.leaveToOthers(item);
    const { queues, events, sender, cipher } = this;
    const [disable, report] = [this.disable.bind(this), this.report.bind(this)];
    const run = new EndpointRun(
      { queues, events, sender, cipher, disable, report },
      held,
      endpoint,
      WORK_TIMES.leaseMs,
    );
    this.runs.set(endpointId, run);
    try {
      await run.serve(stopping);
    } finally {
      this.runs.delete(endpointId);
    }
  }

  /** Whoever holds the endpoint is told; where nobody does, it is disabled. */
  private leaveToOthers(item: WorkItem): void {
    const now = performance.now();
    for (const [id, until] of this.elsewhere) if (until < now) this.elsewhere.delete(id);
    this.elsewhere.set(item.id, now + HELD_ELSEWHERE_MS);
    this.work.notifyOthers(this.name, item);
  }

  private report(error: unknown, deliveryId: string): void {
    this.logger.error({ err: error, delivery_id: deliveryId }, 'An event could not be made into a body.');
  }

  private async disable(held: HeldEndpoint, reason: 'gone' | 'failing'): Promise<void> {
    const isDisabled = await this.audit.act(
      { type: null },
      'webhook_endpoint.disable',
      ({ url }: { url: string }) => ({
        subject: { type: 'webhook_endpoint', accountId: held.accountId, id: held.endpointId, name: url },
        before: { disabled: false },
        after: { disabled: true, disabled_reason: reason },
      }),
      (entryOf) => this.disabling.disable(held, reason, entryOf),
    );
    if (isDisabled) this.eventNotifier.notify(held.accountId);
  }
}
