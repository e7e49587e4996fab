import { activeSpan, asSharedSpan, type TraceSpan } from '@app/contracts/trace-recorder';
import { DatabaseUnavailableError, leftNothing } from './database.errors';

interface Waiting<Call, Answer> {
  call: Call;
  /** A string from `keyOf`, or a value that equals no other. */
  key: unknown;
  since: number;
  /** On whose behalf it is made. */
  span: TraceSpan | null;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface BatchedAct<Call, Answer> {
  /** Answers the calls in their order. When it throws, PostgreSQL's own refusal says that none of them was done. */
  act: (calls: readonly Call[]) => Promise<Answer[]>;
  /**
   * For calls that take locks: of the calls of one key only one is under way at a time, so that a waiting key delays
   * no second statement.
   */
  keyOf?: (call: Call) => string;
  /** Whether an answer, at this moment, is also the answer to every other call of the same key. */
  answersOthers?: (answer: Answer) => boolean;
  /**
   * Milliseconds from the beginning of one statement to the next. A call that comes alone still goes at once;
   * frequent calls go together. Calls that fill a statement do not wait.
   */
  spacingMs?: number;
  /** Most calls in one statement; default: {@link BATCH_MAX}. */
  most?: number;
}

const UNDER_WAY_MAX = 2;
/**
 * A second statement begins once the first has taken this long, so that one that waits for a lock holds up nobody else.
 * Until then calls wait and go together: two statements at once cost a get-lead a tenth more of the server's CPU and a
 * seventh more of PostgreSQL's (measured).
 */
const SECOND_AFTER_MS = 4;
/** Most calls in one statement. */
export const BATCH_MAX = 64;
/**
 * When a statement fails because of an outage, calls that have waited this long fail with it. A statement on a dead
 * connection takes seconds to fail, so the calls of a busy key, one after the other, would wait for minutes.
 */
const WAITED_MS_MAX = 1_000;

/**
 * Puts calls that come together into one statement: those of one tick of the event loop and, under load, those that
 * came while others were under way. A call that comes alone is made at once. When PostgreSQL refuses a statement
 * because of one call, its calls are repeated one by one. After any other error they are not, because they may have
 * been done: a repeated move would answer that it changed nothing.
 */
export class CallBatcher<Call, Answer> {
  /** Calls by their keys, none of which is under way. No line is empty. */
  private readonly ready = new Map<unknown, Waiting<Call, Answer>[]>();
  /** Waits for a call of the same key that is under way. */
  private readonly held = new Map<unknown, Waiting<Call, Answer>[]>();
  /** Failed together with others and to be repeated one by one. Their keys are held. */
  private alone: Waiting<Call, Answer>[] = [];
  private underWay = 0;
  /** Set when the next statement begins in this turn of the event loop. */
  private immediate: NodeJS.Immediate | null = null;
  /** Set when it begins later. It may be due in the same turn as the immediate one. */
  private timer: NodeJS.Timeout | null = null;
  private begunAt = -Infinity;

  constructor(private readonly batched: BatchedAct<Call, Answer>) {}

  private get most(): number {
    return this.batched.most ?? BATCH_MAX;
  }

  call(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const key = this.batched.keyOf?.(call) ?? Symbol();
      const waiting = { call, key, since: performance.now(), span: activeSpan(), resolve, reject };
      const line = this.held.get(key) ?? this.ready.get(key);
      if (line) line.push(waiting);
      else this.ready.set(key, [waiting]);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.immediate || this.underWay >= UNDER_WAY_MAX) return;
    const waitMs = this.begunAt + this.pauseMs() - performance.now();
    if (waitMs > 0) {
      this.timer ??= setTimeout(() => this.begin(), waitMs);
      return;
    }
    this.immediate = setImmediate(() => this.begin());
  }

  /** From the begin of one statement to the next. */
  private pauseMs(): number {
    const { spacingMs = 0 } = this.batched;
    if (this.ready.size >= this.most) return 0;
    const isUrgent = this.underWay === 0 || this.alone.length > 0;
    return isUrgent ? spacingMs : Math.max(spacingMs, SECOND_AFTER_MS);
  }

  private begin(): void {
    if (this.timer) clearTimeout(this.timer);
    if (this.immediate) clearImmediate(this.immediate);
    this.timer = null;
    this.immediate = null;
    const batch = this.takeBatch();
    if (batch.length === 0) return;
    this.begunAt = performance.now();
    void this.run(batch);
    this.scheduleRest();
  }

  private scheduleRest(): void {
    if (this.ready.size > 0 || this.alone.length > 0) this.schedule();
  }

  private takeBatch(): Waiting<Call, Answer>[] {
    const again = this.alone.shift();
    if (again) return [again];
    const batch: Waiting<Call, Answer>[] = [];
    for (const [key, line] of this.ready) {
      if (batch.length === this.most) break;
      this.ready.delete(key);
      this.held.set(key, line);
      batch.push(line.shift() as Waiting<Call, Answer>);
    }
    return batch;
  }

  private async run(batch: Waiting<Call, Answer>[]): Promise<void> {
    this.underWay += 1;
    try {
      const answers = await asSharedSpan(
        batch.map(({ span }) => span),
        () => this.batched.act(batch.map(({ call }) => call)),
      );
      for (const [index, waiting] of batch.entries()) this.answer(waiting, answers[index] as Answer);
    } catch (error) {
      this.fail(batch, error);
    } finally {
      this.underWay -= 1;
      this.scheduleRest();
    }
  }

  private answer({ key, resolve }: Waiting<Call, Answer>, answer: Answer): void {
    resolve(answer);
    if (this.batched.answersOthers?.(answer)) {
      for (const other of this.held.get(key)?.splice(0) ?? []) other.resolve(answer);
    }
    this.release(key);
  }

  private fail(batch: Waiting<Call, Answer>[], error: unknown): void {
    if (leftNothing(error) && batch.length > 1) {
      this.alone.push(...batch);
      return;
    }
    this.reject(batch, error);
    if (error instanceof DatabaseUnavailableError && !leftNothing(error)) this.rejectTimedOut(error);
  }

  private rejectTimedOut(error: unknown): void {
    const lost = performance.now() - WAITED_MS_MAX;
    this.reject(
      this.alone.filter(({ since }) => since < lost),
      error,
    );
    this.alone = this.alone.filter(({ since }) => since >= lost);
    for (const lines of [this.ready, this.held]) {
      for (const [key, line] of lines) {
        while (line[0] && line[0].since < lost) line.shift()?.reject(error);
        if (lines === this.ready && line.length === 0) lines.delete(key);
      }
    }
  }

  private reject(calls: readonly Waiting<Call, Answer>[], error: unknown): void {
    for (const { key, reject } of calls) {
      reject(error);
      this.release(key);
    }
  }

  /** Starts the call that waits for the key's last call. */
  private release(key: unknown): void {
    const line = this.held.get(key);
    this.held.delete(key);
    if (line && line.length > 0) this.ready.set(key, line);
  }
}
