import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of package.json, found from this file, wherever the process was started. */
export function productVersion(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
