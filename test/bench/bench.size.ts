/** How long a run measures: what figures are quoted from, a look in passing, or a proof that every part still runs. */
export const SIZES = ['full', 'quick', 'smoke'] as const;

export type BenchSize = (typeof SIZES)[number];
