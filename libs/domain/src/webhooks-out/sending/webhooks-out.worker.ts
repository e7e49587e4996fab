import { randomUUIDv7 } from 'node:crypto';
import { processLimits } from '@app/config/process-limits';
import {
  EndpointQueueRepository,
  type HeldEndpoint,
} from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { LoggedEventRepository } from '@app/persistence/webhooks-out/logged-event.repository';
import { Injectable, Logger } from '@nestjs/common';
import { SecretCipher } from '../../accounts/secret-cipher.port';
import { WorkNotifier } from '../../work/work-notifier';
import { WORK_TIMES } from '../../work/work-times';
import { Worker, type ItemPlace, type WorkItem } from '../../work/worker';
import { EndpointDisabling } from '../endpoints/endpoint-disabling.service';
import { EndpointRun } from './endpoint-run';
import { WebhookSender } from './webhook-sender.port';

/** So long an endpoint is thought to be held by another process after it was found so. */
const HELD_ELSEWHERE_MS = 1_000;

export const SERVING_LIMITS = processLimits('webhookServing', {
  /** Endpoints that a process serves at once. It bounds what their requests take of its memory, up to 200 kB each. */
  endpoints: 500,
  /** Where others wait, an endpoint is served for so long, in milliseconds; then it has its turn again after them. */
  turnMs: 5_000,
});

/** The worker that sends events to endpoints. An item is an endpoint. */
@Injectable()
export class WebhooksOutWorker extends Worker {
  readonly name = 'webhooks-out';
  readonly actsOutside = true;
  /** Each request is a trace of its own. An endpoint may be served without an end. */
  override readonly tracesItself = true;
  readonly concurrency = SERVING_LIMITS.endpoints;
  readonly sweepEveryMs = WORK_TIMES.sweepMs;
  readonly finds = ['endpoints'] as const;
  /** What is left of endpoints that were disabled is not sent any more. */
  override readonly maintenance = [{ of: ['endpoints'] as const, act: () => this.disabling.skipLeft() }];
  private readonly logger = new Logger(WebhooksOutWorker.name);
  private readonly runs = new Map<string, EndpointRun>();
  private readonly elsewhere = new Map<string, number>();
  /** Endpoints of which this process alone was notified, while nobody is known to serve them. */
  private readonly untold = new Set<string>();

  constructor(
    private readonly queues: EndpointQueueRepository,
    private readonly events: LoggedEventRepository,
    private readonly disabling: EndpointDisabling,
    private readonly sender: WebhookSender,
    private readonly cipher: SecretCipher,
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

  override notified({ id }: WorkItem, isUntold: boolean): ItemPlace {
    const run = this.runs.get(id);
    if (run) {
      run.notify();
      return 'here';
    }
    if ((this.elsewhere.get(id) ?? 0) >= performance.now()) return 'elsewhere';
    if (isUntold) this.untold.add(id);
    return 'unknown';
  }

  /** Those that were served longest leave, one for each that waits. */
  override makeRoom(waiting: number): void {
    const runs = [...this.runs.values()];
    let leaving = runs.filter(({ isLeaving }) => isLeaving).length;
    for (const run of runs) {
      if (leaving >= waiting) return;
      if (run.isLeaving || run.servedMs < SERVING_LIMITS.turnMs) continue;
      run.leave();
      leaving += 1;
    }
  }

  async run(item: WorkItem, stopping: AbortSignal): Promise<void> {
    const { accountId, id: endpointId } = item;
    if (accountId === null || stopping.aborted) return;
    const isUntold = this.untold.delete(endpointId);
    const held = { accountId, endpointId, token: randomUUIDv7() };
    const endpoint = await this.queues.claim(held, WORK_TIMES.leaseMs);
    if (endpoint === null) return this.leaveToOthers(item, isUntold);
    const { queues, events, sender, cipher, logger } = this;
    const run = new EndpointRun(
      { queues, events, sender, cipher, logger, disable: this.disable.bind(this) },
      held,
      endpoint,
      WORK_TIMES.leaseMs,
    );
    this.runs.set(endpointId, run);
    try {
      await run.serve(stopping);
    } finally {
      // Where the lease was lost, another run of this process may hold the endpoint already.
      if (this.runs.get(endpointId) === run) this.runs.delete(endpointId);
    }
    // It was notified while it gave the endpoint back.
    if (run.hasNews && !stopping.aborted) this.work.notify(this.name, item);
  }

  /** Whoever holds the endpoint is told, unless others have been; where nobody does, it is disabled. */
  private leaveToOthers(item: WorkItem, isUntold: boolean): void {
    const run = this.runs.get(item.id);
    if (run) return run.notify();
    const now = performance.now();
    for (const [id, until] of this.elsewhere) if (until < now) this.elsewhere.delete(id);
    this.elsewhere.set(item.id, now + HELD_ELSEWHERE_MS);
    if (isUntold) this.work.notifyOthers(this.name, item);
  }

  private disable(
    { token, ...key }: HeldEndpoint,
    url: string,
    reason: 'gone' | 'failing',
  ): Promise<boolean> {
    return this.disabling.disable(key, token, url, reason);
  }
}
