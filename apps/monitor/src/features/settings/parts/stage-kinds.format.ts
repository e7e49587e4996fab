import type { StageSettingsAnswer } from '@app/client/api.types';

export type StageKind = StageSettingsAnswer['kind'];

/** How far a customer has come, from the first to the last. */
export const KINDS = [
  'active',
  'qualified',
  'awaiting_payment',
  'success',
  'failure',
] as const satisfies StageKind[];
