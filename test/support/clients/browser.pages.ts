import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** An empty document, in which no script could keep anything. */
const EMPTY = '/empty';
/** As the page's own policy says. By another one, the next page would begin with another process. */
const HEADERS = { 'content-type': 'text/html', 'cross-origin-opener-policy': 'same-origin' };
/** Of what a test may listen to. */
const HEARD = ['console', 'pageerror', 'request', 'response', 'requestfailed', 'websocket', 'download'];

/** A browser's first window. */
interface Window {
  kind: string;
  context: BrowserContext;
  page: Page;
}

/**
 * Windows of the tests of one file. Each begins as one of a new browser does, but those that tests have left are used again:
 * a page costs 0.35 s of the processor there, and 0.65 s in a new browser.
 */
export class BrowserPages {
  private readonly idle: Window[] = [];
  private taken: Window[] = [];
  private readonly spoilt = new Set<Page>();

  constructor(
    private readonly browser: Browser,
    /** The only one whose pages are opened. */
    private readonly origin: string,
  ) {}

  /** An empty window of a browser that knows nobody. */
  async open({ viewport, colorScheme = 'light', ...options }: BrowserContextOptions): Promise<Page> {
    const kind = JSON.stringify(options);
    const known = this.idle.findIndex((window) => window.kind === kind);
    const window = known < 0 ? await this.launch(kind, options) : this.idle.splice(known, 1)[0]!;
    this.taken.push(window);
    const { context, page } = window;
    if (viewport) await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    if (options.permissions) await context.grantPermissions(options.permissions);
    return page;
  }

  /** A window to which something is done that lasts: nobody uses it again. */
  spoil(page: Page): void {
    this.spoilt.add(page);
  }

  /** Takes back all that were opened, or one of them. */
  async takeBack(page?: Page): Promise<void> {
    const back = this.taken.filter((window) => !page || window.page === page);
    this.taken = this.taken.filter((window) => !back.includes(window));
    await Promise.all(
      back.map(async (window) => {
        if (!this.spoilt.has(window.page) && (await this.empty(window))) this.idle.push(window);
        else await window.context.close();
      }),
    );
  }

  private async launch(kind: string, options: BrowserContextOptions): Promise<Window> {
    const context = await this.browser.newContext(options);
    return { kind, context, page: await context.newPage() };
  }

  /** @returns whether nothing is left in it of what the test did */
  private async empty({ context, page }: Window): Promise<boolean> {
    if (new URL(page.url()).origin !== this.origin) return false;
    try {
      for (const other of context.pages()) if (other !== page) await other.close();
      for (const event of HEARD) page.removeAllListeners(event);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.setOffline(false);
      await page.route(this.origin + EMPTY, (route) => route.fulfill({ headers: HEADERS, body: '' }));
      await page.goto(this.origin + EMPTY);
      await page.unrouteAll();
      await page.evaluate('sessionStorage.clear()');
      const session = await context.newCDPSession(page);
      await session.send('Storage.clearDataForOrigin', { origin: this.origin, storageTypes: 'all' });
      await session.send('Page.resetNavigationHistory');
      await session.detach();
      await context.clearCookies();
      await context.clearPermissions();
      return true;
    } catch {
      // A test that failed may have left it in any state, or without a server.
      return false;
    }
  }
}
