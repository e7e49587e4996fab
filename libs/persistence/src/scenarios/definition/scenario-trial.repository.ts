import { Injectable } from '@nestjs/common';
import type { AssistantEntity, StageEntity } from '../../assistants/assistant.entity';
import type { Channel } from '@app/contracts/message.words';
import type { BotChannelEntity } from '../../bots/bot.entity';
import { reachValues, withinReach, type Reach } from '../../accounts/reach-scope';
import { Database } from '../../database/database.service';
import type { Prefixed } from '../../database/row-types';
import { statement } from '../../database/sql.statements';
import type { ThreadEntity } from '../../threads/thread.entity';
import { isWaiting, shownName, takeoverEnd, takeoverRuns, windowEnds } from '../../threads/thread.rules';
import type { ScenarioRevisionEntity, ScenarioEntity } from './scenario.entity';

/** A scenario that is tried out. */
export interface TriedScenario
  extends
    Pick<
      ScenarioEntity,
      | ('account_id' | 'id' | 'assistant_id' | 'status_id' | 'name' | 'revision')
      | ('on_reply' | 'on_takeover' | 'send_hours')
    >,
    Pick<ScenarioRevisionEntity, 'steps'>,
    Prefixed<'assistant_', Pick<AssistantEntity, 'name'>>,
    Pick<AssistantEntity, 'auto_return_minutes'> {
  /** The database's clock. */
  asked_at: Date;
}

/** A dialog as a run that begins in it would see it. */
export interface TrialFacts
  extends
    Pick<
      ThreadEntity,
      'channel' | 'phone' | 'customer_name' | 'status_id' | 'opted_out' | 'ai_enabled' | 'takeover_until'
    >,
    Prefixed<'assistant_', Pick<AssistantEntity, 'name'>>,
    Pick<AssistantEntity, 'auto_return_minutes'> {
  takeover: boolean;
  waiting: boolean;
  /** Until when the provider takes free texts; null: it does not. */
  window_until: Date | null;
}

const SCENARIO = statement('scenario-trial-scenario').takes('scenarioId', 'reachAccount', 'reachAssistants')
  .returns<TriedScenario>(`
  SELECT c.account_id, c.id, c.assistant_id, c.status_id, c.name, c.revision, c.on_reply, c.on_takeover, c.send_hours,
         v.steps, a.name AS assistant_name, a.auto_return_minutes, clock_timestamp() AS asked_at
    FROM accounts o
    JOIN scenarios c ON c.account_id = o.id AND c.id = :scenarioId AND c.archived_at IS NULL
    JOIN scenario_revisions v ON v.account_id = c.account_id AND v.scenario_id = c.id AND v.revision = c.revision
    JOIN assistants a ON a.account_id = c.account_id AND a.id = c.assistant_id
   WHERE ${withinReach('c')}`);

const FACTS = statement('scenario-trial-facts').takes('accountId', 'assistantId', 'threadId')
  .returns<TrialFacts>(`
  SELECT t.channel, t.phone, ${shownName('t')} AS customer_name, t.status_id, t.opted_out, t.ai_enabled, ${takeoverEnd('t')} AS takeover_until,
         a.name AS assistant_name, a.auto_return_minutes, ${takeoverRuns('t', 'clock_timestamp()')} AS takeover,
         ${isWaiting('t')} AS waiting, ${windowEnds('t')} AS window_until
    FROM threads t JOIN assistants a ON a.account_id = t.account_id AND a.id = t.assistant_id
   WHERE t.account_id = :accountId AND t.id = :threadId AND t.assistant_id = :assistantId`);

const STAGES = statement('scenario-trial-stages').takes('accountId', 'assistantId').returns<
  Pick<StageEntity, 'id' | 'name' | 'kind'>
>(`
  SELECT id, name, kind FROM statuses
   WHERE account_id = :accountId AND assistant_id = :assistantId AND archived_at IS NULL`);

/** Those with a connected number first, and of these the older ones. */
const CHANNELS = statement('scenario-trial-channels').takes('accountId', 'assistantId').returns<
  Pick<BotChannelEntity, 'channel'>
>(`
  SELECT c.channel FROM bots b JOIN bot_channels c ON c.account_id = b.account_id AND c.bot_id = b.id
   WHERE b.account_id = :accountId AND b.assistant_id = :assistantId
   GROUP BY c.channel ORDER BY bool_and(c.credential IS NULL), min(c.created_at)`);

const OWNER = 'lists of runs';

/** What a try-out reads. It locks nothing and writes nothing. */
@Injectable()
export class ScenarioTrialRepository {
  constructor(private readonly database: Database) {}

  /** @returns null for one that does not exist, or is archived. */
  async scenario(reach: Reach, scenarioId: string): Promise<TriedScenario | null> {
    return (await this.database.runFor(OWNER, SCENARIO, { scenarioId, ...reachValues(reach) }))[0] ?? null;
  }

  /** @returns null for a dialog that is not one of the scenario's agent. */
  async facts(of: TriedScenario, threadId: string): Promise<TrialFacts | null> {
    const values = { accountId: of.account_id, assistantId: of.assistant_id, threadId };
    return (await this.database.runFor(OWNER, FACTS, values))[0] ?? null;
  }

  async stages(of: TriedScenario): Promise<Pick<StageEntity, 'id' | 'name' | 'kind'>[]> {
    const values = { accountId: of.account_id, assistantId: of.assistant_id };
    return this.database.runFor(OWNER, STAGES, values);
  }

  /** The channels of the agent's numbers. */
  async channels(of: TriedScenario): Promise<Channel[]> {
    const values = { accountId: of.account_id, assistantId: of.assistant_id };
    return (await this.database.runFor(OWNER, CHANNELS, values)).map(({ channel }) => channel);
  }
}
