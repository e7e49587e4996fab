/** The process's own clock is wrong by so many milliseconds. */
export function inject({ byMs }: { byMs: number }): void {
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given: unknown[]) {
      if (given.length > 0) super(...(given as [number]));
      else super(Right.now() + byMs);
    }

    static override now(): number {
      return Right.now() + byMs;
    }
  } as DateConstructor;
}
