/** Kinds of a funnel stage, in the specification's words. */
export const STAGE_KINDS = ['active', 'qualified', 'awaiting_payment', 'success', 'failure'] as const;

export type StageKind = (typeof STAGE_KINDS)[number];
