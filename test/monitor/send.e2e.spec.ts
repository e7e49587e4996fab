import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { axeFaults, axeFaultsOfThemes } from '../support/clients/axe.checker';
import { CHROMIUM_NEEDED, inChromium } from '../support/clients/chromium.browser';
import { eventually } from '../support/eventually';
import { triesOf } from '../support/long.mode';
import { csvFile, setSendPageScene } from '../support/scenes/send-page.scene';
import { accept } from '../support/stand-ins/scripted.provider';

const scene = setSendPageScene();
const ALL_SENT_MS = 60_000;
/** Are handed over by so many at a time. */
const PART = 100;
/** More than are drawn at once. */
const MANY_ROWS = triesOf(3_000, 100_000);

const progressOf = (page: Page) => page.locator('[data-progress]');

/** Opens the page with recipients typed in by hand. */
async function composed(phones: readonly string[], person = scene.person()): Promise<Page> {
  const page = await scene.openAs(await person, '/send');
  await scene.choose(page, 'order_ready');
  await page.getByRole('textbox', { name: 'Recipients' }).fill(phones.join('\n'));
  return page;
}

/** A colleague finds the newest list, whose recipients are so many, among the recent ones. */
async function isFoundAgain(recipients: number): Promise<void> {
  const page = await scene.openAs(await scene.person(), '/send');
  const newest = page.getByRole('list', { name: 'Recent sendings' }).getByRole('listitem').first();
  await newest.getByText(`Sent ${recipients}`, { exact: true }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await newest.getByRole('link', { name: /visit_reminder/ }).click();
  await page.getByRole('heading', { name: 'The list was sent' }).waitFor();
  expect(await progressOf(page).textContent()).toBe(`${recipients} of ${recipients}`);
  scene.expectQuiet(page);
}

/** The rows of the table that is checked, each with its cells joined. */
const rowsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`
    Array.from(document.querySelectorAll('[data-index]'), (row) =>
      Array.from(row.querySelectorAll('[role=cell]'), (cell) => cell.textContent).join(' | '))`);

describe(`a list of recipients (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'of two parts arrives whole, once each, though an answer is lost, and is found again',
    async () => {
      const phones = scene.newPhones(PART + 20);
      const page = await scene.openAs(await scene.person(), '/send');
      const rows = phones.map((phone, n) => `${phone};Клиент ${n};1${n % 10}:00`);
      await scene.chooseFile(page, 'visit_reminder', csvFile(['phone;1;2', ...rows].join('\n')));
      let lost = 0;
      await page.route('**/send-template', async (route) => {
        // The service gets it, and its answer gets lost.
        if (lost > 0) return route.continue();
        await route.fetch();
        lost += 1;
        await route.abort('connectionreset');
      });
      await scene.send(page);
      await page.getByRole('heading', { name: 'The list was sent' }).waitFor({ timeout: ALL_SENT_MS });
      expect(lost).toBe(1);
      expect(await progressOf(page).textContent()).toBe(`${phones.length} of ${phones.length}`);
      expect(scene.timesAsked(phones)).toEqual(phones.map(() => 1));
      expect(JSON.stringify(scene.provider.sendsTo(phones[7] ?? '')[0]?.body)).toContain('Клиент 7');
      scene.expectQuiet(page, { outages: true });
      await isFoundAgain(phones.length);
    },
  );

  inChromium('that is stopped keeps back what was not handed over, and says how many', async () => {
    const phones = scene.newPhones(PART + 50);
    const page = await composed(phones);
    const sending = Promise.withResolvers<void>();
    scene.provider.on(phones[0] ?? '', async (response, received, n) => {
      await sending.promise;
      await accept(response, received, n);
    });
    await scene.send(page);
    await scene.untilAsked(phones.slice(0, PART));
    await page.getByRole('button', { name: 'Stop' }).click();
    sending.resolve();
    await page.getByText('50 were not handed over and were not sent.').waitFor({ timeout: ALL_SENT_MS });
    await page.getByRole('heading', { name: 'Sending was stopped' }).waitFor();
    await page.reload();
    await page.getByText(`50 of ${phones.length} were not handed over from this page`).waitFor();
    await page.getByRole('heading', { name: 'Sending ended early' }).waitFor();
    expect(scene.timesAsked(phones)).toEqual(phones.map((_, n) => (n < PART ? 1 : 0)));
  });

  inChromium('stops at a sign-out: whoever signs in next neither goes on with it nor sees it', async () => {
    const phones = scene.newPhones(2);
    const page = await composed(phones);
    const untilRefused = await scene.putOff(page);
    await scene.send(page);
    await untilRefused();
    await scene.signOut(page);
    await page.unroute('**/send-template');
    await scene.fillIn(page, await scene.person({ name: 'Берик' }));
    await page.getByRole('link', { name: 'Send', exact: true }).click();
    await page.getByRole('textbox', { name: 'Recipients' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Recipients' }).inputValue()).toBe('');
    expect(scene.timesAsked(phones)).toEqual([0, 0]);
  });
});

describe(`a list from a file (${CHROMIUM_NEEDED})`, () => {
  inChromium(
    'is taken when it is dropped on the page, and few of its many rows are in the document',
    async () => {
      const page = await scene.openAs(await scene.person(), '/send');
      await scene.choose(page, 'order_ready');
      await page.getByText('From a CSV file').click();
      const dropped = await page.evaluateHandle<unknown>(`(() => {
      const phones = Array.from({ length: ${MANY_ROWS} }, (_, n) => '+7702' + String(n).padStart(7, '0'));
      const transfer = new DataTransfer();
      transfer.items.add(new File([['phone', ...phones].join('\\n')], 'dropped.csv', { type: 'text/csv' }));
      return transfer;
    })()`);
      await page.getByText('or drop it here').dispatchEvent('drop', { dataTransfer: dropped });
      await page.getByText('dropped.csv').waitFor();
      await page.getByText(`${MANY_ROWS.toLocaleString('en')} rows`).waitFor();
      const shown = await rowsOf(page);
      expect(shown[0]).toBe('2 | +77020000000 |  | ready');
      expect(shown.length).toBeLessThan(60);
      scene.expectQuiet(page);
    },
  );

  inChromium(
    'gives customers the names of the file, and hands out the rows with faults, to be mended',
    async () => {
      await scene.account.addThread({ phone: '+77010000903', optedOut: true });
      const content = [
        ...['phone;1;2;Имя', '+77010000901;Анна;9:00;=Анна', '12;=1+1;9:00;', '8 701 000 09 01;;9:00;'],
        ...['+77010000903;;9:00;', '+77010000903;Юлия;9:00;', '+77010000904;Олег;9:00;'],
      ].join('\n');
      const page = await scene.openAs(await scene.person(), '/send', {
        viewport: { width: 360, height: 740 },
      });
      await scene.chooseFile(
        page,
        'visit_reminder',
        csvFile(Buffer.from(`\uFEFF${content}`, 'utf16le').swap16()),
      );
      expect(await page.getByRole('combobox', { name: 'Encoding' }).inputValue()).toBe('UTF-16 BE');
      expect(await page.getByRole('combobox', { name: 'Separator' }).inputValue()).toBe('Semicolon');
      expect(await page.getByRole('combobox', { name: 'Customer’s name' }).inputValue()).toBe('Имя');
      await page.getByText('2 are ready · 2 with faults · 1 duplicate · 1 unsubscribed').waitFor();
      await expectFit(page);
      await scene.send(page);
      await page.getByRole('heading', { name: 'The list was sent' }).and(page.locator(':focus')).waitFor();
      await page.getByText('Left out: 2 with faults, 1 duplicate, 1 unsubscribed.').waitFor();
      await expectFit(page);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Rows with faults as CSV' }).click(),
      ]);
      const text = await readFile(await download.path(), 'utf8');
      expect(text.split('\r\n')).toEqual([
        '\uFEFFphone,1,2,Имя,Why not sent',
        '12,"\'=1+1",9:00,,the phone has too few digits',
        '+77010000903,,9:00,,Variable 1: no value; unsubscribed',
      ]);
      const names = async (): Promise<unknown[]> => {
        const { rows } = await scene.database.pool.query<{ name: string | null }>(
          `SELECT name_override AS name FROM threads WHERE phone IN ('+77010000901', '+77010000904') ORDER BY phone`,
        );
        return rows.map(({ name }) => name);
      };
      await eventually(async () => typeof (await names())[0] === 'string', 20_000, 'nobody was named');
      expect(await names()).toEqual(['=Анна', null]);
      await page.getByRole('button', { name: 'New list' }).click();
      const mended = csvFile(text.replace('\r\n12,', '\r\n+77010000902,'));
      await scene.chooseFile(page, 'visit_reminder', mended);
      await page.getByText('1 is ready · 1 with a fault').waitFor();
      scene.expectQuiet(page);
    },
  );
});

/** For everybody, and no wider than its phone. */
async function expectFit(page: Page): Promise<void> {
  expect(await axeFaultsOfThemes(page)).toEqual([]);
  expect(await page.evaluate(`document.querySelector('main').scrollWidth`)).toBe(360);
}
