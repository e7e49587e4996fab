import {
  ScenarioStartRepository,
  type WouldStart,
} from '@app/persistence/scenarios/scenario-start.repository';
import { Injectable } from '@nestjs/common';
import { StartForecast } from '../leads/start-forecast.port';
import { skipReasonOf } from './start.rules';

/** By the rules that the worker follows. */
@Injectable()
export class ScenarioForecast extends StartForecast {
  constructor(private readonly starts: ScenarioStartRepository) {
    super();
  }

  async of(accountId: string, moves: readonly { threadId: string; statusId: string }[]): Promise<WouldStart> {
    const statusIds = [...new Set(moves.map(({ statusId }) => statusId))];
    const would = { runs: 0, messages: 0 };
    for (const scenario of await this.starts.ofStages(accountId, statusIds)) {
      const entering = moves.filter(({ statusId }) => statusId === scenario.status_id);
      const threadIds = [...new Set(entering.map(({ threadId }) => threadId))];
      const facts = await this.starts.facts(scenario, threadIds);
      const runs = facts.filter(
        (each) => skipReasonOf(scenario, { ...each, in_stage: true }, false) === null,
      );
      would.runs += runs.length;
      would.messages += runs.length * scenario.sends;
    }
    return would;
  }
}
