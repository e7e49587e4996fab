import type { Page } from 'playwright-core';

/** From now on as on a busy machine: the next frame is due before anything is drawn anew. */
export const withEarlyFrames = (page: Page): Promise<unknown> =>
  page.evaluate('window.requestAnimationFrame = (draw) => (queueMicrotask(draw), 0)');
