import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartError } from '@app/contracts/coded.errors';

/** The folder of the project, wherever the built files are: pages and samples are not built. */
export function projectFolder(): string {
  for (let folder = __dirname; dirname(folder) !== folder; folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder;
  throw new StartError(`The sandbox finds no package.json above ${__dirname}: start it inside the project.`);
}
