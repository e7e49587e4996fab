export type Listener = () => void;
export type Unsubscribe = () => void;

/** Who is told of changes, by what has changed. */
export class KeyedListeners<Told extends unknown[] = []> {
  private readonly listeners = new Map<string, Set<(...told: Told) => void>>();

  add(key: string, listener: (...told: Told) => void): Unsubscribe {
    const known = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, known);
    known.add(listener);
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.listeners.get(key) === known) this.listeners.delete(key);
    };
  }

  tell(key: string, ...told: Told): void {
    for (const listener of [...(this.listeners.get(key) ?? [])]) listener(...told);
  }
}
