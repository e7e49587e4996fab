import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ValidationError } from '@app/contracts/coded.errors';
import { type StageKind, foldAskedName } from '@app/contracts/stage.words';
import { isUuid } from '@app/contracts/uuid.format';
import type { FunnelPosition } from '@app/contracts/values/list-position.format';
import { AssistantRepository } from '@app/persistence/assistants/assistant.repository';
import {
  STAGE_ORDER_MAX,
  type StageSettings,
  StageRepository,
  type StageRow,
  type OwnedStage,
} from '@app/persistence/assistants/stage.repository';
import { ArchivedStageRepository } from '@app/persistence/scenarios/stages/archived-stage.repository';
import { Injectable } from '@nestjs/common';
import { AccountCaps } from '../accounts/account-caps';
import { callOf, reachOf, type Principal } from '../accounts/principal.rules';
import { Audit } from '../audit/audit.service';
import type { AuditedThing } from '../audit/audited-thing';
import { EventNotifier } from '../events/event-notifier.service';
import { PERMIT_MS } from '../scenarios/effects/errand';
import { AssistantUnknownError, StageInUseError, StageUnknownError } from './assistant.errors';
import { StageEmptying } from './stage-emptying.service';

/** The defaults of a new stage. */
const STAGE_DEFAULTS: Readonly<Omit<StageSettings, 'name' | 'name_folded' | 'kind'>> = {
  description: null,
  ai_enabled: true,
  ai_transition_locked: false,
  on_enter: null,
};

/** Longest texts of a stage, in characters. */
export const STAGE_NAME_LONGEST = 200;
export const STAGE_DESCRIPTION_LONGEST = 1_000;

/** Least and most of its position. */
export const STAGE_ORDER: [least: number, most: number] = [0, STAGE_ORDER_MAX];

const AUDITED_STAGE: AuditedThing<OwnedStage> = {
  type: 'status',
  subjectOf: ({ account_id: accountId, id, name }) => ({ accountId, id, name }),
  shown: [
    ...(['assistant_id', 'name', 'kind', 'order', 'description'] as const),
    ...(['ai_enabled', 'ai_transition_locked', 'on_enter'] as const),
  ],
};

/** A stage as admins see it. */
export type Stage = StageRow;

type StageOptions = Partial<Omit<Stage, 'id' | 'assistant_id'>>;

type NamedStage = StageOptions & { name: string; kind: StageKind };

/** Agents' funnels. An operator may read those of the own reach. */
@Injectable()
export class StagesService {
  constructor(
    private readonly stages: StageRepository,
    private readonly assistants: AssistantRepository,
    private readonly archived: ArchivedStageRepository,
    private readonly emptying: StageEmptying,
    private readonly eventNotifier: EventNotifier,
    private readonly audit: Audit,
    private readonly caps: AccountCaps,
  ) {}

  /**
   * Stages funnel by funnel: the agents in the order of their creation, each funnel in its order. With an agent, only
   * its funnel.
   */
  async list(
    by: Principal,
    assistantId: string | null,
    after: FunnelPosition | null,
    limit: number,
  ): Promise<Stage[]> {
    const reach = reachOf(by);
    if (assistantId !== null && !isUuid(assistantId)) return [];
    return this.stages.list(reach, assistantId, after, limit);
  }

  /** @throws StageUnknownError */
  async get(by: Principal, id: string): Promise<Stage> {
    const { account_id: _, ...stage } = await this.require(by, id);
    return stage;
  }

  /**
   * @throws AssistantUnknownError, or LimitReachedError for one stage more than a funnel may have.
   */
  async create(by: Principal, assistantId: string, given: NamedStage): Promise<Stage> {
    const reach = reachOf(by);
    const folded = { name_folded: foldName(given.name) };
    const assistant = isUuid(assistantId) ? await this.assistants.find(reach, assistantId) : null;
    if (!assistant) throw new AssistantUnknownError();
    const stage = { ...STAGE_DEFAULTS, order: null, ...given, ...folded };
    const owner = { accountId: assistant.account_id, assistantId: assistant.id };
    const made = await this.audit.change(by, 'status.create', AUDITED_STAGE, (entryOf) =>
      this.stages.create(owner, randomUUIDv7(), stage, this.caps.stages, entryOf),
    );
    this.eventNotifier.notify(owner.accountId);
    return made;
  }

  /**
   * Changes the fields that are given. The gate reads the stage for each part of a reply, so a change that silences
   * the agent works at once. A rule applies to leads that enter later.
   * @throws StageUnknownError
   */
  async change(by: Principal, id: string, change: StageOptions): Promise<Stage> {
    reachOf(by);
    const folded = change.name === undefined ? {} : { name_folded: foldName(change.name) };
    const stage = await this.require(by, id);
    const given = { ...change, ...folded };
    const changed = await this.audit.change(by, 'status.update', AUDITED_STAGE, (entryOf) =>
      this.stages.change(stage.account_id, stage.id, given, entryOf),
    );
    if (!changed) throw new StageUnknownError();
    this.eventNotifier.notify(stage.account_id);
    return changed;
  }

  /**
   * Archives a stage with its scenarios, and moves its leads. From the commit of the first step on, nothing that begins
   * can enter it; what had begun before may, and the worker moves it on. Resolves when no lead stands there, and when no
   * effect of a scenario that this ends can begin any more.
   * @param moveTo a stage of the same funnel; null: its leads have no stage then; undefined: no lead may stand there
   * @returns the stage as it was
   * @throws StageUnknownError, StageInUseError, or ValidationError for `move_to`
   */
  async archive(by: Principal, id: string, moveTo?: string | null): Promise<Stage> {
    const { account_id, ...stage } = await this.require(by, id);
    if (typeof moveTo === 'string' && !isUuid(moveTo)) throw noTarget();
    const owned = { account_id, assistant_id: stage.assistant_id, id: stage.id };
    const { actor, requestId: request_id } = callOf(by);
    const target = moveTo?.toLowerCase() ?? moveTo;
    const describe = ({ scenarios, leads }: { scenarios: number; leads: number }) => ({
      subject: { type: AUDITED_STAGE.type, accountId: account_id, id: stage.id, name: stage.name },
      before: { archived: false },
      after: { archived: true, moved_to: target ?? null, scenarios, leads },
    });
    const outcome = await this.audit.act(by, 'status.archive', describe, (entryOf) =>
      this.archived.archive(owned, { moveTo: target, by: { actor, request_id } }, entryOf),
    );
    if (outcome === 'no_stage') throw new StageUnknownError();
    if (outcome === 'no_target') throw noTarget();
    if (outcome === 'in_use') throw new StageInUseError();
    this.eventNotifier.notify(account_id);
    const anyRuns = await this.emptying.untilEmpty(owned);
    if (anyRuns || outcome.scenarios > 0) await sleep(PERMIT_MS / 2);
    return stage;
  }

  private async require(by: Principal, id: string): Promise<StageRow & { account_id: string }> {
    const reach = reachOf(by);
    const stage = isUuid(id) ? await this.stages.find(reach, id) : null;
    if (!stage) throw new StageUnknownError();
    return stage;
  }
}

const noTarget = (): ValidationError =>
  new ValidationError([
    { path: 'move_to', message: 'must be another stage of the same funnel, not archived, or none' },
  ]);

/**
 * @throws ValidationError for a name that no request could give: some letters become three when composed.
 */
function foldName(name: string): string {
  const folded = foldAskedName(name);
  if (folded !== null) return folded;
  throw new ValidationError([{ path: 'name', message: 'must be shorter in its composed form (NFC)' }]);
}
