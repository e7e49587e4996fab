import type { Encoding } from '@app/contracts/text.encoding';
import type { CsvAnswer, CsvQuestion, CsvTable, Delimiter } from './csv.types';

/** Longer files are lists for programs. */
export const FILE_BYTES_MAX = 30_000_000;

let worker: Worker | null = null;
let lastId = 0;

/** Of this origin, as the policy of the page wants it. */
const started = (): Worker =>
  (worker ??= new Worker(new URL('./csv.worker.ts', import.meta.url), { type: 'module' }));

/** Reads a file, apart from the page. @param encoding null: it is found, and so is the delimiter */
export function readCsv(
  bytes: ArrayBuffer,
  encoding: Encoding | null,
  delimiter: Delimiter | null,
): Promise<CsvTable> {
  const id = (lastId += 1);
  const reader = started();
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      reader.removeEventListener('message', onMessage);
      reader.removeEventListener('error', onError);
    };
    const onMessage = ({ data }: MessageEvent<CsvAnswer>): void => {
      if (data.id !== id) return;
      settle();
      if ('table' in data) resolve(data.table);
      else reject(new Error(data.failure));
    };
    const onError = (event: ErrorEvent): void => {
      settle();
      worker = null;
      reject(new Error(event.message));
    };
    reader.addEventListener('message', onMessage);
    reader.addEventListener('error', onError);
    reader.postMessage({ id, bytes, encoding, delimiter } satisfies CsvQuestion);
  });
}
