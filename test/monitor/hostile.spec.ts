import type { Page } from 'playwright-core';
import { BoardWindow } from '../support/clients/board.window';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { hostileTexts } from '../support/clients/hostile.texts';
import { setMonitorScene, type MonitorPerson } from '../support/scenes/monitor.scene';

const scene = setMonitorScene();
const TEXTS = hostileTexts(200);
/** A column shows so many pixels more with each step. */
const STEP = 600;
let admin: MonitorPerson;
let talk: string;
const threads: string[] = [];

const hostile = (index: number): string => TEXTS[index] ?? '';

beforeAll(async () => {
  admin = await scene.person({ role: 'admin' });
  const { pool } = scene.database;
  for (const text of TEXTS) {
    const id = await scene.account.addThread({ statusId: scene.stage(0) });
    threads.push(id);
    await pool.query(
      `UPDATE threads SET customer_name = $2, last_message_role = 'USER', last_message_text = $2,
         last_message_at = clock_timestamp(), attention = 'hand_over', attention_note = $2,
         attention_since = clock_timestamp() WHERE id = $1`,
      [id.slice('thread_'.length), text],
    );
  }
  talk = await scene.account.addThread({ statusId: scene.stage(1) });
  for (const text of TEXTS) await scene.account.addMessage(talk, { text });
  for (const [index, table] of ['assistants', 'bots', 'users', 'api_keys'].entries())
    await pool.query(`UPDATE ${table} SET name = $2 WHERE account_id = $1`, [
      scene.account.id,
      hostile(index),
    ]);
  await pool.query(
    `UPDATE statuses SET name = name || ' ' || $2, name_folded = name_folded || lower($2), description = $2
      WHERE account_id = $1`,
    [scene.account.id, hostile(0)],
  );
});

/** Nothing ran, and nothing is wider than the window. */
async function expectCalm(page: Page, path: string): Promise<void> {
  expect([path, await page.evaluate("'hacked' in window")]).toEqual([path, false]);
  const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect([path, await page.evaluate(widths)]).toEqual([path, 0]);
}

describe(`200 hostile texts and names (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'stand as text on cards, each of them',
    async () => {
      const page = await scene.openAs(admin, scene.boardPath);
      const board = new BoardWindow(page);
      await board.untilCount(scene.stage(0), TEXTS.length);
      const seen = new Map<string, string>();
      const collect = async (): Promise<void> => {
        const shown = await page.evaluate<[string, string][]>(
          `[...document.querySelectorAll('[role=listitem][data-thread-id]')].map((card) => [card.dataset.threadId, card.textContent])`,
        );
        for (const [id, text] of shown) seen.set(id, text);
      };
      for (let step = 0; step < 80 && threads.some((id) => !seen.has(id)); step++) {
        await collect();
        await board.scroll(scene.stage(0), STEP);
      }
      const wrong = threads.filter((id, index) => !seen.get(id)?.includes(hostile(index).trim()));
      expect(wrong).toEqual([]);
      await expectCalm(page, scene.boardPath);
      scene.expectQuiet(page);
    },
    120_000,
  );

  inChromium(
    'stand as text in a dialog, each of them',
    async () => {
      const page = await scene.openAs(admin, `/dialogs/${talk}`);
      const log = page.locator('[role=log]');
      await log.locator('article').first().waitFor();
      const seen = new Set<string>();
      for (let step = 0; step < 120 && seen.size < TEXTS.length; step++) {
        const shown = await page.evaluate<string[]>(
          `[...document.querySelectorAll('[role=log] article')].map((article) => article.textContent)`,
        );
        for (const text of TEXTS) if (shown.some((each) => each.includes(text.trim()))) seen.add(text);
        await log.evaluate((element: { scrollBy: (x: number, y: number) => void }) =>
          element.scrollBy(0, -500),
        );
        await page.evaluate('new Promise(requestAnimationFrame)');
      }
      expect(TEXTS.filter((text) => !seen.has(text))).toEqual([]);
      await expectCalm(page, 'dialog');
      scene.expectQuiet(page);
    },
    120_000,
  );

  inChromium(
    'take no page down, run nowhere and widen nothing, at 1440 and 360 px',
    async () => {
      const settings = ['assistants', 'stages', 'scenarios', 'bots', 'templates', 'keys', 'users', 'audit'];
      const paths = [
        ...[
          scene.boardPath,
          `/dialogs/${threads[0]}`,
          `/dialogs/${threads[27]}`,
          '/send',
          '/figures',
          '/runs',
        ],
        ...settings.map((page) => `/settings/${page}`),
      ];
      for (const width of [1440, 360]) {
        const page = await scene.openAs(admin, '/', { viewport: { width, height: 800 } });
        for (const path of paths) {
          await scene.go(page, path);
          await page.locator('main').waitFor();
          await page.waitForLoadState('networkidle');
          expect(await page.getByText('This part cannot be shown').count()).toBe(0);
          await expectCalm(page, `${path} at ${width}`);
        }
        scene.expectQuiet(page);
      }
    },
    180_000,
  );
});
