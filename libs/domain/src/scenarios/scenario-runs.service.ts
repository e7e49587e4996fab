import { randomUUIDv7 } from 'node:crypto';
import type { StepError } from '@app/contracts/scenario.words';
import { formatThreadId } from '@app/contracts/thread-id.format';
import { DatabaseUnavailableError } from '@app/persistence/database/database.errors';
import { OutboxRefusal } from '@app/persistence/messages/outbox.repository';
import { DialogRunsRepository } from '@app/persistence/scenarios/dialog-runs.repository';
import { RecipientRefusal } from '@app/persistence/scenarios/recipient.dialog';
import { RunQueueRepository, type HeldQueue } from '@app/persistence/scenarios/run-queue.repository';
import { Injectable, Logger } from '@nestjs/common';
import { EventNotifier } from '../events/event-notifier.service';
import { ElapsedTime } from '../messages/elapsed.time';
import { LeaseRenewal } from '../work/lease.renewal';
import { WORK_TIMES } from '../work/work.times';
import type { WorkItem } from '../work/worker';
import { CallErrands } from './call.errand';
import {
  DialogTurn,
  failedErrand,
  type CarriedErrand,
  type NextTurn,
  type PreparedErrand,
  type Turn,
} from './dialog.turn';
import type { ErrandKey, ErrandKind, ReadyErrand } from './errand';
import { MessageErrands } from './message.errand';
import { ScenarioCounts } from './scenario.counts';
import type { ErrandOrder } from './step.decision';

/** Renewals within one lease, so that a failed one loses nothing. */
const RENEWALS = 3;
/** Dialogs of one account that one sweep finds. */
const DUE_OF_ACCOUNT = 1_000;

/** A dialog that cannot be served for a reason of ours is tried again then, and holds up nothing else meanwhile. */
const FAILED_BACK_OFF_MS = 30_000;

/** The end of a takeover in another dialog of the customer wakes no run, so it is looked for. */
const TAKEOVER_AGAIN_MS = 30_000;

const QUOTA_FULL = { code: 'QUOTA_EXCEEDED', message: 'The month’s quota is used up.' };
const OPTED_OUT = { code: 'THREAD_OPTED_OUT', message: 'The customer unsubscribed on that channel.' };
const OUR_FAULT = { code: 'INTERNAL_ERROR', message: 'The step could not be carried out.' };

/** What a process brings from one turn to the next. */
type Brought = Pick<Turn, 'carried' | 'prepared'>;

const NOTHING: Brought = { carried: null, prepared: null };

/** Carries out the runs of scenarios, dialog by dialog: one process at a time serves a dialog. */
@Injectable()
export class ScenarioRuns {
  private readonly logger = new Logger(ScenarioRuns.name);
  private readonly errands: { readonly [Kind in ErrandOrder['kind']]: ErrandKind };

  constructor(
    private readonly queues: RunQueueRepository,
    private readonly dialogs: DialogRunsRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly counts: ScenarioCounts,
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
      brought = await this.rehearse(held, NOTHING);
      for (;;) {
        const next = await this.turn(held, brought, stopping);
        if (next === null || next.kind === 'idle') return;
        brought = await this.between(held, next, stopping);
      }
    } catch (error) {
      releaseOf(brought);
      const isAway = error instanceof DatabaseUnavailableError;
      await this.queues.leave(held, isAway ? 0 : FAILED_BACK_OFF_MS).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Meets the needs of the message that the next turn will probably send, so that this turn begins it at once. It is a
   * guess by what is read without a lock, and decides nothing. A call is not prepared by a guess: it would connect.
   */
  private async rehearse(held: HeldQueue, brought: Brought): Promise<Brought> {
    const view = await this.dialogs.look(held);
    if (!view) return brought;
    const nothing = { elapsed: () => new ElapsedTime(), isStopping: false, onStep: () => undefined };
    const next = await new DialogTurn({ held, ...brought, ...nothing }, view, null).play();
    if (next.kind !== 'prepare' || next.order.kind !== 'message') return brought;
    return { ...brought, prepared: await this.prepare(next.key, next.order) };
  }

  /** @returns null when another process serves the dialog by now. */
  private async turn(held: HeldQueue, brought: Brought, stopping: AbortSignal): Promise<NextTurn | null> {
    let elapsed = new ElapsedTime();
    const steps: Parameters<ScenarioCounts['step']>[] = [];
    let playing: DialogTurn | null = null;
    try {
      // The permit's time begins before anything is read that decides. The wait for the lock is not part of it.
      const onLocked = (): void => void (elapsed = new ElapsedTime());
      const next = await this.dialogs.transact(held, onLocked, (at) => {
        steps.length = 0;
        const onStep = (...step: Parameters<ScenarioCounts['step']>): void => void steps.push(step);
        const turn = { held, ...brought, elapsed: () => elapsed, isStopping: stopping.aborted, onStep };
        playing = new DialogTurn(turn, at.view, at);
        return playing.play();
      });
      for (const step of steps) this.counts.step(...step);
      if (next !== null) this.eventNotifier.notify();
      if (next?.kind !== 'carry') releaseOf(brought);
      return next;
    } catch (error) {
      // Nothing was written.
      releaseOf(brought);
      const failed = (playing as DialogTurn | null)?.acting;
      if (!failed || wasGivenUp(brought, failed) || error instanceof DatabaseUnavailableError) throw error;
      const isHeld = error instanceof RecipientRefusal && error.reason === 'takeover';
      const prepared = isHeld
        ? { key: failed, end: { kind: 'later', inMs: TAKEOVER_AGAIN_MS } as const }
        : failedErrand(failed, this.errorOf(failed, error));
      return this.turn(held, { ...brought, prepared }, stopping);
    }
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
    if (next.kind === 'prepare') return { carried: null, prepared: await this.prepare(next.key, next.order) };
    const carried = next.kind === 'carry' ? await this.carryOut(held, next.errand, stopping) : null;
    const brought = { carried, prepared: null };
    return next.willSend ? this.rehearse(held, brought) : brought;
  }

  private async prepare(key: ErrandKey, order: ErrandOrder): Promise<PreparedErrand> {
    const ready = await this.errands[order.kind].prepare(key, order);
    if ('failed' in ready) return failedErrand(key, ready.failed);
    if ('inMs' in ready) return { key, end: { kind: 'later', inMs: ready.inMs } };
    await ready.whenDue();
    return { key, ready };
  }

  private async carryOut(
    held: HeldQueue,
    errand: ReadyErrand,
    stopping: AbortSignal,
  ): Promise<CarriedErrand> {
    let reported: Promise<void> = Promise.resolve();
    // Whoever waits for the permit goes on after a second in any case.
    const onWritten = (): void => void (reported = this.queues.permitUsed(held).catch(() => undefined));
    const { key } = errand;
    try {
      return { key, end: await errand.carryOut(onWritten, stopping) };
    } catch (error) {
      this.logger.error({ ...aboutOf(key), err: error }, 'A step of a scenario could not be carried out.');
      throw error;
    } finally {
      errand.release();
      // Before the next turn, which may grant another permit: this statement would take that one away.
      await reported;
    }
  }
}

/** Whether a step was to be put off or to fail already. */
const wasGivenUp = ({ prepared }: Brought, { run, index }: ErrandKey): boolean =>
  prepared !== null && 'end' in prepared && prepared.key.run.id === run.id && prepared.key.index === index;

const releaseOf = ({ prepared }: Brought): void => {
  if (prepared && 'ready' in prepared) prepared.ready.release();
};

const aboutOf = ({ accountId, threadId, run }: ErrandKey) => ({
  ...{ account_id: accountId, thread_id: formatThreadId(threadId), run_id: run.id },
});
