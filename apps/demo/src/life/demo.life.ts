import type { CustomerAct } from '../../../sandbox/src/handset/customer.phone';
import type { LifeScene } from './life.cast';
import { LifeClient } from './life.client';
import { LifePlan, type LifeAct } from './life.plan';

/** How long nothing is tried after a failure: the first time, doubled each further time, and at most. */
const RETRY = { firstMs: 5_000, longestMs: 60_000 };

export interface LifeParts {
  /** Where the service listens on this machine. */
  baseUrl: string;
  /** The secret of a key of the demo, by its name. */
  keyOf: (name: string) => string;
  /** Sends what a customer writes, as the customer's phone does. */
  write: (act: CustomerAct) => void;
  plan?: Pick<LifePlan, 'pause' | 'scene' | 'next'>;
  retry?: typeof RETRY;
}

/**
 * Customers who write now and then, and an accounting system that sees their money. Nobody waits for it: where the
 * service does not answer, it tries again later, and says nothing.
 */
export class DemoLife {
  private readonly ended = new AbortController();
  private readonly client: LifeClient;
  private readonly plan: Pick<LifePlan, 'pause' | 'scene' | 'next'>;
  private timer: NodeJS.Timeout | null = null;
  private beat: Promise<void> = Promise.resolve();
  private failures = 0;

  constructor(private readonly parts: LifeParts) {
    this.client = new LifeClient(parts.baseUrl, this.ended.signal);
    this.plan = parts.plan ?? new LifePlan();
  }

  start(): void {
    this.wait(this.plan.pause());
  }

  /** Afterwards nothing is written any more. */
  async stop(): Promise<void> {
    this.ended.abort();
    if (this.timer) clearTimeout(this.timer);
    await this.beat;
  }

  private wait(ms: number): void {
    if (this.ended.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.beat = this.live();
    }, ms);
  }

  private async live(): Promise<void> {
    try {
      const scene = this.plan.scene();
      if (scene) await this.play(scene);
      this.failures = 0;
    } catch {
      this.failures += 1;
    }
    const { firstMs, longestMs } = this.parts.retry ?? RETRY;
    const longer = Math.min(firstMs * 2 ** (this.failures - 1), longestMs);
    this.wait(this.failures > 0 ? longer : this.plan.pause());
  }

  private async play(scene: LifeScene): Promise<void> {
    const { reading, accounting } = scene.keys;
    const phones = scene.cast.map(({ phone }) => phone);
    const dialogs = await this.client.dialogs(this.parts.keyOf(reading), scene.assistantId, phones);
    if (this.ended.signal.aborted) return;
    const act = this.plan.next(scene, dialogs);
    if (act) await this.perform(act, accounting, reading);
  }

  private async perform(act: LifeAct, accounting: string, reading: string): Promise<void> {
    switch (act.kind) {
      case 'write':
        return this.parts.write(act.act);
      case 'pay':
        return this.client.move(this.parts.keyOf(accounting), act.threadId, act.from, act.to);
      case 'read':
        return this.client.markRead(this.parts.keyOf(reading), act.threadId, act.upTo);
    }
  }
}
