import { join } from 'node:path';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { keyOf, KEYS_PER_ACCOUNT, STAGES, type BenchThread } from './bench.database';
import { idOf } from './bench.ids';
import { SessionRotation } from './bench.sessions';

export type ContestantName = 'service' | 'floor' | 'bare' | 'session';
export type Operation = 'set-status' | 'get-lead';

/** What is posted, and what its answer must hold besides `"ok":true`. */
interface Call {
  body: string;
  expected: string[];
}

/** One of the servers that are measured against each other, and how to ask it. */
export abstract class Contestant {
  protected constructor(
    readonly name: ContestantName,
    readonly server: ServerProcess,
  ) {}

  static async start(name: ContestantName, databaseUrl: string): Promise<Contestant> {
    if (name === 'service') return new ServiceContestant(name, await startServer(databaseUrl));
    const program = join(__dirname, name === 'floor' ? 'floor/floor.program.js' : 'bare.program.js');
    const server = await startServer(databaseUrl, {}, program);
    return name === 'floor' ? new FloorContestant(name, server) : new BareContestant(name, server);
  }

  /** The same process, asked by sessions of people in the place of keys. */
  bySession(): Contestant {
    return new SessionContestant('session', this.server);
  }

  /** Who calls for a dialog of this account: a key, or a session's headers. */
  callerFor(account: number, keys: KeyRotation): string | { headers: string } {
    return keys.keyFor(account);
  }

  /** Whether a connection is a board of all dialogs, which need not be opened. */
  abstract readonly connectionIsBoard: boolean;

  /** What calls, answers and events know the dialog by. */
  abstract threadIdOf(thread: BenchThread): string;

  callOf(operation: Operation, thread: BenchThread): Call {
    return operation === 'set-status' ? this.moveOf(thread) : this.questionOf(thread);
  }

  protected abstract moveOf(thread: BenchThread): Call;

  protected abstract questionOf(thread: BenchThread): Call;
}

class ServiceContestant extends Contestant {
  readonly connectionIsBoard: boolean = false;

  threadIdOf({ id }: BenchThread): string {
    return `thread_${id}`;
  }

  /** To the next stage of its funnel, so that every call is a real move. */
  protected moveOf(thread: BenchThread): Call {
    thread.stage = (thread.stage + 1) % STAGES;
    const status_id = idOf('stage', thread.account, thread.stage);
    const body = JSON.stringify({ ...this.address(thread), status_id });
    return { body, expected: ['"changed":true', `"id":"${status_id}"`] };
  }

  protected questionOf(thread: BenchThread): Call {
    const expected = [`"thread_id":"${this.threadIdOf(thread)}"`];
    return { body: JSON.stringify(this.address(thread)), expected };
  }

  protected address(thread: BenchThread): object {
    return { thread_id: this.threadIdOf(thread) };
  }
}

class SessionContestant extends ServiceContestant {
  private readonly sessions = new SessionRotation(this.server.url);

  override callerFor(account: number): { headers: string } {
    return this.sessions.callerFor(account);
  }
}

/** The account, which the key tells the service, is given to the bare server by its caller. */
class BareContestant extends ServiceContestant {
  protected override address(thread: BenchThread): object {
    const { account } = thread;
    const of = { account_id: idOf('account', account), assistant_id: idOf('agent', account) };
    return { ...super.address(thread), ...of };
  }
}

/** Stages of the floor's agents, by the numbers of its schema. */
const FLOOR_AGENTS = 10;
const FLOOR_STAGES = 8;

class FloorContestant extends Contestant {
  readonly connectionIsBoard = true;

  threadIdOf({ floorNumber }: BenchThread): string {
    return idOf(`t${floorNumber}`);
  }

  protected moveOf(thread: BenchThread): Call {
    thread.floorMoves += 1;
    const agent = 1 + (thread.floorNumber % FLOOR_AGENTS);
    const stage = (Math.floor(thread.floorNumber / FLOOR_AGENTS) + thread.floorMoves) % FLOOR_STAGES;
    const status_id = agent * 100 + 1 + stage;
    const body = JSON.stringify({ thread_id: this.threadIdOf(thread), status_id });
    return { body, expected: [`"status_id":${status_id}`, `"version":${1 + thread.floorMoves}`] };
  }

  protected questionOf(thread: BenchThread): Call {
    const id = this.threadIdOf(thread);
    return { body: JSON.stringify({ thread_id: id }), expected: [`"id":"${id}"`] };
  }
}

/** The keys of every account one after the other, so that each stays within its sixty calls a minute. */
export class KeyRotation {
  private readonly next = new Map<number, number>();

  keyFor(account: number): string {
    const index = this.next.get(account) ?? 0;
    this.next.set(account, (index + 1) % KEYS_PER_ACCOUNT);
    return keyOf(account, index);
  }
}
