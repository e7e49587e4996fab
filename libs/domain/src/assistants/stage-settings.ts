import { STAGE_ORDER_MAX, type StageSettings } from '@app/persistence/assistants/stage.repository';

/** The defaults of a new stage. */
export const STAGE_DEFAULTS: Readonly<Omit<StageSettings, 'name' | 'name_folded' | 'kind'>> = {
  description: null,
  ai_enabled: true,
  ai_transition_locked: false,
  on_enter: null,
};

/** Longest texts of a stage, in characters. */
export const STAGE_NAME_LONGEST = 200;
export const STAGE_DESCRIPTION_LONGEST = 1_000;

/** Least and most of its position. */
export const STAGE_ORDER: [least: number, most: number] = [0, STAGE_ORDER_MAX];
