import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where this machine has a Chromium; undefined: nowhere. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));

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

/** Null where there is no Chromium. */
export const openChromium = async (): Promise<Browser | null> =>
  CHROMIUM ? chromium.launch({ executablePath: CHROMIUM, args: QUIET }) : null;
