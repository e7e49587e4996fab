import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

/** The shell has no windows of its own, and costs two thirds of the processor time. */
const PLACES = JSON.parse(
  readFileSync(join(process.cwd(), 'tools/chromium-places.json'), 'utf8'),
) as string[];

/** Where this machine has a Chromium; undefined: nowhere. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));

/**
 * By Node itself, which keeps it for all files of a worker and takes what V8 compiled of it before: jest would read its 3.6 MB
 * anew for each file, 0.2 s of the processor.
 */
const { chromium } = process.getBuiltinModule('node:module').createRequire(__filename)(
  'playwright-core',
) as typeof import('playwright-core');

/** Without what would make it call hosts of its maker. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A socket's address has 107 characters at most, and Chromium's own part of it takes up to 50. */
const FOLDER_MOST = 57;

/** Where Chromium keeps its socket: a run within a run has folders that are too deep for it. */
const folder = (): string => (tmpdir().length > FOLDER_MOST ? '/tmp' : tmpdir());

/** Null where there is no Chromium. */
export const openChromium = async (): Promise<Browser | null> =>
  CHROMIUM
    ? chromium.launch({
        executablePath: CHROMIUM,
        args: QUIET,
        // Without a language of the shell it could name no file in Cyrillic letters.
        env: { ...process.env, LC_ALL: 'C.UTF-8', TMPDIR: folder() },
      })
    : null;
