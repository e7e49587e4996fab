import type { StoredStep } from '@app/contracts/scenario.words';
import { IsNull, type EntityManager } from 'typeorm';
import { StageEntity } from '../../assistants/assistant.entity';
import { ScenarioEntity, ScenarioRevisionEntity } from './scenario.entity';

export const lockStage = (
  manager: EntityManager,
  account_id: string,
  id: string,
): Promise<StageEntity | null> =>
  manager.findOne(StageEntity, { where: { account_id, id }, lock: { mode: 'for_no_key_update' } });

/** The stage first, as a new scenario does. A scenario never changes its stage. */
export async function lockScenario(
  manager: EntityManager,
  { account_id, id }: Pick<ScenarioEntity, 'account_id' | 'id'>,
): Promise<{ scenario: ScenarioEntity; stage: StageEntity } | null> {
  const where = { account_id, id, archived_at: IsNull() };
  const found = await manager.findOne(ScenarioEntity, { select: { status_id: true }, where });
  const stage = found && (await lockStage(manager, account_id, found.status_id));
  const scenario = await manager.findOne(ScenarioEntity, { where, lock: { mode: 'for_no_key_update' } });
  return scenario && stage ? { scenario, stage } : null;
}

/** Moves into a stage look for scenarios only where this says that some are on. */
export async function keepStartsRuns(manager: EntityManager, stage: StageEntity): Promise<void> {
  const { account_id, id } = stage;
  const starting = { account_id, status_id: id, state: 'on' as const, archived_at: IsNull() };
  const starts = await manager.existsBy(ScenarioEntity, starting);
  if (starts !== stage.starts_runs) {
    await manager.update(StageEntity, { account_id, id }, { starts_runs: starts });
  }
}

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
