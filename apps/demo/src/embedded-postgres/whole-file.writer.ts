import { randomUUID } from 'node:crypto';
import { closeSync, fchownSync, openSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a small text file, for one user only, so that a reader, also after a crash, finds the old or the new one.
 * @param owner the one user, whom only root can choose; by default ourselves
 */
export function writeWhole(path: string, text: string, owner?: { uid: number; gid: number }): void {
  const draft = `${path}.${randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    if (owner) fchownSync(file, owner.uid, owner.gid);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
