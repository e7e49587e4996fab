import type { Page } from 'playwright-core';

/** Of a window that may copy, and in which a test may look at what was copied. */
export const WITH_CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

/** What was copied last. */
export const copiedIn = (page: Page): Promise<string> =>
  page.evaluate<string>('navigator.clipboard.readText()');
