import type { StoredStep } from '@app/contracts/scenario.words';
import type { EntityManager } from 'typeorm';
import { ScenarioRevisionEntity } from './scenario-revision.entity';
import type { ScenarioEntity } from './scenario.entity';

/** Scenarios with the steps of their present revisions. */
export async function withSteps<Scenario extends Pick<ScenarioEntity, 'account_id' | 'id' | 'revision'>>(
  manager: EntityManager,
  scenarios: readonly Scenario[],
): Promise<(Scenario & { steps: readonly StoredStep[] })[]> {
  if (scenarios.length === 0) return [];
  const where = scenarios.map(({ account_id, id, revision }) => ({ account_id, scenario_id: id, revision }));
  const revisions = await manager.find(ScenarioRevisionEntity, { where });
  const stepsOf = new Map(revisions.map(({ scenario_id, steps }) => [scenario_id, steps]));
  return scenarios.map((scenario) => ({ ...scenario, steps: stepsOf.get(scenario.id) ?? [] }));
}

/** A revision, which never changes. */
export async function keepSteps(
  manager: EntityManager,
  { account_id, id }: Pick<ScenarioEntity, 'account_id' | 'id'>,
  revision: number,
  steps: readonly StoredStep[],
): Promise<void> {
  await manager.insert(ScenarioRevisionEntity, { account_id, scenario_id: id, revision, steps } as object);
}
