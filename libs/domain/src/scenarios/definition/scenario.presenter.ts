import type { ScenarioRow } from '@app/persistence/scenarios/definition/scenario.repository';
import type { GivenStep } from '../steps/step-fields';
import { shownStep } from './stored-steps';

/** A scenario as admins see it. */
export type Scenario = Omit<ScenarioRow, 'steps' | 'created_at' | 'updated_at'> & {
  steps: GivenStep[];
  created_at: string;
  updated_at: string;
};

export function presentScenario(row: ScenarioRow): Scenario {
  const { steps, created_at: createdAt, updated_at: updatedAt, ...settings } = row;
  return {
    ...settings,
    steps: steps.map(shownStep),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
