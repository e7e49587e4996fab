/** How long a run measures: for figures that are quoted, for a quick look, or to prove that every part still runs. */
export const SIZES = ['full', 'quick', 'smoke'] as const;

export type BenchSize = (typeof SIZES)[number];
