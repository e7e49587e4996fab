import { Pool } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../clients/chromium.browser';
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../clients/page.picture';
import { randomOf, writeHistory } from '../database/random.history';
import { DemoProcess, makeDataDir, removeDataDir } from '../programs/demo.process';

const DAY_MS = 24 * 3_600_000;
const DEADLINE_MS = 30_000;
/** At which hour the browser is, so that what happened in the last hours was today. */
const HOUR = 15;

/** Dialogs of the demo by their place in its file, and the stages that they are moved to for the board's picture. */
const MOVES: readonly [thread: number, stage: string][] = [
  [27, 'В работе'],
  [26, 'Новая заявка'],
  [9, 'Квалифицирован'],
  [28, 'Ожидает оплаты'],
];

/** The zone in which it is HOUR o'clock now. Signs of these zones are the wrong way round. */
function zoneOfHour(): string {
  const behind = new Date().getUTCHours() - HOUR;
  const west = behind < -14 ? behind + 24 : behind;
  return `Etc/GMT${west < 0 ? '' : '+'}${west}`;
}

/** A quiet demo, as a newcomer sees it, and a browser for the pictures of the documentation. */
export class PictureScene {
  private readonly dataDir = makeDataDir();
  private demo: DemoProcess | null = null;
  private browser: Browser | null = null;

  async start(): Promise<void> {
    this.browser = await openChromium();
    if (!this.browser) return;
    this.demo = await DemoProcess.start(this.dataDir, { DEMO_LIFE: '0' });
    const pool = new Pool({ connectionString: this.demo.file().database_url });
    try {
      await this.moveSome(pool);
      await this.writeFigures(pool);
    } finally {
      await pool.end();
    }
  }

  /** A dialog of the demo by its place in its file. */
  thread(place: number): string {
    return this.file.threads[place]?.thread_id ?? '';
  }

  assistant(place: number): string {
    return this.file.assistants[place]?.id ?? '';
  }

  /** Opens a page as one of the two people of the demo. It stays as it is: looking at a dialog reads nothing. */
  async open(path: string, who: 'operator' | 'admin', locale: string): Promise<Page> {
    if (!this.browser) throw new Error('no Chromium');
    const context = await this.browser.newContext({
      viewport: { width: PICTURE_WIDTH, height: PICTURE_HEIGHT },
      ...{ locale, timezoneId: zoneOfHour(), colorScheme: 'light', reducedMotion: 'reduce' },
    });
    const { base_url, operator, admin_user } = this.file;
    await context.addInitScript("localStorage.setItem('leadline.first-visit', 'seen')");
    await context.route('**/messages/mark-read', (route) => route.abort());
    await context.request.post(`${base_url}/api/v1/auth/sign-in`, {
      data: who === 'admin' ? admin_user : operator,
      headers: { Origin: base_url },
    });
    const page = await context.newPage();
    page.setDefaultTimeout(DEADLINE_MS);
    await page.goto(base_url + path);
    return page;
  }

  async close(): Promise<void> {
    await this.demo?.ended('SIGTERM');
    removeDataDir(this.dataDir);
  }

  private get file() {
    if (!this.demo) throw new Error('the demo is not there');
    return this.demo.file();
  }

  /** So that the first columns show every state; half an hour ago, as if people had done it. */
  private async moveSome(pool: Pool): Promise<void> {
    const { base_url, api_keys, threads } = this.file;
    for (const [place, status_name] of MOVES) {
      const answer = await fetch(`${base_url}/api/v1/leads/set-status`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': api_keys[0]?.key ?? '' },
        body: JSON.stringify({ thread_id: threads[place]?.thread_id, status_name, skip_scenarios: true }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    }
    await pool.query(
      `UPDATE threads SET status_set_at = status_set_at - interval '35 minutes'
        WHERE status_set_at > clock_timestamp() - interval '2 minutes'`,
    );
  }

  /** A fortnight of the second agent, whose board is on no picture. */
  private async writeFigures(pool: Pool): Promise<void> {
    const { assistants, bots, accounts } = this.file;
    const [, agent] = assistants;
    const bot = bots.find(({ assistant_id }) => assistant_id === agent?.id);
    if (!agent || !bot || !accounts[0]) throw new Error('the demo has no second agent with a bot');
    const client = await pool.connect();
    const account = { db: client, id: accounts[0].id, assistantId: agent.id, botId: bot.id };
    const now = Date.now();
    const span = { from: new Date(now - 14 * DAY_MS), to: new Date(now) };
    try {
      await client.query('BEGIN');
      await writeHistory({ ...account, stages: agent.statuses.map(({ id }) => id) }, randomOf(11), span, 80);
      // None of them may go out.
      await client.query(
        `UPDATE messages SET status = 'sent', due_at = NULL
          WHERE account_id = $1 AND bot_id = $2 AND status = 'queued'`,
        [account.id, account.botId],
      );
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  }
}
