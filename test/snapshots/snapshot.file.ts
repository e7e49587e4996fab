import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compares a generated text with its file in git. `npm run snapshots` writes the files again. */
export function expectSnapshotFile(name: string, text: string): void {
  const file = join(__dirname, name);
  if (process.env.LEADLINE_WRITE_SNAPSHOTS === '1') writeFileSync(file, text);
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const remedy = 'npm run snapshots';
  // As in git: what is new has a plus.
  if (kept !== text) expect({ file: name, remedy, text }).toEqual({ file: name, remedy, text: kept });
}
