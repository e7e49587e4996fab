import type { Channel } from '@app/contracts/message.words';

/** One request that a provider received. */
export interface LedgerEntry {
  /** Counts all entries since the start, from 1. */
  n: number;
  at: string;
  channel: Channel;
  sender: string;
  /** The recipient's phone with its plus, or the recipient as given. */
  to: string | null;
  /** `template`, `text`, …, `read`, `typing`, `upload`, `create-template`, `edit-template`, `redirected`, `refused`. */
  type: string;
  /** The caller's own reference, where the channel carries one. */
  reference: string | null;
  /** The template's name. */
  template: string | null;
  /** The text as the recipient reads it. */
  text: string | null;
  /** `taken`, or why not: `refused 132000`, …; for lost answers `taken, hang`, … */
  outcome: string;
}

export interface LedgerCounts {
  entries: number;
  /** Sends by phone: how many requests came, and how many were accepted and so reached the phone. */
  phones: Record<string, { requests: number; taken: number }>;
  /** Phones that more than one message reached. */
  several: string[];
  /** References with more than one accepted message: sent twice. */
  doubled: string[];
}

const ENTRIES_MAX = 100_000;
const NO_SENDS = new Set(['read', 'typing', 'upload', 'create-template', 'edit-template', 'redirected']);

/** The requests received, the last {@link ENTRIES_MAX} of them. */
export class LedgerBuffer {
  private entries: LedgerEntry[] = [];
  private next = 0;
  private total = 0;

  note(entry: Omit<LedgerEntry, 'n' | 'at'>): void {
    this.total += 1;
    this.entries[this.next] = { n: this.total, at: new Date().toISOString(), ...entry };
    this.next = (this.next + 1) % ENTRIES_MAX;
  }

  /** Oldest first. `since`: only entries with a higher number. */
  list({ phone, since = 0 }: { phone?: string; since?: number } = {}): LedgerEntry[] {
    return this.inOrder().filter(({ n, to }) => n > since && (phone === undefined || to === phone));
  }

  counts(): LedgerCounts {
    const phones: LedgerCounts['phones'] = {};
    const references = new Map<string, number>();
    for (const { to, type, outcome, reference } of this.entries) {
      if (to === null || NO_SENDS.has(type)) continue;
      const count = (phones[to] ??= { requests: 0, taken: 0 });
      count.requests += 1;
      if (!outcome.startsWith('taken')) continue;
      count.taken += 1;
      if (reference !== null) references.set(reference, (references.get(reference) ?? 0) + 1);
    }
    return {
      entries: this.entries.length,
      phones,
      several: Object.keys(phones).filter((phone) => (phones[phone]?.taken ?? 0) > 1),
      doubled: [...references].filter(([, times]) => times > 1).map(([reference]) => reference),
    };
  }

  /** Forgets all entries. The numbering continues. */
  clear(): void {
    this.entries = [];
    this.next = 0;
  }

  private inOrder(): LedgerEntry[] {
    if (this.entries.length < ENTRIES_MAX) return this.entries;
    return [...this.entries.slice(this.next), ...this.entries.slice(0, this.next)];
  }
}
