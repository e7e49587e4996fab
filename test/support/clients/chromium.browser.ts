import type { Browser } from 'playwright-core';
import { IS_LONG } from '../long.mode';
import { shared } from '../worker/shared';
import { CHROMIUM } from './chromium.place';

/** The worker's, which a test does not close; null where there is no Chromium. */
export const openChromium = (): Promise<Browser | null> => shared.takeBrowser();

/** For titles of {@link inChromium}. */
export const CHROMIUM_NEEDED = 'needs Chromium';
export const inChromium = CHROMIUM ? it : it.skip;

const leaveOut = Object.assign(() => undefined, { each: () => () => undefined });
/** Details that a journey of the page need not show each time: `npm run test:all` looks at them too. */
export const inChromiumAtLength = IS_LONG ? inChromium : (leaveOut as unknown as typeof inChromium);
