import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../eventually';

const DEADLINE_MS = 20_000;

/**
 * The postmasters of the clusters in a folder. While an initdb is at work there, files and folders go that were just
 * listed; then it is listed again.
 */
export async function postmastersIn(folder: string): Promise<number[]> {
  const list = async (): Promise<number[] | null> => {
    try {
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('/postmaster.pid'))
        .map((path) => parseInt(readFileSync(join(folder, path), 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  return eventually(list, DEADLINE_MS, 'the folder does not come to rest');
}
