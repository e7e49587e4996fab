const FIRST_LOOKS_MS = 10;
const LATER_LOOKS_MS = 50;
/** A look is often a query: a test that waits for long must not take the processor from what it waits for. */
const SOON_MS = 500;

/** Waits until a check returns something (not undefined, null, false or an empty text), or fails at the deadline. */
export async function eventually<T>(
  look: () => Promise<T | undefined | null | false>,
  deadlineMs: number,
  failure: string,
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false && found !== '') return found;
    const waited = performance.now() - begun;
    if (waited > deadlineMs) throw new Error(`${failure} within ${deadlineMs} ms`);
    const pause = waited < SOON_MS ? FIRST_LOOKS_MS : LATER_LOOKS_MS;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
