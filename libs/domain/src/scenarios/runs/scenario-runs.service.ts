import { randomUUIDv7 } from 'node:crypto';
import type { StepError } from '@app/contracts/scenario.words';
import { formatThreadId } from '@app/contracts/uuid.format';
import { DatabaseUnavailableError, RowBusyError } from '@app/persistence/database/database.errors';
import { TooManyWaitingError } from '@app/contracts/in-flight-limiter';
import type { DialogTransaction } from '@app/persistence/scenarios/runs/dialog-transaction';
import { OutboxRefusal } from '@app/persistence/messages/sending/outbox.repository';
import { DialogRunsRepository } from '@app/persistence/scenarios/runs/dialog-runs.repository';
import { RecipientRefusal } from '@app/persistence/scenarios/runs/dialog-writer';
import { RunQueueRepository, type HeldQueue } from '@app/persistence/scenarios/runs/run-queue.repository';
import { asSpanOf, noteSpan } from '@app/contracts/trace-recorder';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../../events/event-notifier.service';
import { ElapsedTime } from '../../messages/dispatch/elapsed-time';
import { LeaseRenewal } from '../../work/lease-renewal';
import { WorkNotifier } from '../../work/work-notifier';
import { WORK_TIMES } from '../../work/work-times';
import type { WorkItem } from '../../work/worker';
import { CallErrands } from '../effects/call-errand';
import { DialogTurn, type NextTurn, type Turn } from './dialog-turn';
import {
  type ErrandEnd,
  type ErrandKey,
  type ErrandKind,
  type ReadyErrand,
  failedErrand,
  isEnd,
  isStepOf,
  type CarriedErrand,
  type PreparedErrand,
} from '../effects/errand';
import { LateErrands } from '../effects/late-errands';
import { MessageErrands } from '../effects/message-errand';
import { ScenarioCounts } from '../definition/scenario-counts';
import type { ErrandOrder } from '../steps/step-decision';
import { spanOfErrand, spanOfStep, type MadeStep } from '../steps/step-span';
import { within } from '../../work/time-limit';

/** Renewals within one lease, so that a failed one loses nothing. */
const RENEWALS = 3;
/** Dialogs of one account that one sweep finds. */
const DUE_OF_ACCOUNT = 1_000;

/** A dialog that cannot be served for a reason of ours is tried again then, and holds up nothing else meanwhile. */
const FAILED_BACK_OFF_MS = 30_000;

/** The end of a takeover in another dialog of the customer wakes no run, so it is looked for. */
const TAKEOVER_AGAIN_MS = 30_000;

/** So long the sends of an account whose quota was full are not done together. */
const QUOTA_AGAIN_MS = 1_000;
/** Turns that are tried again while somebody else has locked the dialog, each for as long as a lock is waited for. */
const BUSY_TRIES = 3;

/** A dialog is due by the database's clock, which may be so much behind. */
const CLOCK_SLACK_MS = 5;

const QUOTA_FULL = { code: 'QUOTA_EXCEEDED', message: 'The month’s quota is used up.' };
const OPTED_OUT = { code: 'THREAD_OPTED_OUT', message: 'The customer unsubscribed on that channel.' };
const OUR_FAULT = { code: 'INTERNAL_ERROR', message: 'The step could not be carried out.' };

/** What a process brings from one turn to the next. */
type Brought = Pick<Turn, 'carried' | 'prepared'>;

const NOTHING: Brought = { carried: null, prepared: [] };

/** Carries out the runs of scenarios, dialog by dialog: one process at a time serves a dialog. */
@Injectable()
export class ScenarioRuns {
  private readonly logger = new Logger(ScenarioRuns.name);
  /** When the quotas of accounts were last found full. */
  private readonly quotaFull = new Map<string, number>();
  private readonly errands: { readonly [Kind in ErrandOrder['kind']]: ErrandKind };

  constructor(
    private readonly queues: RunQueueRepository,
    private readonly dialogs: DialogRunsRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly notifier: WorkNotifier,
    private readonly counts: ScenarioCounts,
    private readonly late: LateErrands,
    messages: MessageErrands,
    calls: CallErrands,
  ) {
    this.errands = { message: messages, call: calls };
  }

  async findDue(): Promise<WorkItem[]> {
    const due = await this.queues.due(DUE_OF_ACCOUNT);
    return due.map(({ accountId, threadId }) => ({ accountId, id: threadId }));
  }

  /** Serves a dialog until nothing is due there. Does nothing when another process does. */
  async serve({ accountId, id: threadId }: WorkItem, stopping: AbortSignal): Promise<void> {
    if (accountId === null || stopping.aborted) return;
    const held = { accountId, threadId, token: randomUUIDv7() };
    if (!(await this.queues.claim(held, WORK_TIMES.leaseMs))) return;
    // A turn finds out by itself that another process has the dialog.
    await using _ = new LeaseRenewal(
      WORK_TIMES.leaseMs / RENEWALS,
      () => this.queues.renew(held, WORK_TIMES.leaseMs),
      () => undefined,
    );
    let brought = NOTHING;
    try {
      brought = await this.rehearse(held, NOTHING, stopping);
      for (;;) {
        const next = await this.turn(held, brought, stopping);
        if (next === null) this.keep(brought);
        this.comeBack(held, brought);
        if (next === null || next.kind === 'idle') return;
        brought = await this.between(held, next, stopping);
      }
    } catch (error) {
      this.keep(brought);
      releaseOf(brought);
      await this.queues.leave(held, isOverload(error) ? 0 : FAILED_BACK_OFF_MS).catch(() => undefined);
      throw error;
    }
  }

  /** Resolves when what takes longer than its dialogs' turns is over too. */
  async over(): Promise<void> {
    await this.late.over();
  }

  /** What a call came to is known to this process alone, so it is written also where the turn could not write it. */
  private keep({ carried }: Brought): void {
    if (!carried?.until) return;
    const { key, end, until } = carried;
    this.late.settle({ key, until, end: Promise.resolve(end) });
  }

  /** A dialog that was put off is served when its number's time for it comes, and not up to a sweep later. */
  private comeBack({ accountId, threadId }: HeldQueue, { prepared }: Brought): void {
    for (const { key, end, sooner } of prepared.filter(isEnd)) {
      if (end.kind !== 'later') continue;
      this.notifier.notifyIn('scenarios', { accountId, id: threadId }, end.inMs + CLOCK_SLACK_MS);
      if (sooner) this.late.bringForward(key, sooner);
    }
  }

  /**
   * Meets the needs of the message that the next turn will probably send, so that this turn begins it at once. It is a
   * guess by what is read without a lock, and decides nothing, not even by its failure. A call is not prepared by a
   * guess: it would connect.
   */
  private async rehearse(held: HeldQueue, brought: Brought, stopping: AbortSignal): Promise<Brought> {
    if (stopping.aborted) return brought;
    try {
      const view = await this.dialogs.look(held);
      if (!view) return brought;
      const nothing = { elapsed: () => new ElapsedTime(), isStopping: false, onStep: () => undefined };
      const next = await new DialogTurn({ held, ...brought, ...nothing }, view, null).play();
      if (next.kind !== 'prepare' || next.order.kind !== 'message') return brought;
      return { ...brought, prepared: [await this.prepare(next.key, next.order)] };
    } catch (error) {
      this.logger.debug(
        { err: error, thread_id: formatThreadId(held.threadId) },
        'A turn could not be rehearsed.',
      );
      return brought;
    }
  }

  /** @returns null when another process serves the dialog by now. */
  private async turn(
    held: HeldQueue,
    brought: Brought,
    stopping: AbortSignal,
    triesLeft = BUSY_TRIES,
  ): Promise<NextTurn | null> {
    let elapsed = new ElapsedTime();
    const steps: MadeStep[] = [];
    const begunAt = Date.now();
    let playing: DialogTurn | null = null;
    try {
      // The permit's time begins before anything is read that decides. The wait for the lock is not part of it.
      const onLocked = (): void => {
        elapsed = new ElapsedTime();
        playing = null;
      };
      const work = (at: DialogTransaction): Promise<NextTurn> => {
        steps.length = 0;
        const onStep = (step: MadeStep): void => void steps.push(step);
        const turn = { held, ...brought, elapsed: () => elapsed, isStopping: stopping.aborted, onStep };
        playing = new DialogTurn(turn, at.view, at);
        return playing.play();
      };
      const next = await this.dialogs.transact(held, onLocked, work, this.mayFail(held, brought));
      for (const step of steps) {
        this.counts.step(step.kind, step.outcome, step.lateMs);
        noteSpan(step.run.cause.trace, () => spanOfStep(step, begunAt));
      }
      if (next !== null) this.eventNotifier.notify(held.accountId);
      if (next?.kind !== 'carry') releaseOf(brought);
      return next;
    } catch (error) {
      // Nothing was written. What this process carried out is known to it alone, so it waits for whoever has the dialog.
      if (error instanceof RowBusyError && brought.carried && triesLeft > 0)
        return this.turn(held, brought, stopping, triesLeft - 1);
      releaseOf(brought);
      const failed = (playing as DialogTurn | null)?.acting;
      if (!failed || wasGivenUp(brought, failed) || isOverload(error)) throw error;
      if (error instanceof OutboxRefusal) this.quotaFull.set(held.accountId, performance.now());
      const isHeld = error instanceof RecipientRefusal && error.reason === 'takeover';
      const prepared = isHeld
        ? { key: failed, end: { kind: 'later', inMs: TAKEOVER_AGAIN_MS } as const }
        : failedErrand(failed, this.errorOf(failed, error));
      return this.turn(
        held,
        { ...brought, prepared: [...brought.prepared.filter(isEnd), prepared] },
        stopping,
      );
    }
  }

  /** Whether the turn is likely to be rolled back, or to wait: then it is not done together with others. */
  private mayFail({ accountId }: HeldQueue, { prepared }: Brought): boolean {
    const fullAt = this.quotaFull.get(accountId) ?? -Infinity;
    const isFull = performance.now() - fullAt < QUOTA_AGAIN_MS;
    if (!isFull) this.quotaFull.delete(accountId);
    return prepared.some((each) => 'ready' in each && (each.ready.waits || isFull));
  }

  /** What a step failed of whose transaction was rolled back. One that fails for a reason of ours stops nothing else. */
  private errorOf(key: ErrandKey, error: unknown): StepError {
    if (error instanceof OutboxRefusal) return QUOTA_FULL;
    if (error instanceof RecipientRefusal) return OPTED_OUT;
    this.logger.error({ ...aboutOf(key), err: error }, 'A step of a scenario could not be made.');
    return OUR_FAULT;
  }

  /** What is done between two turns, outside of any transaction. */
  private async between(
    held: HeldQueue,
    next: Exclude<NextTurn, { kind: 'idle' }>,
    stopping: AbortSignal,
  ): Promise<Brought> {
    if (next.kind === 'prepare')
      return { carried: null, prepared: [await this.prepare(next.key, next.order)] };
    const carried = next.kind === 'carry' ? await this.carryOut(held, next.errand, stopping) : null;
    const brought = { carried, prepared: [] };
    return next.willSend ? this.rehearse(held, brought, stopping) : brought;
  }

  private async prepare(key: ErrandKey, order: ErrandOrder): Promise<PreparedErrand> {
    const ready = await this.errands[order.kind].prepare(key, order);
    if ('failed' in ready) return failedErrand(key, ready.failed);
    if ('inMs' in ready) {
      const { inMs, sooner } = ready;
      return { key, end: { kind: 'later', inMs }, ...(sooner && { sooner }) };
    }
    await ready.whenDue();
    return { key, ready };
  }

  private async carryOut(
    held: HeldQueue,
    errand: ReadyErrand,
    stopping: AbortSignal,
  ): Promise<CarriedErrand | null> {
    let reported: Promise<void> = Promise.resolve();
    // Whoever waits for the permit goes on after a second in any case.
    const onWritten = (): void => void (reported = this.queues.permitUsed(held).catch(() => undefined));
    const { key, waitLimit } = errand;
    const ending = this.endOf(errand, onWritten, stopping);
    try {
      if (waitLimit === null) return { key, end: await ending };
      const { ms, until } = waitLimit;
      const end = await (this.late.hasRoom(held.accountId) ? within(ending, ms) : ending);
      if (end) return { key, end, until };
      this.late.settle({ key, until, end: ending });
      return null;
    } finally {
      // Before the next turn, which may grant another permit: this statement would take that one away.
      await reported;
    }
  }

  private async endOf(errand: ReadyErrand, onWritten: () => void, stopping: AbortSignal): Promise<ErrandEnd> {
    try {
      return await asSpanOf(
        errand.key.run.cause.trace,
        () => spanOfErrand(errand.key),
        () => errand.carryOut(onWritten, stopping),
      );
    } catch (error) {
      this.logger.error(
        { ...aboutOf(errand.key), err: error },
        'A step of a scenario could not be carried out.',
      );
      throw error;
    } finally {
      errand.release();
    }
  }
}

/** Whether a step was to be put off or to fail already. */
const wasGivenUp = ({ prepared }: Brought, { run, index }: ErrandKey): boolean =>
  prepared.filter(isEnd).some(({ key }) => isStepOf(key, run, index));

function releaseOf({ prepared }: Brought): void {
  for (const each of prepared) if ('ready' in each) each.ready.release();
}

/** The database does not answer now, or not soon. That says nothing about a dialog. */
const isOverload = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError || error instanceof TooManyWaitingError;

const aboutOf = ({ accountId, threadId, run }: ErrandKey) => ({
  ...{ account_id: accountId, thread_id: formatThreadId(threadId), run_id: run.id },
});
