import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { StartError } from '@app/contracts/coded.errors';

/** A full or broken disk is no reason: leads go on without files, and the disk is mended meanwhile. */
const WRONG_FOLDER = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/**
 * Makes the folder of files. Without it a process would start, and files would be refused and lost.
 * @throws StartError when this user cannot write there
 */
export async function makeMediaFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!WRONG_FOLDER.has(code)) return;
    throw new StartError(
      `The folder of files, ${folder}, cannot be written by this user (${code}): make it this user's own, or choose another one by MEDIA_DIR or DATA_DIR.`,
    );
  }
}
