/** When the page is used already, and has time. */
const BEGIN_AFTER_MS = 10_000;
const TRY_AGAIN_AFTER_MS = 30_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let hasBegun = false;
let areHere = false;

/** Whether no part needs the network any more. */
export const arePartsHere = (): boolean => areHere;

/**
 * Has the browser keep the code of all parts, one file after the other: without a connection they open all the same,
 * and after an upgrade of the service too, which may have no files of former versions.
 */
export async function keepParts(): Promise<void> {
  if (hasBegun || isSavingData()) return;
  hasBegun = true;
  await pause(BEGIN_AFTER_MS);
  const list = document.querySelector<HTMLMetaElement>('meta[name="parts"]')?.content;
  if (list === undefined) return;
  const files = (await (await fetched(list)).json()) as string[];
  const loaded = new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  // The browser keeps what it has read to its end.
  for (const file of files) if (!loaded.has(file)) await (await fetched(file)).blob();
  areHere = true;
}

/** As soon as there is a connection. */
async function fetched(file: string): Promise<Response> {
  for (;;) {
    try {
      const response = await fetch(file, { priority: 'low' });
      if (response.ok) return response;
    } catch {
      // Without a connection.
    }
    await pause(TRY_AGAIN_AFTER_MS);
  }
}

/** The person has asked the browser to save data. */
function isSavingData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
