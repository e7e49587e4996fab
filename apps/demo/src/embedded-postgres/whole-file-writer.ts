import { randomUUID } from 'node:crypto';
import { closeSync, fchownSync, openSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a small text file for one user, so that a reader finds the old or the new file, also after a crash.
 * @param owner that user, whom only root can choose; default: ourselves
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
