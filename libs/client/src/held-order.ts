/** The order of a column while somebody works in it: it stands still until it is asked for, or let go. */
export class HeldOrder {
  private readonly reasons = new Set<string>();
  private ids: string[] = [];
  private readonly touched = new Set<string>();

  get isHeld(): boolean {
    return this.reasons.size > 0;
  }

  /** How many cards would come, or stand elsewhere. */
  get changed(): number {
    return this.touched.size;
  }

  hold(reason: string, order: readonly string[]): void {
    if (!this.isHeld) this.freeze(order);
    this.reasons.add(reason);
  }

  release(reason: string): void {
    this.reasons.delete(reason);
    if (!this.isHeld) this.freeze([]);
  }

  freeze(order: readonly string[]): void {
    this.ids = [...order];
    this.touched.clear();
  }

  /** Somebody else changed the place of a card, or brought it. */
  touch(threadId: string): void {
    this.touched.add(threadId);
  }

  leave(threadId: string): void {
    this.touched.delete(threadId);
    const at = this.ids.indexOf(threadId);
    if (at >= 0) this.ids.splice(at, 1);
  }

  /** One's own card comes at once, before the first one that follows it. */
  insert(threadId: string, order: readonly string[]): void {
    if (this.ids.includes(threadId)) return;
    this.touched.delete(threadId);
    const following = new Set(order.slice(order.indexOf(threadId) + 1));
    const at = this.ids.findIndex((id) => following.has(id));
    this.ids.splice(at < 0 ? this.ids.length : at, 0, threadId);
  }

  /** Further cards of a column stand behind the others. */
  append(threadIds: readonly string[]): void {
    const known = new Set(this.ids);
    this.ids.push(...threadIds.filter((id) => !known.has(id)));
    for (const id of threadIds) this.touched.delete(id);
  }

  /** Of the cards that belong to the column those that are shown, in their order. */
  shown(order: readonly string[]): string[] {
    const members = new Set(order);
    return this.ids.filter((id) => members.has(id));
  }
}
