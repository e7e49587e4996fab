/** Does one after the other, each of them whether others fail or not. @throws the first error, once all are done */
export async function doEach(...acts: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const act of acts) await act().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
