import type { Channel } from '@app/contracts/message.words';
import { threadIdOrNothing, idOrNothing } from '@app/contracts/uuid.format';
import {
  ScenarioTrialRepository,
  type TrialFacts,
  type TriedScenario,
} from '@app/persistence/scenarios/definition/scenario-trial.repository';
import { TemplateRepository, type NeededTemplate } from '@app/persistence/templates/template.repository';
import { Injectable } from '@nestjs/common';
import { reachOf, type Principal } from '../../accounts/principal.rules';
import { ImaginedDialog } from './imagined-dialog';
import { DialogOfScenarioNotFoundError, ScenarioNotFoundError } from '../definition/scenario.errors';
import { ScenarioTrial, type TrialAnswer } from './scenario-trial';

export interface TrialRequest {
  /** Null: of an imagined customer. */
  threadId: string | null;
  /** Null: now, by the database's clock. */
  startsAt: Date | null;
  /** Seconds after the start at which the customer writes. */
  replies: readonly number[];
}

/** Try-outs of scenarios: nothing is written, nothing is sent. */
@Injectable()
export class ScenarioTrials {
  constructor(
    private readonly trials: ScenarioTrialRepository,
    private readonly templates: TemplateRepository,
  ) {}

  /**
   * Plays the scenario, whatever its state, for a lead that enters its stage at that instant.
   * @throws ScenarioNotFoundError, DialogOfScenarioNotFoundError
   */
  async play(by: Principal, scenarioId: string, request: TrialRequest): Promise<TrialAnswer> {
    const scenario = await this.trials.scenario(reachOf(by), idOrNothing(scenarioId));
    if (!scenario) throw new ScenarioNotFoundError();
    const stages = await this.trials.stages(scenario);
    const sent = scenario.steps.flatMap((step) => (step.kind === 'send_template' ? [step.template_id] : []));
    const templates = await this.templates.ofAgent(scenario.account_id, scenario.assistant_id, sent);
    const known = await this.factsOf(scenario, request.threadId, templates);
    const startsAt = request.startsAt ?? scenario.asked_at;
    const replies = request.replies.map((seconds) => new Date(+startsAt + seconds * 1_000));
    const dialog = new ImaginedDialog({ ...known, status_id: scenario.status_id }, stages, startsAt);
    return new ScenarioTrial(
      scenario,
      dialog,
      replies.toSorted((a, b) => +a - +b),
      known.opted_out,
      templates,
    ).play();
  }

  private async factsOf(
    scenario: TriedScenario,
    threadId: string | null,
    templates: readonly NeededTemplate[],
  ): Promise<TrialFacts> {
    if (threadId === null)
      return imaginedFacts(scenario, channelOf(await this.trials.channels(scenario), templates));
    const facts = await this.trials.facts(scenario, threadIdOrNothing(threadId));
    if (!facts) throw new DialogOfScenarioNotFoundError(['thread_id']);
    return facts;
  }
}

/** The channel of the agent's numbers on which most of the templates are registered; of several the first. */
function channelOf(channels: readonly Channel[], templates: readonly NeededTemplate[]): Channel {
  const registered = (channel: Channel): number =>
    new Set(templates.filter((each) => each.channel === channel).map((each) => each.template_id)).size;
  return channels.toSorted((a, b) => registered(b) - registered(a))[0] ?? 'waba_coexistence';
}

/** A customer who has not written yet. */
const imaginedFacts = (scenario: TriedScenario, channel: Channel): TrialFacts => ({
  ...{ channel, phone: '+77010000001', customer_name: 'Айгерим', opted_out: false },
  ...{ ai_enabled: true, takeover: false, takeover_until: null, waiting: false, window_until: null },
  ...{ status_id: scenario.status_id, assistant_name: scenario.assistant_name },
  auto_return_minutes: scenario.auto_return_minutes,
});
