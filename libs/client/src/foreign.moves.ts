import type { ForeignMove } from './board.views';

const KEPT_MAX = 100;

/** Moves of others: the last of each card, and those that nobody was told of yet. */
export class ForeignMoves {
  private readonly lasts = new Map<string, ForeignMove>();
  private untold: ForeignMove[] = [];

  add(move: ForeignMove): void {
    this.lasts.set(move.threadId, move);
    this.untold = [...this.untold, move].slice(-KEPT_MAX);
  }

  last(threadId: string): ForeignMove | null {
    return this.lasts.get(threadId) ?? null;
  }

  get areUntold(): boolean {
    return this.untold.length > 0;
  }

  /** The oldest first, the last hundred at most. */
  take(): ForeignMove[] {
    return this.untold.splice(0);
  }

  /** The card was moved by the person at this page. */
  forget(threadId: string): void {
    this.lasts.delete(threadId);
  }

  clear(): void {
    this.lasts.clear();
    this.untold = [];
  }
}
