import { TRANSFER_LIMITS } from '@app/contracts/transfer.words';
import type { ImportRow } from '@app/persistence/transfer/import-chunk.entity';
import type { GivenChunk } from '@app/persistence/transfer/import.repository';
import { UnusableLeadsError, type FileRow } from './lead-file.port';

/** Rows that are taken in by one transaction: it takes tens of milliseconds, and holds their dialogs for so long. */
const ROWS_OF_CHUNK = 100;
/** Stored by one statement. */
const CHUNKS_AT_ONCE = 20;

/**
 * Puts the rows of a file into chunks, as they are read, some chunks at a time.
 * @throws UnusableLeadsError for one row more than an import may have
 */
export async function* chunksOf(
  rows: AsyncIterable<readonly FileRow[]>,
  read: (row: FileRow) => ImportRow,
): AsyncGenerator<GivenChunk[]> {
  let count = 0;
  let held: ImportRow[] = [];
  for await (const some of rows) {
    count += some.length;
    if (count > TRANSFER_LIMITS.rowsMax)
      throw new UnusableLeadsError('too_many_rows', { most: TRANSFER_LIMITS.rowsMax });
    held.push(...some.map(read));
    if (held.length < ROWS_OF_CHUNK * CHUNKS_AT_ONCE) continue;
    const whole = held.length - (held.length % ROWS_OF_CHUNK);
    yield cut(held.slice(0, whole));
    held = held.slice(whole);
  }
  if (held.length > 0) yield cut(held);
}

function cut(rows: readonly ImportRow[]): GivenChunk[] {
  const chunks: GivenChunk[] = [];
  for (let at = 0; at < rows.length; at += ROWS_OF_CHUNK) {
    const own = rows.slice(at, at + ROWS_OF_CHUNK);
    chunks.push({ firstRow: own[0]?.row ?? 0, rows: own });
  }
  return chunks;
}
