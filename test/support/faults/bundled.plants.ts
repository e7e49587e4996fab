import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ENDING = '.plant.js';
const isPlant = (file: string): boolean => file.startsWith(__dirname) && file.endsWith(ENDING);

/** Some change a module's text, how modules are loaded, or what was. A bundle has none of these. */
const needsFiles = (plant: string): boolean =>
  /replaceStatement|node:module|require\.cache/.test(readFileSync(plant, 'utf8'));

/** Modules of the service and of packages that plants change, by absolute paths: in a bundle they are found by these. */
export function plantedModules(): string[] {
  const plants = readdirSync(__dirname)
    .map((name) => join(__dirname, name))
    .filter((file) => isPlant(file) && !needsFiles(file));
  const modules = plants.flatMap((plant) => {
    const { resolve } = createRequire(plant);
    const asked = readFileSync(plant, 'utf8').matchAll(/require\('([^']+)'\)/g);
    return [...asked].map(([, name = '']) => resolve(name));
  });
  return [...new Set(modules)].filter((file) => file.startsWith('/') && !file.startsWith(__dirname));
}

/**
 * The plants that Node would load before all else, where a bundle can load them; null: it cannot.
 * @param options as in NODE_OPTIONS
 */
export function plantsOf(options: string): string[] | null {
  const plants = options.split(/\s*--require /).filter((each) => each !== '');
  return plants.every((plant) => isPlant(plant) && !needsFiles(plant)) ? plants : null;
}
