import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointQueueRepository } from '@app/persistence/webhooks-out/endpoint-queue.repository';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { WorkNotifier } from '../work/work.notifier';
import { WORK_TIMES } from '../work/work.times';

/** Where nobody knows whose the events are, all endpoints look, at most so often. */
const LOOK_OF_ALL_MS = 100;

/**
 * Tells the endpoints of an account that its log has something new: those that this process serves, and other processes where
 * one of them does. It costs an account without endpoints nothing. The sweeps find what is lost.
 */
@Injectable()
export class EndpointNews implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The endpoints that are enabled, by their accounts, as they were at most a sweep ago. */
  private endpoints = new Map<string, string[]>();
  private readonly stopping = new AbortController();
  private reading: Promise<void> = Promise.resolve();
  private ofAll: NodeJS.Timeout | null = null;

  constructor(
    private readonly queues: EndpointQueueRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly work: WorkNotifier,
  ) {}

  onApplicationBootstrap(): void {
    this.eventNotifier.onNotify((_, accountId) => this.hear(accountId));
    this.reading = this.readOften();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    if (this.ofAll) clearTimeout(this.ofAll);
    await this.reading;
  }

  private hear(accountId: string | null): void {
    if (this.endpoints.size === 0) return;
    if (accountId !== null) this.tell(accountId);
    else this.ofAll ??= setTimeout(() => this.tellAll(), LOOK_OF_ALL_MS).unref();
  }

  private tellAll(): void {
    this.ofAll = null;
    for (const accountId of this.endpoints.keys()) this.tell(accountId);
  }

  private tell(accountId: string): void {
    for (const id of this.endpoints.get(accountId) ?? []) this.work.notify('webhooks-out', { accountId, id });
  }

  private async readOften(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      // Where the database is away, the endpoints that were known are good enough.
      await this.read().catch(() => undefined);
      await sleep(WORK_TIMES.sweepMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async read(): Promise<void> {
    const enabled = await this.queues.enabled();
    const endpoints = new Map<string, string[]>();
    for (const { accountId, endpointId } of enabled)
      endpoints.set(accountId, [...(endpoints.get(accountId) ?? []), endpointId]);
    this.endpoints = endpoints;
  }
}
