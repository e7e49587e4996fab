import type { Answer, ApiClient } from './api.client';

/** Every item of an admin's list, page by page. */
export async function readPages(admin: ApiClient, path: string, items: string): Promise<{ id: string }[]> {
  const all: { id: string }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body, status }: Answer = await admin.admin('GET', path + (cursor && `&cursor=${cursor}`));
    expect(status).toBe(200);
    all.push(...(body.data[items] as { id: string }[]));
    cursor = body.data.next_cursor as string | null;
  }
  return all;
}
