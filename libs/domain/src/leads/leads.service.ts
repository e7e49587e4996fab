import { CodedError, ValidationError } from '@app/contracts/coded.errors';
import { isoOrNull } from '@app/contracts/values/iso-time';
import type { FunnelStage, MessageHandler, StageRef, StatusSetBy } from '@app/contracts/lead.words';
import { formatThreadId, threadIdOrNothing, idOrNothing } from '@app/contracts/uuid.format';
import { RowBusyError } from '@app/persistence/database/database.errors';
import { LeadRepository, type Moved, type MoveRequest } from '@app/persistence/leads/lead.repository';
import type { MoveOutcome } from '@app/persistence/leads/lead.statements';
import type { WouldStart } from '@app/persistence/scenarios/runs/scenario-start.repository';
import { Injectable } from '@nestjs/common';
import { Principals } from '../accounts/principals.service';
import { callOf, setterOf, visibilityOf, type Principal } from '../accounts/principal.rules';
import { EventNotifier } from '../events/event-notifier.service';
import { WorkNotifier } from '../work/work-notifier';
import { DryRunPreview, handlerOf, stageOf } from './lead.presenter';
import {
  AssistantNotFoundError,
  StatusAmbiguousError,
  StatusConflictError,
  StatusNotFoundError,
  ThreadNotFoundError,
} from './lead.errors';
import { ReplyAbility } from './reply-ability';
import { RunPermits } from './run-permits';
import { StartForecast } from './start-forecast.port';
import { foldAskedName } from '@app/contracts/stage.words';

export interface Lead {
  thread_id: string;
  assistant_id: string;
  channel: string;
  phone: string | null;
  message_handler: MessageHandler;
  status: StageRef | null;
  status_set_at: string | null;
  status_set_by: StatusSetBy | null;
}

/** Where to move a lead: exactly one of a stage id (null clears) and a stage name. */
export type StageTarget = { statusId: string | null } | { statusName: string };

export interface SetStatusRequest {
  threadId: string;
  target: StageTarget;
  answerPendingMessage: boolean;
  expectedStatusId?: string | null;
  skipScenarios?: boolean;
}

export interface SetStatusAnswer {
  thread_id: string;
  changed: boolean;
  answered_pending_message: boolean;
  status: (StageRef & { ai_enabled: boolean }) | null;
}

export interface BulkOptions {
  dryRun: boolean;
  startScenarios: boolean;
}

export interface BulkAnswer {
  results: BulkResult[];
  /** With a dry run: what scenarios would do, at most. */
  would_start?: WouldStart;
}

export type BulkResult =
  | { index: number; ok: true; data: SetStatusAnswer }
  | { index: number; ok: false; error: { code: string; message: string } };

/** Each locked dialog costs the whole lock time limit, so a call may pass over only a few of them. */
const BUSY_ROWS_MAX = 5;

/** A key is revoked everywhere within a second, so longer work checks its key again. */
const KEY_LOOKED_AT_MS = 500;

/** Funnels, and the stages of leads in them. */
@Injectable()
export class LeadsService {
  constructor(
    private readonly leads: LeadRepository,
    private readonly eventNotifier: EventNotifier,
    private readonly principals: Principals,
    private readonly work: WorkNotifier,
    private readonly ability: ReplyAbility,
    private readonly runPermits: RunPermits,
    private readonly forecast: StartForecast,
  ) {}

  /**
   * The whole funnel of an agent. Without a name, of the only agent.
   * @throws AssistantNotFoundError, or ValidationError when several agents are attached and none is named.
   */
  async getStatuses(
    by: Principal,
    assistantId?: string,
  ): Promise<{ assistant_id: string; statuses: FunnelStage[] }> {
    const { accountId, assistantIds } = visibilityOf(by);
    const [only] = assistantIds;
    if (only === undefined) throw new AssistantNotFoundError();
    if (assistantId === undefined && assistantIds.length > 1) {
      throw new ValidationError([
        { path: 'assistant_id', message: 'is required: several agents are attached to this API key' },
      ]);
    }
    const wanted = (assistantId ?? only).toLowerCase();
    if (!assistantIds.includes(wanted)) throw new AssistantNotFoundError();
    return { assistant_id: wanted, statuses: await this.leads.listFunnel(accountId, wanted) };
  }

  /** @throws ThreadNotFoundError */
  async getLead(by: Principal, threadId: string): Promise<Lead> {
    const row = await this.leads.findLead(visibilityOf(by), threadIdOrNothing(threadId));
    if (!row) throw new ThreadNotFoundError();
    return {
      thread_id: formatThreadId(row.id),
      assistant_id: row.assistant_id,
      channel: row.channel.toUpperCase(),
      phone: row.phone,
      message_handler: handlerOf(row),
      status: stageOf(row),
      status_set_at: isoOrNull(row.status_set_at),
      status_set_by: row.status_set_by,
    };
  }

  /**
   * Moves a lead, or clears its stage, as an operator does who drags the card.
   * @throws ThreadNotFoundError, StatusNotFoundError, StatusAmbiguousError, StatusConflictError
   */
  async setStatus(by: Principal, request: SetStatusRequest): Promise<SetStatusAnswer> {
    return this.move(by, request, request.skipScenarios ?? false, null);
  }

  /**
   * Makes many moves in order, each independent of the others. A few dialogs that another statement has locked may be
   * passed over. The list stops when the key is revoked, expires or may not move leads any more, the database
   * becomes unavailable, the account gets no slot, or too many dialogs are locked. Items done before keep their answers;
   * later ones are not tried and get that refusal.
   * @throws DatabaseUnavailableError, TooManyWaitingError when that happens at the first move.
   */
  async setStatusBulk(
    by: Principal,
    requests: readonly SetStatusRequest[],
    options: BulkOptions,
  ): Promise<BulkAnswer> {
    const results: BulkResult[] = [];
    const preview = options.dryRun ? new DryRunPreview() : null;
    let end: CodedError | null = null;
    let busy = 0;
    let caller = by;
    let lookedAtKey = performance.now();
    for (const [index, request] of requests.entries()) {
      try {
        if (end) throw end;
        if (performance.now() - lookedAtKey > KEY_LOOKED_AT_MS) {
          caller = await this.principals.requireStillActive(by, 'lead.set_status_bulk');
          lookedAtKey = performance.now();
        }
        results.push({
          index,
          ok: true,
          data: await this.move(caller, request, !mayStart(request, options), preview),
        });
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        if (error instanceof RowBusyError) busy += 1;
        if (error.code === 'UNAVAILABLE' && (!(error instanceof RowBusyError) || busy > BUSY_ROWS_MAX)) {
          if (index === 0) throw error;
          end = error;
        }
        if (error.code === 'UNAUTHORIZED' || error.code === 'FORBIDDEN') end = error;
        results.push({ index, ok: false, error: { code: error.code, message: error.message } });
      }
    }
    if (!options.dryRun) return { results };
    const starting = results.filter(({ index }) => mayStart(requests[index], options));
    return { results, would_start: await this.wouldStart(by, starting) };
  }

  private async wouldStart(by: Principal, results: readonly BulkResult[]): Promise<WouldStart> {
    const entered = results.flatMap((result) =>
      result.ok && result.data.changed && result.data.status
        ? [{ threadId: threadIdOrNothing(result.data.thread_id), statusId: result.data.status.id }]
        : [],
    );
    if (entered.length === 0) return { runs: 0, messages: 0 };
    return this.forecast.of(visibilityOf(by).accountId, entered);
  }

  private async move(
    by: Principal,
    request: SetStatusRequest,
    skipScenarios: boolean,
    preview: DryRunPreview | null,
  ): Promise<SetStatusAnswer> {
    const of = visibilityOf(by);
    const threadId = threadIdOrNothing(request.threadId);
    const { expectedStatusId } = request;
    const move: MoveRequest = {
      threadId,
      statusId: await this.resolveTarget(by, threadId, request.target),
      setBy: setterOf(by),
      ...callOf(by),
      answerPendingMessage: request.answerPendingMessage && this.ability.hasModel,
      cipherKeyId: this.ability.cipherKeyId,
      expectedStatusId:
        typeof expectedStatusId === 'string' ? idOrNothing(expectedStatusId) : expectedStatusId,
      skipScenarios,
      tellsBoards: this.eventNotifier.isWatched(of.accountId),
    };
    const outcome: Moved | null = preview
      ? await this.leads.previewMove(of, move, preview.of(threadId))
      : await this.leads.moveToStage(of, move);
    if (!outcome) throw new ThreadNotFoundError();
    preview?.remember(move, outcome);
    if (outcome.verdict === 'no_stage') throw new StatusNotFoundError();
    if (outcome.verdict === 'conflict') throw new StatusConflictError();
    if (outcome.seq !== null) this.eventNotifier.notify(of.accountId, outcome.committed);
    if (outcome.reply_id !== null)
      this.work.notify('replies', { accountId: of.accountId, id: outcome.reply_id });
    // Also where it did not move: another call may just have moved it out of a run's stage.
    if (outcome.has_runs && !preview) {
      if (outcome.verdict === 'move')
        this.work.notify('scenarios', { accountId: of.accountId, id: threadId });
      await this.runPermits.untilNone(of.accountId, threadId);
    }
    return {
      thread_id: formatThreadId(threadId),
      changed: outcome.verdict === 'move',
      answered_pending_message: outcome.took,
      status: targetStage(outcome),
    };
  }

  private async resolveTarget(by: Principal, threadId: string, target: StageTarget): Promise<string | null> {
    if ('statusId' in target) return target.statusId === null ? null : idOrNothing(target.statusId);
    const name = foldAskedName(target.statusName);
    const candidates = await this.leads.findStatusesByName(visibilityOf(by), threadId, name);
    if (!candidates) throw new ThreadNotFoundError();
    const [first, second] = candidates.status_ids;
    if (first === undefined) throw new StatusNotFoundError();
    if (second !== undefined) throw new StatusAmbiguousError();
    return first;
  }
}

/** A bulk call starts scenarios only where it says so, and never those of an item that does not want them. */
const mayStart = (request: SetStatusRequest | undefined, { startScenarios }: BulkOptions): boolean =>
  startScenarios && request?.skipScenarios !== true;

function targetStage(outcome: MoveOutcome): SetStatusAnswer['status'] {
  const {
    stage_id: id,
    stage_name: name,
    stage_kind: kind,
    stage_order: order,
    stage_ai_enabled: ai,
  } = outcome;
  if (id === null || name === null || kind === null || order === null || ai === null) return null;
  return { id, name, kind, order, ai_enabled: ai };
}
