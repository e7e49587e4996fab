import { join } from 'node:path';
import { startServer, type ServerProcess } from '../support/server.process';
import { keyOf, KEYS_PER_ACCOUNT, STAGES, type BenchThread } from './bench.database';
import { idOf } from './bench.ids';

export const threadIdOf = (thread: BenchThread): string => `thread_${thread.id}`;

/** One of the two servers that are measured against each other, and how to ask it. */
export class Contestant {
  private constructor(
    readonly name: 'service' | 'floor',
    readonly server: ServerProcess,
  ) {}

  static async service(databaseUrl: string): Promise<Contestant> {
    return new Contestant('service', await startServer(databaseUrl));
  }

  static async floor(databaseUrl: string): Promise<Contestant> {
    return new Contestant('floor', await startServer(databaseUrl, {}, join(__dirname, 'floor.process.js')));
  }

  getLeadBody(thread: BenchThread): string {
    return JSON.stringify({ ...this.address(thread), thread_id: threadIdOf(thread) });
  }

  /** Moves the dialog to the next stage of its funnel, so that every call is a real move. */
  setStatusBody(thread: BenchThread): string {
    thread.stage = (thread.stage + 1) % STAGES;
    const status_id = idOf('stage', thread.account, thread.stage);
    return JSON.stringify({ ...this.address(thread), thread_id: threadIdOf(thread), status_id });
  }

  /** What the key tells the service, the floor is told by its caller. */
  private address({ account }: BenchThread): object {
    if (this.name === 'service') return {};
    return { account_id: idOf('account', account), assistant_id: idOf('agent', account) };
  }
}

/** The keys of every account in turn, so that each stays within its sixty calls a minute. */
export class KeyRing {
  private readonly next = new Map<number, number>();

  keyFor(account: number): string {
    const index = this.next.get(account) ?? 0;
    this.next.set(account, (index + 1) % KEYS_PER_ACCOUNT);
    return keyOf(account, index);
  }
}
