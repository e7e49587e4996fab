import { retry } from '@app/client/call-retry';
import { UsageError } from '../cli.errors';

const PAGE_MAX = 200;

/** Which page is asked for. */
export interface Page {
  limit: number;
  cursor?: string;
}

/** What an operation answers of one; without `next` it is the last. */
interface PageRead<Item> {
  items: readonly Item[];
  next: string | null;
}

/** How many were asked for. @throws UsageError */
export function limitOf({ limit }: { limit: number }): number {
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1');
  return limit;
}

/**
 * Reads page after page, until there are as many as `limit` or no more. Where the key's calls are used up, or the service
 * is away for a moment, it waits: what was read already is not thrown away. The first page fails at once, as other calls do.
 * @returns cursor: of what follows; null: nothing does
 * @throws ApiError
 */
export async function readPages<Item>(
  limit: number,
  read: (page: Page) => Promise<PageRead<Item>>,
): Promise<{ items: Item[]; cursor: string | null }> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = {
      limit: Math.min(limit - items.length, PAGE_MAX),
      ...(cursor !== null && { cursor }),
    };
    const found: PageRead<Item> = await (cursor === null ? read(page) : retry(() => read(page)));
    items.push(...found.items);
    cursor = found.next;
  } while (cursor !== null && items.length < limit);
  return { items, cursor };
}
