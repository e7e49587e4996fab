import { IsNull, type EntityManager } from 'typeorm';
import { StageEntity } from '../../assistants/stage.entity';
import { ScenarioEntity } from './scenario.entity';

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
