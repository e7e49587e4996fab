import { tmpdir } from 'node:os';
import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM } from './chromium.place';

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
