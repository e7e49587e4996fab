import { CHROMIUM } from './chromium.launcher';

export { openChromium } from './chromium.launcher';

/** For titles of {@link inChromium}. */
export const CHROMIUM_NEEDED = 'needs Chromium';
export const inChromium = CHROMIUM ? it : it.skip;
