const STEP = /([^.[\]]+)|\[(\d+)\]/g;

/**
 * The items of one body by their paths, such as `entry[0].changes[1].value.messages[3]`. The body is parsed once, on
 * demand.
 */
export class BodyItems {
  private parsed: { value: unknown } | null = null;

  constructor(private readonly body: Buffer) {}

  /** The text of an item, to be stored with its reject; the whole body's where the item cannot be found. */
  textOf(path: string): string {
    try {
      const found = this.find(path);
      if (found !== undefined) return JSON.stringify(found);
    } catch {
      // An item that is nested too deeply to be written again is stored as it came.
    }
    return this.body.toString('utf8');
  }

  private find(path: string): unknown {
    this.parsed ??= { value: JSON.parse(this.body.toString('utf8')) };
    let found = this.parsed.value;
    for (const [, name, index] of path.matchAll(STEP)) {
      if (typeof found !== 'object' || found === null) return undefined;
      const key = name ?? index ?? '';
      found = Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined;
    }
    return found;
  }
}
