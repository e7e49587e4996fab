import { accessSync, constants, existsSync, lchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '@app/contracts/coded.errors';
import { isRoot } from './embedded-postgres/run-user-resolver';

const { R_OK, W_OK, X_OK } = constants;

/** The user who may read what root's demo writes. */
interface FolderOwner {
  uid: number;
  gid: number;
}

/**
 * Makes the folder if it is missing, and checks that this user may use its content.
 * @throws StartError when the folder cannot be used
 */
export function openDataFolder(dataDir: string): void {
  guarded(dataDir, dataDir, () => {
    const made = mkdirSync(dataDir, { recursive: true });
    if (made === undefined || !isRoot()) return;
    // In a user's folder, root makes a folder that belongs to that user, who may want to start the demo too.
    const { uid, gid } = statSync(dirname(made));
    lchownSync(dataDir, uid, gid);
  });
  const needed: [string, number][] = [
    [dataDir, R_OK | W_OK | X_OK],
    [join(dataDir, 'postgres'), R_OK | W_OK | X_OK],
    [join(dataDir, 'demo.env'), R_OK | W_OK],
  ];
  for (const [path, access] of needed) {
    if (existsSync(path)) guarded(dataDir, path, () => accessSync(path, access));
  }
}

/** Files that root wrote into a user's folder get that user as owner. */
export function folderOwner(dataDir: string): FolderOwner | undefined {
  return isRoot() ? statSync(dataDir) : undefined;
}

function guarded(dataDir: string, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new StartError(explain(code, dataDir, path));
  }
}

/** Whether a demo has run in the folder. Of any other folder, the advice must not mention the content. */
const isDemoFolder = (dataDir: string): boolean =>
  ['postgres', 'demo.env'].some((name) => existsSync(join(dataDir, name)));

function explain(code: string, dataDir: string, path: string): string {
  if (code === 'EACCES' || code === 'EPERM') {
    if (!existsSync(path))
      return `DATA_DIR ${dataDir} may not be made or entered by this user: choose another.`;
    const remedy = isDemoFolder(dataDir)
      ? `let root give it to this user (chown -R USER ${dataDir}), or choose another DATA_DIR.`
      : 'choose another DATA_DIR.';
    return `${path} may not be read and written by this user: ${remedy}`;
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `DATA_DIR ${dataDir} is no folder: choose another DATA_DIR.`;
  }
  return `DATA_DIR ${dataDir} cannot be used (${code}): choose another DATA_DIR.`;
}
