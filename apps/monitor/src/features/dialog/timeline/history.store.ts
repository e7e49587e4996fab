import type { HistoryEntryAnswer } from '@app/client/api-types';
import { api } from '../../../shared/api/page-api';

const PAGE = 100;

/** What happened in a dialog, as far back as it was asked for. */
export class DialogHistory {
  private readonly known = new Map<number, HistoryEntryAnswer>();
  private sorted: readonly HistoryEntryAnswer[] = [];
  /** undefined: nothing was read yet; null: all is known. */
  private older: string | null | undefined;

  constructor(private readonly threadId: string) {}

  /** By time. The same array until something is added. */
  list = (): readonly HistoryEntryAnswer[] => this.sorted;

  forget(): void {
    this.known.clear();
    this.sorted = [];
    this.older = undefined;
  }

  async readNewest(): Promise<void> {
    const page = await this.page(undefined);
    // After a long outage a page may not join on to what is known: then what is between comes by the page before it.
    const joins = page.entries.some(({ seq }) => this.known.has(seq)) || page.entries.length === 0;
    if (this.older === undefined || !joins) this.older = page.next_cursor;
    this.add(page.entries);
  }

  /** @param at null: to the beginning */
  async readBackTo(at: string | null): Promise<void> {
    while (this.older) {
      const oldest = this.sorted[0];
      if (at !== null && oldest && oldest.at < at) return;
      const page = await this.page(this.older);
      this.older = page.next_cursor;
      this.add(page.entries);
    }
  }

  private page(cursor: string | undefined) {
    return api.post('/api/v1/leads/get-history', {
      body: { thread_id: this.threadId, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    });
  }

  private add(entries: readonly HistoryEntryAnswer[]): void {
    const news = entries.filter(({ seq }) => !this.known.has(seq));
    if (news.length === 0) return;
    for (const entry of news) this.known.set(entry.seq, entry);
    this.sorted = [...this.known.values()].sort((one, other) => one.seq - other.seq);
  }
}
