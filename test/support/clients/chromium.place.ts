import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The shell has no windows of its own, and costs two thirds of the processor time. */
const PLACES = JSON.parse(
  readFileSync(join(process.cwd(), 'tools/chromium-places.json'), 'utf8'),
) as string[];

/** Where this machine has a Chromium; undefined: nowhere. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));
