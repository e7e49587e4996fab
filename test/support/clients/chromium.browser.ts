import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = PLACES.find((place) => existsSync(place));

/** For titles of {@link inChromium}. */
export const CHROMIUM_NEEDED = 'needs Chromium at /usr/bin/chromium';
export const inChromium = found ? it : it.skip;

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
  found ? chromium.launch({ executablePath: found, args: QUIET }) : null;
