import type { Page } from 'playwright-core';
import { CHROMIUM_NEEDED, inChromium } from '../../support/clients/chromium.browser';
import { eventually } from '../../support/eventually';
import { csvFile, setSendPageScene, type TableFile } from '../../support/scenes/send-page.scene';

const scene = setSendPageScene();

/** The rows of the table that is checked, each with its cells joined. */
const rowsOf = (page: Page): Promise<string[]> =>
  page.evaluate(`
    Array.from(document.querySelectorAll('[data-index]'), (row) =>
      Array.from(row.querySelectorAll('[role=cell]'), (cell) => cell.textContent).join(' | '))`);

async function opened(template: string, file: TableFile): Promise<Page> {
  const page = await scene.openAs(await scene.person(), '/send');
  await scene.chooseFile(page, template, file);
  return page;
}

/** Node has no encoder of it. */
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (char) => {
      const code = char.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - 0x0410 + 0xc0;
    }),
  );

describe(`a list from a file (${CHROMIUM_NEEDED})`, () => {
  inChromium('asks for its encoding where its words do not tell it', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    await page.locator('input[type=file]').setInputFiles(csvFile(windows1251('phone;name\n+77010000811;Ян')));
    await page.getByRole('alert').getByText('cannot be told from its words').waitFor();
    await page.getByRole('combobox', { name: 'Encoding' }).click();
    await page.getByRole('option', { name: 'Windows-1251' }).click();
    await eventually(async () => (await rowsOf(page)).length === 1, 10_000, 'the file was not read');
    expect(await rowsOf(page)).toEqual(['2 | +77010000811 |  | ready']);
    scene.expectQuiet(page);
  });

  inChromium('marks what would be refused, and shows only that if asked', async () => {
    const long = 'ы'.repeat(1_100);
    const content = [
      ...['phone;1;2', '+77010000301;Айгуль;15:30', '+77010000302;;15:30', `+77010000303;${long};9:00`],
      ...['+77010000304;"two\nlines";9:00', '+7701;Юлия;9:00', '7,70101E+10;Юлия;9:00', ';Юлия;9:00'],
    ].join('\n');
    const page = await opened('visit_reminder', csvFile(content));
    await page.getByText('1 is ready · 6 with faults').waitFor();
    await page.getByRole('switch', { name: 'Only what is marked' }).click();
    const rows = await eventually(
      async () => {
        const shown = await rowsOf(page);
        return shown.length === 6 && shown;
      },
      10_000,
      'not only the marked rows are shown',
    );
    expect(rows.map((row) => row.split(' | ').at(-1))).toEqual([
      'Variable 1: no value',
      'the text becomes too long',
      'Variable 1: line breaks, tabs and long blanks cannot be sent',
      'the phone has too few digits',
      'the spreadsheet has rounded the phone: give its column the format of text',
      'no phone',
    ]);
  });

  inChromium('asks for its columns first, and counts faults only then', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'visit_reminder');
    await page.getByText('From a CSV file').click();
    const rows = ['phone;who;when;where', '+77010000701;Анна;10:00;Алматы', '+77010000702;;10:00;Алматы'];
    await page.locator('input[type=file]').setInputFiles(csvFile(rows.join('\n')));
    await page.getByText('To be chosen first: Variable 1, Variable 2.').waitFor();
    expect(await page.getByText(/with a fault|with faults/).count()).toBe(0);
    for (const [variable, column] of [
      ['Variable 1: from', 'who'],
      ['Variable 2: from', 'when'],
    ] as const) {
      await page.getByRole('combobox', { name: variable }).click();
      await page.getByRole('option', { name: column }).click();
    }
    await page.getByText('1 is ready · 1 with a fault').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('is refused with what to do where it is a workbook, empty, or begins with a phone', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    const chosen = page.locator('input[type=file]');
    await chosen.setInputFiles(csvFile(Buffer.from('PK\x03\x04\x14\0\x06\0'), 'clients.xlsx'));
    await page.getByText('This is a workbook, not a CSV file.').waitFor();
    await chosen.setInputFiles(csvFile(''));
    await page.getByText('The file is empty.').waitFor();
    await chosen.setInputFiles(csvFile('+77010000801\n+77010000802'));
    await page.getByText('but it has a phone: +77010000801').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('is not sent to where its rows may be read wrong, and says in which row', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    const chosen = page.locator('input[type=file]');
    const good = 'phone;name\n+77010000811;a\n';
    const damaged = Buffer.concat([Buffer.from(`${good}+77010000812;Ая`), Buffer.from([0xd0, 0x0a])]);
    for (const [content, told] of [
      [`${good}+77010000812;"Ромашка" ТОО\n+77010000813;b\n+77010000814;"c"`, 'Row 3: its quotes'],
      [`${good}+77010000812;"open\n+77010000813;b`, 'Row 3: its quotes'],
      [`${good}+77010000812;b;c\n`, 'Row 3: it has more cells'],
      [damaged, 'Row 3: it cannot be read'],
    ] as const) {
      await chosen.setInputFiles(csvFile(content));
      await page.getByRole('alert').filter({ hasText: told }).waitFor();
      expect(await page.getByRole('table', { name: 'Check' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
      await chosen.setInputFiles(csvFile(good));
      await page.getByRole('button', { name: 'Send to 1 recipient' }).waitFor();
    }
    scene.expectQuiet(page);
  });

  inChromium('says so where the browser cannot read it any more', async () => {
    const page = await scene.openAs(await scene.person(), '/send');
    await scene.choose(page, 'order_ready');
    await page.getByText('From a CSV file').click();
    await page.evaluate(
      "File.prototype.arrayBuffer = () => Promise.reject(new DOMException('It is gone', 'NotReadableError'))",
    );
    await page.locator('input[type=file]').setInputFiles(csvFile('phone\n+77010000803'));
    await page.getByText('clients.csv: The file could not be read.').waitFor();
    scene.expectQuiet(page);
  });

  inChromium('marks phones that stand twice, however they are written', async () => {
    const content = ['phone', '8 701 000 04 01', '+77010000401', '0077010000401', '+77010000402'].join('\n');
    const page = await opened('order_ready', csvFile(content));
    await page.getByText('2 are ready · 2 duplicates').waitFor();
    expect((await rowsOf(page)).slice(1, 3)).toEqual([
      '3 | +77010000401 |  | same phone as in row 2',
      '4 | +77010000401 |  | same phone as in row 2',
    ]);
  });

  inChromium('marks and leaves out who has unsubscribed', async () => {
    await scene.account.addThread({ phone: '+77010000501', optedOut: true });
    await scene.account.addThread({ phone: '+77010000502' });
    const page = await opened('order_ready', csvFile('phone\n+77010000501\n+77010000502\n+77010000503'));
    await page.getByText('2 are ready · 1 unsubscribed').waitFor();
    expect((await rowsOf(page))[0]).toBe('2 | +77010000501 |  | unsubscribed');
    await page.getByRole('checkbox', { name: 'Leave the unsubscribed out' }).uncheck();
    await page.getByRole('button', { name: 'Send to 3 recipients' }).waitFor();
  });
});
