import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openChromium } from '../support/clients/chromium.launcher';
import { startServer, type ServerProcess } from '../support/programs/server.process';
import { expectAnswer } from './answer.expectation';
import { startBenchCluster } from './bench.cluster';
import { cookieOf } from './bench.sessions';
import type { BenchSize } from './bench.size';
import { median, quantile, report } from './figures';
import { HttpConnection } from './http.connection';
import {
  ASSISTANT,
  fillMonitor,
  KEYS,
  LEADS,
  LONG_THREAD,
  monitorKey,
  STAGES,
  stageId,
  threadId,
} from './monitor.data';
import { choose, PAGE_WATCH, untilInPage, untilKnown } from './page.measures';

const PLANS = {
  full: { loads: 7, keys: 60, dragSeconds: 10, filters: 20, dialogs: 10, soakSeconds: 180 },
  quick: { loads: 3, keys: 30, dragSeconds: 5, filters: 8, dialogs: 4, soakSeconds: 45 },
  smoke: { loads: 1, keys: 3, dragSeconds: 1, filters: 2, dialogs: 1, soakSeconds: 2 },
};
type Plan = (typeof PLANS)[BenchSize];

const MOVES_A_SECOND = 20;
const CARD = '[role=listitem][data-thread-id]';
const MESSAGE = 'article[data-message-id]';
const GOALS = {
  firstMs: 1_500,
  scriptKb: 250,
  cards: 400,
  elements: 8_000,
  inputMs: 50,
  frameMs: 17,
  frameMostMs: 50,
  filterMs: 150,
  dialogMs: 500,
};

/** How quick the page is beside 10,000 leads of which 20 move every second. */
export async function benchMonitor(size: BenchSize): Promise<void> {
  console.log('\n=== monitor\n');
  const browser = await openChromium();
  if (!browser) return console.log('There is no Chromium here: left out.');
  const cluster = await startBenchCluster();
  const db = new Client({ connectionString: cluster.url });
  let server: ServerProcess | null = null;
  try {
    await db.connect();
    await fillMonitor(db);
    server = await startServer(cluster.url);
    const moves = await Moves.open(server.url);
    try {
      await new MonitorBench(browser, server.url, moves).run(PLANS[size]);
    } finally {
      moves.close();
    }
  } finally {
    await browser.close();
    await server?.stop();
    await db.end();
    await cluster.stop();
  }
}

/** Leads that other systems move, one after the other. */
class Moves {
  private moved = 0;
  private timer: NodeJS.Timeout | null = null;
  private failure: unknown = null;

  private constructor(private readonly http: HttpConnection) {}

  static async open(url: string): Promise<Moves> {
    return new Moves(await HttpConnection.open(url));
  }

  begin(): void {
    let isUnderWay = false;
    this.timer = setInterval(() => {
      if (isUnderWay) return;
      isUnderWay = true;
      void this.one()
        .catch((error: unknown) => (this.failure = error))
        .finally(() => (isUnderWay = false));
    }, 1_000 / MOVES_A_SECOND);
  }

  end(): void {
    if (this.timer) clearInterval(this.timer);
    if (this.failure) throw new Error('a move failed', { cause: this.failure });
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
    this.http.close();
  }

  /** Among the newest, so that those move that are shown. */
  private async one(): Promise<void> {
    const number = this.moved++;
    const thread = (number * 7) % 1_000;
    const body = { thread_id: `thread_${threadId(thread)}`, status_id: stageId((number * 3) % STAGES) };
    const key = monitorKey(number % KEYS);
    const reply = await this.http.post('/api/v1/leads/set-status', key, JSON.stringify(body));
    expectAnswer('set-status', reply, ['"ok":true']);
  }
}

class MonitorBench {
  constructor(
    private readonly browser: Browser,
    private readonly url: string,
    private readonly moves: Moves,
  ) {}

  async run(plan: Plan): Promise<void> {
    await this.load(plan);
    const context = await this.context();
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await this.open(page);
    await this.count(page);
    this.moves.begin();
    try {
      await this.keys(page, plan);
      await this.drag(page, plan);
      await this.filter(page, plan);
      await this.dialog(page, plan);
      await this.soak(page, cdp, plan);
    } finally {
      this.moves.end();
    }
    await context.close();
  }

  private async context(): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
    });
    await context.addCookies([{ ...cookieOf(0), url: this.url }]);
    await context.addInitScript(PAGE_WATCH);
    return context;
  }

  private async open(page: Page): Promise<number> {
    await page.goto(`${this.url}/board/${ASSISTANT}`);
    await page.locator(CARD).first().waitFor();
    return page.evaluate<number>(untilKnown('window.benchWatch.first'));
  }

  /** Nothing of the page is in the browser yet. */
  private async load({ loads }: Plan): Promise<void> {
    const [times, kilobytes]: [number[], number[]] = [[], []];
    for (let n = 0; n < loads; n++) {
      const context = await this.context();
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send('Network.enable');
      const scripts = new Set<string>();
      let bytes = 0;
      cdp.on(
        'Network.responseReceived',
        ({ requestId, type }) => type === 'Script' && scripts.add(requestId),
      );
      cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        if (scripts.has(requestId)) bytes += encodedDataLength;
      });
      times.push(await this.open(page));
      kilobytes.push(bytes / 1_000);
      await context.close();
    }
    report(
      `first cards after a cold load, ${LEADS} leads, median of ${loads}`,
      'ms',
      median(times),
      GOALS.firstMs,
    );
    report('script before the board shows, compressed', 'kB', Math.max(...kilobytes), GOALS.scriptKb);
  }

  private async count(page: Page): Promise<void> {
    // Every column scrolled: what was read stays out of the document.
    await page.evaluate(
      `document.querySelectorAll('[role=list][data-status-id]').forEach((list) => (list.scrollTop = 3000))`,
    );
    await delay(1_000);
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    report('elements in the document', '', elements, GOALS.elements);
    report('cards in the document', '', await page.locator(CARD).count(), GOALS.cards);
  }

  private async keys(page: Page, { keys }: Plan): Promise<void> {
    await page.locator(CARD).first().focus();
    await page.evaluate('window.benchWatch.keys.length = 0');
    for (let n = 0; n < keys; n++) {
      await page.keyboard.press(n % 20 < 10 ? 'j' : 'k');
      await delay(60);
    }
    await delay(200);
    const took = await page.evaluate<number[]>('window.benchWatch.keys');
    report(
      `input to the second frame, p95 of ${took.length} keys`,
      'ms',
      quantile(took, 0.95),
      GOALS.inputMs,
    );
  }

  private async drag(page: Page, { dragSeconds }: Plan): Promise<void> {
    const box = await page.locator(CARD).first().boundingBox();
    if (!box) throw new Error('no card to drag');
    const at = { x: box.x + box.width / 2, y: box.y + 20 };
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 20, at.y + 20, { steps: 5 });
    await page.evaluate('Object.assign(window.benchWatch, { frames: [], isCounting: true })');
    for (const begun = performance.now(); performance.now() - begun < dragSeconds * 1_000;) {
      const angle = performance.now() / 400;
      await page.mouse.move(700 + 400 * Math.cos(angle), 450 + 200 * Math.sin(angle));
      await delay(16);
    }
    const frames = await page.evaluate<number[]>(
      'window.benchWatch.isCounting = false, window.benchWatch.frames',
    );
    await page.keyboard.press('Escape');
    await page.mouse.up();
    report(`frames while dragging, p95 of ${frames.length}`, 'ms', quantile(frames, 0.95), GOALS.frameMs);
    report('frames while dragging, the longest', 'ms', Math.max(...frames), GOALS.frameMostMs);
  }

  /** From the filter's choice to its cards. */
  private async filter(page: Page, { filters }: Plan): Promise<void> {
    const took: number[] = [];
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Unread messages').waitFor();
    for (let n = 0; n < filters; n++) {
      const isOn = n % 2 === 0;
      const others = `[...document.querySelectorAll('${CARD}')].some((card) => !(Number(card.dataset.unread) > 0))`;
      const shown = isOn ? `document.querySelector('${CARD}') && !${others}` : others;
      took.push(
        await page.evaluate<number>(untilInPage(choose('Unread messages', isOn ? 'true' : ''), shown)),
      );
      await delay(300);
    }
    await page.keyboard.press('Escape');
    report(`a filter to its cards, median of ${filters}`, 'ms', median(took), GOALS.filterMs);
  }

  private async dialog(page: Page, { dialogs }: Plan): Promise<void> {
    const took: number[] = [];
    const path = `/dialogs/thread_${LONG_THREAD}`;
    for (let n = 0; n < dialogs; n++) {
      // As a link within the page: the router hears of it.
      const act = `history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`;
      took.push(await page.evaluate<number>(untilInPage(act, `document.querySelector('${MESSAGE}')`)));
      await page.goBack();
      await page.locator(MESSAGE).first().waitFor({ state: 'detached' });
    }
    report(
      `a dialog of 5,000 messages opened, the slowest of ${dialogs}`,
      'ms',
      Math.max(...took),
      GOALS.dialogMs,
    );
  }

  /** Whether memory grows while leads move. */
  private async soak(page: Page, cdp: CDPSession, { soakSeconds }: Plan): Promise<void> {
    await cdp.send('Performance.enable');
    const heap = async (): Promise<number> => {
      await cdp.send('HeapProfiler.collectGarbage');
      const { metrics } = await cdp.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN) / 1e6;
    };
    const before = await heap();
    await delay((soakSeconds * 1_000) / 2);
    const middle = await heap();
    await delay((soakSeconds * 1_000) / 2);
    const after = await heap();
    const moved = soakSeconds * MOVES_A_SECOND;
    console.log(
      `heap while ${moved} leads moved in ${soakSeconds} s: ${before.toFixed(1)}, ${middle.toFixed(1)}, ${after.toFixed(1)} MB`,
    );
  }
}
