/** Who gets every lead that enters the stage. */
export const STAGE_RULES = ['ai', 'operator'] as const;

export type StageRule = (typeof STAGE_RULES)[number];
