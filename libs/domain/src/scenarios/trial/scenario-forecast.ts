import {
  ScenarioStartRepository,
  type StartFacts,
  type WouldStart,
} from '@app/persistence/scenarios/runs/scenario-start.repository';
import { Injectable } from '@nestjs/common';
import { StartForecast } from '../../leads/start-forecast.port';
import { skipReasonOf } from '../runs/scenario-starts.service';

/** A dialog that is opened at the stage. */
const NEW_DIALOG: StartFacts = {
  ...{ id: '', opted_out: false, takeover: false, in_stage: true },
  ...{ in_ten_minutes: 0, in_day: 0, seconds_ago: null, has_open: false, has_had: false },
};

/** By the rules that the worker follows. */
@Injectable()
export class ScenarioForecast extends StartForecast {
  constructor(private readonly starts: ScenarioStartRepository) {
    super();
  }

  async of(
    accountId: string,
    moves: readonly { threadId: string; statusId: string }[],
    opening: readonly string[] = [],
  ): Promise<WouldStart> {
    const statusIds = [...new Set([...moves.map(({ statusId }) => statusId), ...opening])];
    const would = { runs: 0, messages: 0 };
    for (const scenario of await this.starts.ofStages(accountId, statusIds)) {
      const entering = moves.filter(({ statusId }) => statusId === scenario.status_id);
      const threadIds = [...new Set(entering.map(({ threadId }) => threadId))];
      const facts = await this.starts.facts(scenario, threadIds);
      const runs = facts.filter(
        (each) => skipReasonOf(scenario, { ...each, in_stage: true }, false) === null,
      );
      const begins = skipReasonOf(scenario, NEW_DIALOG, false) === null;
      const opened = begins ? opening.filter((statusId) => statusId === scenario.status_id).length : 0;
      would.runs += runs.length + opened;
      would.messages += (runs.length + opened) * scenario.sends;
    }
    return would;
  }
}
