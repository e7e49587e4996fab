/** One each: what a run was told once is not told again. */
export const RETRY_RUN_EXAMPLES = {
  'from the first step': { value: { from: 'start' } },
};

export const RESOLVE_STEP_EXAMPLES = {
  'it was sent': { value: { sent: true } },
};
