/** The list with one entry elsewhere. @param to its index afterwards */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...items.slice(from, from + 1), ...rest.slice(to)];
}

interface Ordered {
  id: string;
  order: number;
}

const ORDER_MAX = 10_000;

/**
 * New positions for a list that stands in another order now: as few as do, because each change makes every open board
 * read everything again.
 * @param index of the entry that was moved
 * @returns the entries whose position changes
 */
export function positionsFor(sequence: readonly Ordered[], index: number): Ordered[] {
  const entry = sequence[index];
  if (!entry) return [];
  const before = sequence[index - 1]?.order ?? -1;
  const after = sequence[index + 1]?.order ?? Math.min(before + 2, ORDER_MAX + 1);
  if (after - before > 1) return [{ id: entry.id, order: before + 1 }];
  // No room between the neighbours: the same positions are dealt out anew.
  const values = sequence.map(({ order }) => order).sort((a, b) => a - b);
  const areDistinct = new Set(values).size === values.length;
  const dealt = sequence.map(({ id }, place) => ({
    id,
    order: (areDistinct ? values[place] : undefined) ?? place + 1,
  }));
  return dealt.filter(({ order }, place) => order !== sequence[place]?.order);
}
