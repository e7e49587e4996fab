import { EndpointQueueRepository } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { RepeatedSweep } from '../../work/repeated-sweep';
import { WorkNotifier } from '../../work/work-notifier';
import { WORK_TIMES } from '../../work/work-times';

/** Where nobody knows whose the events are, all endpoints look, at most so often. */
const LOOK_OF_ALL_MS = 100;

/**
 * Notifies the endpoints of an account that its log has something new: those that this process serves, and other processes where
 * one of them does. It costs an account without endpoints nothing. The sweeps find what is lost.
 */
@Injectable()
export class EndpointNotifier implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The endpoints that are enabled, by their accounts, as they were at most a sweep ago. */
  private endpoints = new Map<string, string[]>();
  /** Where the database is away, the endpoints that were known are good enough. */
  private readonly sweep: RepeatedSweep;
  private ofAll: NodeJS.Timeout | null = null;

  constructor(
    private readonly queues: EndpointQueueRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly work: WorkNotifier,
  ) {
    const logger = new Logger(EndpointNotifier.name);
    this.sweep = new RepeatedSweep('enabled endpoints', WORK_TIMES.sweepMs, () => this.read(), logger);
  }

  onApplicationBootstrap(): void {
    this.eventNotifier.onNotify((_, accountId) => this.hear(accountId));
    this.sweep.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.sweep.end();
    if (this.ofAll) clearTimeout(this.ofAll);
    await this.sweep.over();
  }

  /** An endpoint was made or enabled here: its first event need not wait for a sweep. */
  hurry(): void {
    this.sweep.hurry();
  }

  private hear(accountId: string | null): void {
    if (this.endpoints.size === 0) return;
    if (accountId !== null) this.notify(accountId);
    else this.ofAll ??= setTimeout(() => this.notifyAll(), LOOK_OF_ALL_MS).unref();
  }

  private notifyAll(): void {
    this.ofAll = null;
    for (const accountId of this.endpoints.keys()) this.notify(accountId);
  }

  private notify(accountId: string): void {
    for (const id of this.endpoints.get(accountId) ?? []) this.work.notify('webhooks-out', { accountId, id });
  }

  private async read(): Promise<void> {
    const enabled = await this.queues.enabled();
    const endpoints = new Map<string, string[]>();
    for (const { accountId, endpointId } of enabled)
      endpoints.set(accountId, [...(endpoints.get(accountId) ?? []), endpointId]);
    this.endpoints = endpoints;
  }
}
