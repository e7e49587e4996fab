import { CHROMIUM } from './chromium.launcher';

export { openChromium } from './chromium.launcher';

/** For titles of {@link inChromium}. */
export const CHROMIUM_NEEDED = 'needs Chromium at /usr/bin/chromium';
export const inChromium = CHROMIUM ? it : it.skip;
