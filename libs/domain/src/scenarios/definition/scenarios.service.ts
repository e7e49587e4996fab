import { randomUUIDv7 } from 'node:crypto';
import { OVERLAP_HOURS } from '@app/contracts/webhook.words';
import { type FieldViolation, ValidationError } from '@app/contracts/coded.errors';
import type { ScenarioPosition } from '@app/contracts/values/list-position.format';
import { SCENARIO_LIMITS } from '@app/contracts/scenario.words';
import { isObject } from '@app/contracts/json-object';
import { isUuid } from '@app/contracts/uuid.format';
import { UserRepository } from '@app/persistence/accounts/people/user.repository';
import {
  ScenarioRepository,
  type Funnel,
  type ScenarioChange,
  type StoppedBy,
  type ScenarioKey,
  type ScenarioRow,
  type ScenarioSettings,
} from '@app/persistence/scenarios/definition/scenario.repository';
import { TemplateRepository } from '@app/persistence/templates/template.repository';
import { Injectable } from '@nestjs/common';
import { callOf, reachOf, requireConfirmed, type Principal } from '../../accounts/principal.rules';
import type { Changed } from '@app/persistence/audit/audit.repository';
import { Audit } from '../../audit/audit.service';
import { SECRET_CHANGED } from '../../audit/audited-thing';
import { HttpToolCaller } from '../../assistants/http-tool.port';
import { StageUnknownError } from '../../assistants/assistant.errors';
import { SecretCipher } from '../../accounts/secret-cipher.port';
import { untilEarlierPermitsAreVoid } from '../../accounts/void-permits';
import { ofScenario, scenarioAct, presentScenario, type Scenario, storedSteps } from './scenario.presenter';
import { ScenarioNotFoundError } from './scenario.errors';
import { ScenarioSecrets } from './scenario-secrets.service';
import { SCENARIO_DEFAULTS, violationsOfSteps } from './steps-check';
import { sendHoursOf, violationsOfSendHours } from './send-hours.rules';
import type { GivenStep, StepPlace } from '../steps/step-fields';
import { templateIdsIn, violationsOfTemplates } from './template-values';

/** Settings as an admin gives them. The steps and the hours have not been checked. */
export type GivenScenario = Partial<Omit<ScenarioSettings, 'send_hours'>> & {
  send_hours?: unknown;
  steps?: readonly unknown[];
};

/** A scenario with the secret by which its calls are signed. */
export type NewScenario = Scenario & { signing_secret: string };

/** Whether they send what they know of customers, and their sealed headers, elsewhere. */
const callsOut = (steps: readonly unknown[] | undefined): boolean =>
  steps?.some((step) => isObject(step) && step.kind === 'http') ?? false;

/** Stages' scenarios. An operator may read those of the own reach. */
@Injectable()
export class ScenariosService {
  constructor(
    private readonly scenarios: ScenarioRepository,
    private readonly cipher: SecretCipher,
    private readonly caller: HttpToolCaller,
    private readonly secrets: ScenarioSecrets,
    private readonly users: UserRepository,
    private readonly templates: TemplateRepository,
    private readonly audit: Audit,
  ) {}

  /**
   * Scenarios agent by agent and stage by stage, in the order of their making, each stage's in its order. Those of an
   * agent or a stage that does not exist are none.
   */
  async list(
    by: Principal,
    filter: { assistantId: string | null; statusId: string | null },
    after: ScenarioPosition | null,
    limit: number,
  ): Promise<Scenario[]> {
    const reach = reachOf(by);
    if (Object.values(filter).some((id) => id !== null && !isUuid(id))) return [];
    return (await this.scenarios.list(reach, filter, after, limit)).map(presentScenario);
  }

  /** @throws ScenarioNotFoundError */
  async get(by: Principal, id: string): Promise<Scenario> {
    return presentScenario(await this.require(by, id));
  }

  /**
   * @throws StageUnknownError, or ValidationError for a definition with violations, or one scenario more than a stage
   * may have.
   */
  async create(
    by: Principal,
    statusId: string,
    given: GivenScenario & { name: string },
  ): Promise<NewScenario> {
    const reach = reachOf(by);
    if (callsOut(given.steps)) requireConfirmed(by);
    const named = idsNamedBy(given.steps ?? [], 'status_id');
    const funnel = isUuid(statusId) ? await this.scenarios.funnelOf(reach, statusId, named) : null;
    if (!funnel) throw new StageUnknownError();
    const { steps = [], send_hours: hours = null, ...options } = given;
    const settings = { ...SCENARIO_DEFAULTS, ...options };
    refuse([...(await this.violationsOf(steps, funnel)), ...violationsOfSendHours(hours, 'send_hours')]);
    const { account_id: accountId } = funnel.stage;
    const id = randomUUIDv7();
    const stored = storedSteps(this.cipher, { accountId, scenarioId: id }, steps as GivenStep[], []);
    const scenario = { ...settings, send_hours: sendHoursOf(hours) };
    const secret = this.secrets.first({ accountId, scenarioId: id });
    const parts = { steps: stored, secret: secret.stored };
    const made = await this.audit.act(
      by,
      'scenario.create',
      (change: Changed<ScenarioRow>) => scenarioAct(change),
      (entryOf) => this.scenarios.create(funnel.stage, id, scenario, parts, entryOf),
    );
    if (made === 'no_stage') throw new StageUnknownError();
    if (made === 'too_many') {
      const message = `has ${SCENARIO_LIMITS.ofStageMax} scenarios already: delete one of them, or name another stage`;
      throw new ValidationError([{ path: 'status_id', message }]);
    }
    return { ...presentScenario(made), signing_secret: secret.shown };
  }

  /**
   * Changes the fields that are given; steps are replaced as a whole, and make a new revision.
   * @param cancelsRuns whether the runs under way are cancelled; else they keep the steps that they began with
   * @throws ScenarioNotFoundError, or ValidationError where the whole would have violations
   */
  async change(by: Principal, id: string, given: GivenScenario, cancelsRuns: boolean): Promise<Scenario> {
    const scenario = await this.require(by, id);
    if (callsOut(given.steps)) requireConfirmed(by);
    const { steps, send_hours: hours, ...settings } = given;
    const funnel =
      steps &&
      (await this.scenarios.funnelOf(reachOf(by), scenario.status_id, idsNamedBy(steps, 'status_id')));
    refuse([
      ...(steps ? await this.violationsOf(steps, funnel ?? null) : []),
      // A template may have changed since its scenario was switched off.
      ...(!steps && settings.state === 'on' && scenario.state !== 'on'
        ? await this.violationsOfValues(scenario.steps, scenario)
        : []),
      ...(hours === undefined ? [] : violationsOfSendHours(hours, 'send_hours')),
    ]);
    const decide = (present: ScenarioRow): ScenarioChange => {
      const owner = { accountId: present.account_id, scenarioId: present.id };
      return {
        settings: {
          ...settings,
          ...(hours !== undefined && { send_hours: sendHoursOf(hours) }),
        },
        ...(steps && { steps: storedSteps(this.cipher, owner, steps as GivenStep[], present.steps) }),
        cancelsRuns: cancelsRuns ? stoppedBy(by) : null,
      };
    };
    const describe = (change: Changed<ScenarioRow>) => scenarioAct(change, { cancelsRuns });
    const changed = await this.audit.act(by, 'scenario.update', describe, (entryOf) =>
      this.scenarios.change(scenario, decide, entryOf),
    );
    if (!changed) throw new ScenarioNotFoundError();
    if (cancelsRuns || settings.state === 'paused') await this.untilNothingBegins(changed);
    return presentScenario(changed);
  }

  /**
   * Cancels the runs that have begun. Those that begin later are not concerned.
   * @returns how many there were
   * @throws ScenarioNotFoundError
   */
  async cancelRuns(by: Principal, id: string): Promise<{ cancelled: number }> {
    const scenario = await this.require(by, id);
    const describe = (runs: number) => ({ subject: ofScenario(scenario), after: { cancelled: runs } });
    const cancelled = await this.audit.act(by, 'scenario.cancel_runs', describe, (entryOf) =>
      this.scenarios.cancelRuns(scenario, stoppedBy(by), entryOf),
    );
    if (cancelled === null) throw new ScenarioNotFoundError();
    await this.untilNothingBegins(scenario);
    return { cancelled };
  }

  /**
   * Archives a scenario, and cancels its runs. The runs stay readable.
   * @throws ScenarioNotFoundError
   */
  async archive(by: Principal, id: string): Promise<Scenario> {
    const scenario = await this.require(by, id);
    const archived = await this.audit.act(
      by,
      'scenario.archive',
      (change: Changed<ScenarioRow>) => scenarioAct(change),
      (entryOf) => this.scenarios.archive(scenario, stoppedBy(by), entryOf),
    );
    if (!archived) throw new ScenarioNotFoundError();
    await this.untilNothingBegins(archived);
    return presentScenario(archived);
  }

  /**
   * Makes a new secret for the scenario's calls. The former one signs too for the given hours.
   * @returns the secret, which is shown this once
   * @throws ScenarioNotFoundError
   */
  async rotateSecret(by: Principal, id: string, overlapHours?: number): Promise<string> {
    const scenario = await this.require(by, id);
    const { account_id: accountId, id: scenarioId } = scenario;
    const after = { signing_secret: SECRET_CHANGED, overlap_hours: overlapHours ?? OVERLAP_HOURS };
    const act = { subject: ofScenario(scenario), after };
    return this.audit.act(
      by,
      'scenario.rotate_secret',
      () => act,
      (entryOf) => this.secrets.rotate({ accountId, scenarioId }, overlapHours, entryOf),
    );
  }

  /**
   * After the commit that ends or holds the runs. A run that has a permit for an effect is one of the open ones: one
   * that is inserted later sees the commit.
   */
  private async untilNothingBegins(key: ScenarioKey): Promise<void> {
    if (await this.scenarios.hasOpenRuns(key)) await untilEarlierPermitsAreVoid();
  }

  private async require(by: Principal, id: string): Promise<ScenarioRow> {
    const reach = reachOf(by);
    const scenario = isUuid(id) ? await this.scenarios.find(reach, id) : null;
    if (!scenario) throw new ScenarioNotFoundError();
    return scenario;
  }

  private async violationsOf(steps: readonly unknown[], funnel: Funnel | null): Promise<FieldViolation[]> {
    const named = idsNamedBy(steps, 'user_id');
    const known = funnel && named.length > 0 ? await this.users.known(funnel.stage.account_id, named) : [];
    const violations = violationsOfSteps(steps, {
      ...stagesOf(funnel),
      userIds: new Set(known),
      violationOfUrl: (url) => this.caller.violationOfUrl(url),
    });
    return violations.length > 0 || !funnel ? violations : this.violationsOfValues(steps, funnel.stage);
  }

  /** What the templates of the steps need and do not get, or get and do not need. */
  private async violationsOfValues(
    steps: readonly unknown[],
    { account_id: accountId, assistant_id: assistantId }: Pick<ScenarioRow, 'account_id' | 'assistant_id'>,
  ): Promise<FieldViolation[]> {
    const ids = templateIdsIn(steps);
    if (ids.length === 0) return [];
    return violationsOfTemplates(steps, await this.templates.ofAgent(accountId, assistantId, ids));
  }
}

function stoppedBy(by: Principal): StoppedBy {
  const { actor, requestId } = callOf(by);
  return { actor, request_id: requestId };
}

/** Ids that steps name in a field, which may be none of stages or people. */
const idsNamedBy = (steps: readonly unknown[], field: 'status_id' | 'user_id'): string[] =>
  steps
    .map((step) => (step as GivenStep | null)?.[field])
    .filter((id) => typeof id === 'string' && isUuid(id)) as string[];

/** The stages that the steps may name, and what the other ones are that they do name. */
function stagesOf(funnel: Funnel | null): Pick<StepPlace, 'stageIds' | 'otherStages'> {
  const own = (funnel?.stages ?? []).filter((stage) => stage.assistant_id === funnel?.stage.assistant_id);
  const others = (funnel?.stages ?? []).filter((stage) => !own.includes(stage));
  return {
    stageIds: new Set(own.filter(({ archived_at: at }) => at === null).map(({ id }) => id)),
    otherStages: new Map([
      ...own.map(({ id, name }) => [id, `"${name}", which is archived`] as const),
      ...others.map(({ id, name }) => [id, `"${name}", a stage of another funnel`] as const),
    ]),
  };
}

function refuse(violations: readonly FieldViolation[]): void {
  ValidationError.throwIfAny(violations);
}
