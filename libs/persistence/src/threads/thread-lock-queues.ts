import { CodedError } from '@app/contracts/coded.errors';
import { Injectable } from '@nestjs/common';

interface Waiting {
  go: () => void;
  refuse: (error: unknown) => void;
}

/**
 * Of an owner's statements that wait for the lock of one thread, a process has one under way at a time. The others
 * wait here, where they hold neither a slot nor a connection. When the database refuses the one under way, usually
 * because the lock was not free in time, those behind it are refused with it: each would wait for the same lock
 * again, one after the other.
 */
@Injectable()
export class ThreadLockQueues {
  /** Those that wait behind the one under way, by owner and thread. */
  private readonly queues = new Map<string, Waiting[]>();

  /**
   * Runs work that may wait for the thread's lock, after the work that came before it.
   * @param owner an account, or another group of callers
   * @throws the error of the work, or of work before it that the database refused.
   */
  async run<T>(owner: string, threadId: string, work: () => Promise<T>): Promise<T> {
    const key = `${owner} ${threadId}`;
    await this.turnOf(key);
    try {
      return await work();
    } catch (error) {
      if (error instanceof CodedError && error.code === 'UNAVAILABLE') this.refuseOthers(key, error);
      throw error;
    } finally {
      this.next(key);
    }
  }

  private async turnOf(key: string): Promise<void> {
    const queue = this.queues.get(key);
    if (queue) return new Promise((go, refuse) => queue.push({ go, refuse }));
    this.queues.set(key, []);
  }

  private refuseOthers(key: string, error: unknown): void {
    for (const { refuse } of this.queues.get(key)?.splice(0) ?? []) refuse(error);
  }

  private next(key: string): void {
    const next = this.queues.get(key)?.shift();
    if (next) next.go();
    else this.queues.delete(key);
  }
}
