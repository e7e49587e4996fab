import type { Browser } from 'playwright-core';
import { shared } from '../worker/shared';
import { CHROMIUM } from './chromium.place';

/** The worker's, which a test does not close; null where there is no Chromium. */
export const openChromium = (): Promise<Browser | null> => shared.takeBrowser();

/** For titles of {@link inChromium}. */
export const CHROMIUM_NEEDED = 'needs Chromium';
export const inChromium = CHROMIUM ? it : it.skip;
