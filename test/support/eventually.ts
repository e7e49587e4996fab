const LOOK_EVERY_MS = 10;

/** Waits until a check returns something (not undefined, null, false or an empty text), or fails at the deadline. */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false>,
  deadlineMs: number,
  failure: string,
): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false && found !== '') return found;
    if (performance.now() > end) throw new Error(`${failure} within ${deadlineMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
