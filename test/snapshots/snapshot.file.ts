import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Holds a generated text against its file in git; `npm run snapshots` writes the files anew. */
export function expectSnapshotFile(name: string, text: string): void {
  const file = join(__dirname, name);
  if (process.env.LEADLINE_WRITE_SNAPSHOTS === '1') writeFileSync(file, text);
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const remedy = 'npm run snapshots';
  // As in git: what is there now and was not stands with a plus.
  if (kept !== text) expect({ file: name, remedy, text }).toEqual({ file: name, remedy, text: kept });
}
