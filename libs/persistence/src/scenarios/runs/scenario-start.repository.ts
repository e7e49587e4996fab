import type { KeptCause } from '@app/contracts/scenario.words';
import { Injectable } from '@nestjs/common';
import { reachValues, type Reach } from '../../accounts/reach-scope';
import { AuditRepository, type AuditEntryOf } from '../../audit/audit.repository';
import { Database } from '../../database/database.service';
import {
  FACTS,
  FIND,
  IN_STAGE,
  LOCK_SCENARIO,
  LOCK_THREADS,
  OF_STAGES,
  START,
  type StartedScenario,
  type StartFacts,
  type WouldStart,
} from './scenario-start.statements';

export type { StartedScenario, StartFacts, WouldStart };

/** Scenarios that begin for leads that stand in their stage, and what would begin. */
@Injectable()
export class ScenarioStartRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
  ) {}

  /** @returns null for one that does not exist, or is archived. */
  async find(reach: Reach, scenarioId: string): Promise<StartedScenario | null> {
    const [scenario] = await this.database.runFor('lists of runs', FIND, {
      scenarioId,
      ...reachValues(reach),
    });
    return scenario ?? null;
  }

  /** The scenarios that a lead starts which enters one of these stages now. */
  async ofStages(accountId: string, statusIds: readonly string[]): Promise<StartedScenario[]> {
    return this.database.runFor(accountId, OF_STAGES, { accountId, statusIds });
  }

  /** The leads of the scenario's stage. */
  async inStage(scenario: StartedScenario): Promise<string[]> {
    const { account_id: accountId, assistant_id: assistantId, status_id: statusId } = scenario;
    const rows = await this.database.runFor(accountId, IN_STAGE, { accountId, assistantId, statusId });
    return rows.map(({ id }) => id);
  }

  /** Those of these threads that are of the scenario's agent. */
  async facts(
    { account_id: accountId, id: scenarioId }: StartedScenario,
    threadIds: readonly string[],
  ): Promise<StartFacts[]> {
    return this.database.runFor(accountId, FACTS, { accountId, scenarioId, threadIds });
  }

  /**
   * Asks for runs, all or none.
   * @param decide in which of the threads, with the scenario as it is now, null for one that was archived. It may throw,
   * and then nothing is started; it may be called again after a deadlock.
   * @returns what it decided, once it is stored
   */
  async start<Decided extends { threadIds: readonly string[] }>(
    { account_id: accountId, id: scenarioId }: StartedScenario,
    threadIds: readonly string[],
    cause: KeptCause,
    decide: (scenario: StartedScenario | null, facts: readonly StartFacts[]) => Decided,
    entryOf: AuditEntryOf<Decided>,
  ): Promise<Decided> {
    return this.database.transactFor(accountId, async (tx) => {
      await tx.run(LOCK_SCENARIO, { accountId, scenarioId });
      const [scenario] = await tx.run(FIND, { scenarioId, reachAccount: accountId, reachAssistants: null });
      await tx.run(LOCK_THREADS, { accountId, threadIds });
      const facts = await tx.run(FACTS, { accountId, scenarioId, threadIds });
      const decided = decide(scenario ?? null, facts);
      if (decided.threadIds.length > 0) {
        const values = { accountId, scenarioId, threadIds: decided.threadIds, cause: JSON.stringify(cause) };
        await tx.run(START, values);
        await this.audit.append(tx, entryOf(decided));
      }
      return decided;
    });
  }
}
