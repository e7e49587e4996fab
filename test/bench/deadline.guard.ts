/**
 * @throws when the work has not ended in time.
 */
export async function withinDeadline<T>(what: string, milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const say = (): void => reject(new Error(`${what} did not end within ${milliseconds / 1_000} s`));
    timer = setTimeout(say, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
