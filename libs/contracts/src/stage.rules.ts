/** To whom a stage hands every lead that enters it. */
export const STAGE_RULES = ['ai', 'operator'] as const;

export type StageRule = (typeof STAGE_RULES)[number];
