import { triesOf } from '../support/long.mode';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium, openChromium } from '../support/clients/chromium.browser';
import {
  distanceOf,
  factsOf,
  outlineOf,
  PICTURE_BYTES_MAX,
  PICTURE_HEIGHT,
  PICTURE_WIDTH,
  smallPicture,
} from '../support/clients/page.picture';
import { randomOf, writeHistory } from '../support/database/random.history';
import { DemoProcess, makeDataDir, removeDataDir } from '../support/programs/demo.process';
import { sceneOf } from '../support/scenes/scene.opening';

/** `npm run pictures` writes them anew; otherwise each is compared with what the page shows now. */
const WRITES = process.env.LEADLINE_WRITE_PICTURES === '1';
const IMAGES = join(process.cwd(), 'docs/images');
/** An even surface has 0, a page with text more than 1. */
const ENTROPY_MIN = 0.5;
/** Other times give 0.03, the other language 1, and another page 2.2 at the least. */
const DISTANCE_MAX = 2;

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
function makePictureScene() {
  const dataDir = makeDataDir();
  let demo: DemoProcess | null = null;
  let browser: Browser | null = null;

  const file = () => {
    if (!demo) throw new Error('the demo is not there');
    return demo.file();
  };

  return {
    async start(): Promise<void> {
      browser = await openChromium();
      if (!browser) return;
      demo = await DemoProcess.start(dataDir, { DEMO_LIFE: '0' });
      const pool = new Pool({ connectionString: file().database_url });
      try {
        await moveSome(pool);
        await writeFigures(pool);
      } finally {
        await pool.end();
      }
    },

    /** A dialog of the demo by its place in its file. */
    thread: (place: number): string => file().threads[place]?.thread_id ?? '',

    assistant: (place: number): string => file().assistants[place]?.id ?? '',

    /** Opens a page as one of the two people of the demo. It stays as it is: looking at a dialog reads nothing. */
    async open(path: string, who: 'operator' | 'admin', locale: string): Promise<Page> {
      if (!browser) throw new Error('no Chromium');
      const context = await browser.newContext({
        viewport: { width: PICTURE_WIDTH, height: PICTURE_HEIGHT },
        ...{ locale, timezoneId: zoneOfHour(), colorScheme: 'light', reducedMotion: 'reduce' },
      });
      const { base_url, operator, admin_user } = file();
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
    },

    async close(): Promise<void> {
      await demo?.ended('SIGTERM');
      removeDataDir(dataDir);
    },
  };

  /** So that the first columns show every state; half an hour ago, as if people had done it. */
  async function moveSome(pool: Pool): Promise<void> {
    const { base_url, api_keys, threads } = file();
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
  async function writeFigures(pool: Pool): Promise<void> {
    const { assistants, bots, accounts } = file();
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

const scene = sceneOf(makePictureScene).set();

interface Picture {
  name: string;
  who: 'operator' | 'admin';
  path: () => string;
  /** Until what it shows is there. */
  until: (page: Page) => Promise<unknown>;
  withoutNumbers?: boolean;
}

/** One is unsubscribed, one is no phone, and one is there twice. */
const RECIPIENTS = [
  '+7 701 555 10 01; Айгерим; 15:30',
  '+7 701 555 10 30; Никита; 16:00',
  'Данияр; 16:30',
  '+7 701 555 10 03; Мария; 17:00',
  '+7 701 555 10 01; Айгерим; 15:30',
];

const PICTURES: readonly Picture[] = [
  {
    name: 'board',
    who: 'operator',
    path: () => `/board/${scene.assistant(0)}`,
    until: (page) => page.locator('body[data-connection=online] [role=listitem] >> nth=12').waitFor(),
  },
  {
    name: 'dialog',
    who: 'operator',
    path: () => `/dialogs/${scene.thread(22)}`,
    until: async (page) => {
      await page.locator('body[data-connection=online] [role=listitem] >> nth=12').waitFor();
      await page.locator('[role=log] article >> nth=3').waitFor();
    },
  },
  {
    name: 'send',
    who: 'admin',
    path: () => '/send',
    until: async (page) => {
      await page.getByRole('combobox').nth(0).click();
      await page.getByRole('option').first().click();
      await page.getByRole('combobox').nth(1).click();
      await page.getByRole('option', { name: /^visit_reminder\s+(Russian|русский)$/ }).click();
      await page.getByRole('radiogroup').nth(1).locator('label').nth(1).click();
      await page.locator('textarea:visible').fill(RECIPIENTS.join('\n'));
      await page.locator('textarea:visible').blur();
      await page.locator('main').getByText('Ждём вас').waitFor();
      await page.locator('main [role=status]:not(:has-text("…"))').first().waitFor();
      await page.locator('main li a').first().waitFor();
    },
  },
  {
    name: 'figures',
    who: 'admin',
    path: () => `/figures?assistant=${scene.assistant(1)}&span=30`,
    until: (page) => page.locator('main section a rect').nth(20).waitFor(),
    withoutNumbers: true,
  },
  {
    name: 'settings',
    who: 'admin',
    path: () => `/settings/stages?agent=${scene.assistant(0)}`,
    until: (page) => page.getByText('На проверке').waitFor(),
  },
];

const LANGUAGES = [
  { language: 'en', locale: 'en-GB', folder: '.' },
  { language: 'ru', locale: 'ru-RU', folder: 'ru' },
];

/** The page is the same in both languages, so one is looked at as a rule. */
const LOOKED_AT = WRITES ? LANGUAGES : LANGUAGES.slice(0, triesOf(1, LANGUAGES.length));

const CASES = LOOKED_AT.flatMap((language) => PICTURES.map((picture) => ({ ...language, ...picture })));

/** That it is a picture of a page at all, and small enough. */
async function expectPicture(png: Buffer): Promise<void> {
  const { width, height, entropy } = await factsOf(png);
  expect([width, height]).toEqual([PICTURE_WIDTH, PICTURE_HEIGHT]);
  expect(entropy).toBeGreaterThan(ENTROPY_MIN);
  expect(png.length).toBeLessThan(PICTURE_BYTES_MAX);
}

describe(`the pictures of the documentation (${CHROMIUM_NEEDED})`, () => {
  for (const { name, folder, language, locale, who, path, until, withoutNumbers } of CASES) {
    inChromium(`${join(folder, name)}.png shows what the page shows`, async () => {
      const page = await scene.open(path(), who, locale);
      await until(page);
      // Parts that come later are awaited, too.
      await page.waitForFunction("!document.querySelector('main [role=progressbar]')");
      const outline = await outlineOf(page.locator('main'), { language, withoutNumbers });
      const png = await smallPicture(await page.screenshot({ animations: 'disabled' }));
      await page.context().close();
      const file = join(IMAGES, folder, name);
      if (WRITES) {
        writeFileSync(`${file}.png`, png);
        writeFileSync(`${file}.txt`, outline);
      }
      await expectPicture(png);
      // Where the page has changed: npm run pictures, then look at the pictures.
      expect(existsSync(`${file}.png`)).toBe(true);
      expect(outline).toBe(readFileSync(`${file}.txt`, 'utf8'));
      const kept = readFileSync(`${file}.png`);
      await expectPicture(kept);
      expect(await distanceOf(kept, png)).toBeLessThan(DISTANCE_MAX);
    });
  }
});
