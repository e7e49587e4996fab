import type { CustomerAct } from '../../../sandbox/src/handset/customer-phone';
import type { LifeScene } from './life-cast';
import { LifePlan, type LifeAct, type LifeDialog } from './life-plan';

const ANSWER_MS = 20_000;
const DIALOGS_MAX = 200;

/** What the demo's life asks of the service: operations of the public API, by a key of the demo. */
class LifeClient {
  /** @param ended aborts what is under way */
  constructor(
    private readonly baseUrl: string,
    private readonly ended: AbortSignal,
  ) {}

  async dialogs(key: string, assistantId: string, phones: readonly string[]): Promise<LifeDialog[]> {
    const asked = { assistant_id: assistantId, phones, limit: DIALOGS_MAX, messages_limit: 1 };
    const data = await this.call<{ threads: LifeDialog[] }>(key, 'messages/get-threads', asked);
    return data.threads;
  }

  /** Moves the lead, unless somebody has moved it meanwhile. */
  async move(key: string, threadId: string, from: string, to: string): Promise<void> {
    await this.call(key, 'leads/set-status', {
      ...{ thread_id: threadId, status_id: to, expected_status_id: from },
    });
  }

  async markRead(key: string, threadId: string, upTo: string): Promise<void> {
    await this.call(key, 'messages/mark-read', { thread_id: threadId, up_to: upTo });
  }

  /** @throws Error when the service does not do it */
  private async call<T>(key: string, path: string, body: object): Promise<T> {
    const response = await fetch(`${this.baseUrl}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([this.ended, AbortSignal.timeout(ANSWER_MS)]),
    });
    const answer = (await response.json()) as { ok: boolean; data: T };
    if (!answer.ok) throw new Error(`${path} answered ${response.status}`);
    return answer.data;
  }
}

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
