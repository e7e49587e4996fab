interface Part<Item> {
  items: Item[];
  next: string | null;
}

/** Reads a list to its end. For lists that people keep by hand, which are short. */
export async function wholeList<Item>(
  read: (cursor: string | undefined) => Promise<Part<Item>>,
): Promise<Item[]> {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await read(cursor);
    all.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return all;
}
