import { triesOf } from '../support/long.mode';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import {
  distanceOf,
  factsOf,
  outlineOf,
  PICTURE_BYTES_MAX,
  PICTURE_HEIGHT,
  PICTURE_WIDTH,
  smallPicture,
} from '../support/clients/page.picture';
import { PictureScene } from '../support/scenes/picture.scene';

/** `npm run pictures` writes them anew; otherwise each is compared with what the page shows now. */
const WRITES = process.env.LEADLINE_WRITE_PICTURES === '1';
const IMAGES = join(process.cwd(), 'docs/images');
/** An even surface has 0, a page with text more than 1. */
const ENTROPY_MIN = 0.5;
/** Other times give 0.03, the other language 1, and another page 2.2 at the least. */
const DISTANCE_MAX = 2;

const scene = new PictureScene();
beforeAll(() => scene.start(), 120_000);
afterAll(() => scene.close());

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
